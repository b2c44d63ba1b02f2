import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, describe } from "vitest";
import { buildApp } from "../main/app.ts";
import { readConfig } from "../base/config.ts";
import { expect, test as base } from "../testing/app.ts";
import { buildUser, FACTORY_PASSWORD } from "../testing/factories.ts";
import { forgetSharedAddresses, isSharedAddress } from "./rate-limits/client-address.ts";

type Ask = (
  headers: Record<string, string>,
  settings?: { url?: string; remoteAddress?: string; environment?: Record<string, string> },
) => Promise<string[]>;

const LOCAL = { host: "localhost:8080" };
const PUBLIC = { PUBLIC_URL: "https://sms.customer.example", TRIAL_PARTS: "mailbox,phones" };

/** @returns the warnings that one request brings. */
const test = base.extend<{ ask: Ask }>({
  ask: async ({ deps }, use) => {
    await use(async (headers, { url = "/api/brand", remoteAddress = "127.0.0.1", environment = {} } = {}) => {
      const lines: string[] = [];
      const stream = new Writable({
        write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()),
      });
      const app = await buildApp({
        ...deps,
        log: pino({ level: "warn" }, stream),
        config: readConfig({ DATA_DIR: deps.config.dataDir, ...environment }),
      });
      await app.inject({ url, headers, remoteAddress });
      await app.inject({ url, headers, remoteAddress });
      await app.close();
      return lines.filter((line) => line.includes("TRUST_PROXY"));
    });
  },
});

afterEach(forgetSharedAddresses);

describe("TRUST_PROXY=off behind a proxy is told once", () => {
  test.for<[string, Record<string, string>, Record<string, string>]>([
    ["a forwarding header", { ...LOCAL, "x-forwarded-for": "203.0.113.7" }, {}],
    ["a forwarding header", { ...LOCAL, "x-real-ip": "203.0.113.7" }, {}],
    ["a Host that is not ours", { host: "sms.customer.example" }, {}],
    ["a Host that is not ours", { host: "203.0.113.80:8080" }, PUBLIC],
  ])("%s: %j", async ([sign, headers, environment], { ask }) => {
    const [line = "", ...others] = await ask(headers, { environment });
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      sign,
      address: "127.0.0.1",
      msg: expect.stringContaining("Set TRUST_PROXY to the number of proxies") as string,
    });
    expect(others).toEqual([]);
    expect(isSharedAddress("127.0.0.1")).toBe(true);
  });

  test.for<[string, Parameters<Ask>]>([
    ["by our own names", [LOCAL, {}]],
    ["by a word", [{ host: "x" }, {}]],
    [
      "by the address that people open",
      [{ host: "sms.customer.example" }, { environment: PUBLIC, remoteAddress: "203.0.113.7" }],
    ],
    ["of watchers on this machine", [{ host: "web-1.internal:8080" }, { environment: PUBLIC, url: "/healthz" }]],
    [
      "when proxies are ours",
      [{ host: "10.0.0.7", "x-forwarded-for": "203.0.113.7" }, { environment: { TRUST_PROXY: "1" } }],
    ],
  ])("and not for requests %s", async ([, [headers, settings]], { ask }) => {
    expect(await ask(headers, settings)).toEqual([]);
    expect(["127.0.0.1", "203.0.113.7"].filter(isSharedAddress)).toEqual([]);
  });
});

test("a header that a visitor from the internet writes rids nobody of the limits, unless there must be a proxy", async ({
  ask,
}) => {
  const headers = { ...LOCAL, "x-forwarded-for": "198.51.100.1" };
  expect(await ask(headers, { remoteAddress: "203.0.113.7" })).toHaveLength(1);
  expect(isSharedAddress("203.0.113.7")).toBe(false);
  for (const remoteAddress of ["10.1.2.3", "172.31.0.1", "192.168.1.1", "::ffff:10.1.2.4", "fd00::1"]) {
    await ask(headers, { remoteAddress });
    expect(isSharedAddress(remoteAddress), remoteAddress).toBe(true);
  }
  await ask(headers, { remoteAddress: "203.0.113.7", environment: PUBLIC });
  expect(isSharedAddress("203.0.113.7")).toBe(true);
});

const limited = base.extend({ environment: { RATE_LIMITS: "on" } });
limited("ten wrong guesses of a stranger behind the same proxy lock the owner out no more", async ({ app, db }) => {
  const user = await buildUser(db);
  const signIn = async (password: string, forwardedFor: string): Promise<number> => {
    const headers = { ...LOCAL, "x-forwarded-for": forwardedFor };
    return (
      await app.inject({ method: "POST", url: "/api/sign-in-user", headers, payload: { email: user.email, password } })
    ).statusCode;
  };
  for (let count = 0; count < 12; count += 1) expect(await signIn("wrong-password", "198.51.100.66")).toBe(400);
  expect(await signIn(FACTORY_PASSWORD, "203.0.113.7")).toBe(201);
});
