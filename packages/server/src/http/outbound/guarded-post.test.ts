// The guard of addresses that customers give: refused when they are saved, and when they are connected to.
import dns from "node:dns";
import { createServer } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { AppError } from "../../base/errors.ts";
import { checkCallbackUrl, GuardedPoster } from "./guarded-post.ts";

/** What each name stands for, look-up by look-up; the last answer stays. */
const names = new Map<string, string[]>();
const realLookup = dns.lookup;

function lookUp(host: string, options: object, done: (error: Error | null, found?: object[]) => void): void {
  // A server that listens looks its own address up.
  if (isIP(host) !== 0) {
    realLookup(host, options, done as never);
    return;
  }
  const answers = names.get(host) ?? [];
  const address = answers.length > 1 ? answers.shift() : answers[0];
  if (address === undefined) done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }));
  else
    done(
      null,
      address.split(",").map((one) => ({ address: one, family: one.includes(":") ? 6 : 4 })),
    );
}

// Not a mock of the module: files share a process, and another one may have loaded the guard already.
let lookup: MockInstance;
beforeEach(() => {
  lookup = vi.spyOn(dns, "lookup").mockImplementation(lookUp as never);
});
afterEach(() => lookup.mockRestore());

const guarded = { areWebhooksPrivate: false };
const post = { headers: {}, body: "{}", timeoutMs: 2_000, answerBytesMax: 100 };
const isSaved = async (url: string): Promise<boolean> => {
  try {
    await checkCallbackUrl(guarded, "url", url);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "VALIDATION" && error.fields?.["url"] !== undefined) return false;
    throw error;
  }
};

test.each([
  ..."127.0.0.1 127.1 0x7f000001 2130706433 0177.0.0.1 0 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] localhost LOCALHOST. a.localhost".split(
    " ",
  ),
  ..."10.0.0.1 172.16.9.9 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 [fe80::1] [fd00::1] [ff02::1]".split(" "),
  ..."[64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [2002:7f00:1::] [2002:c0a8:101::1] [::127.0.0.1]".split(" "),
  ..."inside.example mixed.example mapped.example printer.local intranet".split(" "),
])("%s is refused when it is saved and when it is posted to", async (host) => {
  names
    .set("inside.example", ["10.1.2.3"])
    .set("mixed.example", ["93.184.215.14,127.0.0.1"])
    .set("mapped.example", ["::ffff:127.0.0.1"]);
  expect(await isSaved(`http://${host}/hook`)).toBe(false);
  const poster = new GuardedPoster(guarded);
  const posted = await poster.post({ ...post, url: `http://${host}:9/` });
  poster.close();
  expect(posted).toMatchObject({ status: 0, isSilent: false });
  expect(posted.answer).toContain("does not lead to the public internet");
});

test.each([
  "ftp://example.com/",
  "http://a:b@example.com/",
  "javascript:alert(1)",
  "//example.com",
  "http://exa mple.com/",
  "http:example.com",
])("%s is no address to post to", async (url) => expect(await isSaved(url)).toBe(false));

// Goal: a name that is public when it is looked at and ours when it is connected to gains nothing. Method: its second answer is this machine, where
// somebody listens.
test("a name that changes its meaning is refused at the connection, and one that is allowed is connected to as it was looked at", async () => {
  let heard = 0;
  const server = createServer((_request, response) => {
    heard += 1;
    response.writeHead(307, { location: "http://127.0.0.1:1/" }).end("x".repeat(1_000_000));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  names.set("rebound.example", ["93.184.215.14", "127.0.0.1"]);
  const url = `http://rebound.example:${port}/`;
  expect(await isSaved(url)).toBe(true);
  const poster = new GuardedPoster(guarded);
  expect(await poster.post({ ...post, url })).toMatchObject({
    status: 0,
    answer: expect.stringContaining("does not lead") as string,
  });
  expect(heard).toBe(0);
  poster.close();

  const looked = lookup.mock.calls.length;
  const open = new GuardedPoster({ areWebhooksPrivate: true });
  // A redirect is an answer, and of an endless one only the beginning is read.
  expect(await open.post({ ...post, url: `http://127.0.0.1:${port}/` })).toMatchObject({
    status: 307,
    answer: "x".repeat(100),
  });
  expect(heard).toBe(1);
  expect(lookup.mock.calls).toHaveLength(looked);
  open.close();
  server.closeAllConnections();
  server.close();
});
