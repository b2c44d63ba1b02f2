import { describe } from "vitest";
import { buildApp } from "../../main/app.ts";
import { buildAdmin } from "../../testing/factories.ts";
import { expect, test as base } from "../../testing/app.ts";
import { createInsiderCheck } from "./insiders.ts";
import { virtualPhoneRoutes } from "../virtual-phone-routes.ts";

const TOKEN = "printed-by-this-start";
const LOCAL = { host: "localhost:8080" };
/** The phones answer 404 either way here, as no simulator runs; their guard is told apart by its being asked. */
const PATHS = ["/mailbox", "/metrics"];

type Ask = (
  path: string,
  headers?: Record<string, string>,
  remoteAddress?: string,
) => Promise<{ status: number; cookie: string | undefined }>;

const test = base.extend<{ ask: Ask }>({
  ask: async ({ deps }, use) => {
    const app = await buildApp(deps, TOKEN);
    await app.ready();
    await use(async (url, headers = LOCAL, remoteAddress = "127.0.0.1") => {
      const { statusCode, headers: answered } = await app.inject({ method: "GET", url, headers, remoteAddress });
      return { status: statusCode, cookie: answered["set-cookie"]?.toString() };
    });
    await app.close();
  },
});

describe("on a product for this machine", () => {
  test.for(PATHS)("%s is for visitors of this machine, and nobody behind a proxy is one", async (path, { ask }) => {
    for (const header of [
      "forwarded",
      "via",
      "x-forwarded-for",
      "x-forwarded-proto",
      "x-real-ip",
      "cf-connecting-ip",
    ]) {
      expect((await ask(path, { ...LOCAL, [header]: "x" })).status, header).toBe(404);
    }
    expect((await ask(path, { host: "sms.customer.example" })).status).toBe(404);
    expect((await ask(path, LOCAL, "192.0.2.7")).status).toBe(404);
    expect((await ask(path)).status).toBe(200);
  });
});

describe("on a product with an address of its own", () => {
  const publicTest = test.extend({
    environment: { PUBLIC_URL: "https://sms.customer.example", TRIAL_PARTS: "mailbox,phones" },
  });

  // What nginx sends with a bare `proxy_pass http://127.0.0.1:8080`: its own Host, and no word of a visitor.
  publicTest.for(PATHS)("%s is for nobody without the token, not even from this machine", async (path, { ask }) => {
    expect((await ask(path)).status).toBe(404);
    for (const wrong of ["", "wrong", `${TOKEN}x`])
      expect(await ask(`${path}?token=${wrong}`)).toEqual({ status: 404, cookie: undefined });
    expect((await ask(path, { ...LOCAL, authorization: "Bearer wrong" })).status).toBe(404);
    expect((await ask(path, { ...LOCAL, cookie: "__Host-ewebal_local=wrong" })).status).toBe(404);
  });

  publicTest.for(PATHS)(
    "%s opens with the token, which the browser then keeps out of reach of scripts",
    async (path, { ask }) => {
      const opened = await ask(`${path}?token=${TOKEN}`, { host: "sms.customer.example" }, "192.0.2.7");
      expect(opened).toEqual({
        status: 200,
        cookie: `__Host-ewebal_local=${TOKEN}; Path=/; HttpOnly; Secure; SameSite=Strict`,
      });
      expect((await ask(path, { ...LOCAL, cookie: `__Host-ewebal_local=${TOKEN}` })).status).toBe(200);
      expect((await ask(path, { ...LOCAL, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    },
  );

  publicTest("the token is read on these pages alone", async ({ ask }) => {
    expect((await ask(`/healthz?token=${TOKEN}`)).cookie).toBeUndefined();
    expect((await ask(`/virtual-phones?token=${TOKEN}`)).cookie).toContain(TOKEN);
  });
});

test("the virtual phones ask the same check, and let administrators in without", async ({ deps, db, signInAs }) => {
  const phones = async (publicUrl: string): Promise<number[]> => {
    const app = await buildApp(deps);
    // Nothing listens on this port: whoever is let in gets as far as that.
    const simulator = { smppPort: 1, controlPort: 1, systemId: "", password: "", controlToken: "" };
    virtualPhoneRoutes(app, simulator, createInsiderCheck({ publicUrl }, TOKEN));
    const statuses: number[] = [];
    for (const headers of [LOCAL, { ...LOCAL, ...(await signInAs(await buildAdmin(db))) }]) {
      statuses.push((await app.inject({ method: "GET", url: "/api/virtual-phones", headers })).statusCode);
    }
    await app.close();
    return statuses;
  };
  expect(await phones("http://localhost:8080")).toEqual([503, 503]);
  expect(await phones("http://sms.customer.example")).toEqual([404, 503]);
});

test("a plain HTTP 1.0 call, as nginx makes it, is from no visitor of this machine", () => {
  const request = (httpVersion: string) => ({
    raw: { httpVersion },
    headers: LOCAL,
    cookies: {},
    socket: { remoteAddress: "127.0.0.1" },
    url: "/mailbox",
    query: {},
  });
  const isInsider = createInsiderCheck({ publicUrl: "http://localhost:8080" }, undefined);
  expect([isInsider(request("1.1") as never), isInsider(request("1.0") as never)]).toEqual([true, false]);
});
