import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe } from "vitest";
import { buildAdmin, buildUser } from "../../testing/factories.ts";
import { expect, test as base } from "../../testing/app.ts";

/** An app that listens, and what it answers to bytes. */
const test = base.extend<{ port: number; say: (bytes: string) => Promise<string> }>({
  port: async ({ app }, use) => {
    await app.listen({ host: "127.0.0.1", port: 0 });
    const address = app.server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    await use(address.port);
  },
  say: async ({ port }, use) => {
    await use(async (bytes) => {
      const socket = connect(port, "127.0.0.1");
      let answer = "";
      socket.setEncoding("latin1").on("data", (text: string) => (answer += text));
      const isClosed = new Promise<void>(
        (resolve, reject) => void socket.on("close", () => resolve()).on("error", reject),
      );
      socket.write(bytes);
      await isClosed;
      return answer;
    });
  },
});

describe("what never becomes a request", () => {
  test("a bad % in an address is refused like all else, and nothing of it is repeated", async ({ app }) => {
    const answer = await app.inject({
      method: "GET",
      url: "/api/send-bulk-sms/ada%40gmail.com/my-secret/Hi%ZZ/Acme/2348030000001/234",
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.body).not.toMatch(/secret|FST_|ada(?:@|%40)/);
    expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  });

  test.for([
    ["GARBAGE\r\n\r\n", 400, "VALIDATION"],
    [`GET / HTTP/1.1\r\nhost: x\r\ncookie: ${"a".repeat(20_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  ] as const)("%$: HTTP that is none is refused in our shape", async ([bytes, status, code], { say }) => {
    const [head = "", body = ""] = (await say(bytes)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain("x-content-type-options: nosniff");
    expect(JSON.parse(body)).toEqual({ message: expect.any(String) as string, code });
  });

  // Method: Node looks for connections that are too slow every 30 s; the test calls what it would call then.
  test("a request that does not arrive in time is told so", async ({ app, say }) => {
    const slow = say("GET / HTTP/1.1\r\nhost: x\r\n");
    const [socket] = (await once(app.server, "connection")) as [Socket];
    app.server.emit("clientError", Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    expect(await slow).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"TOO_SLOW"/);
  });
});

// Goal: the refusal is read by who still writes. Method: a socket that writes all of a long body before it reads anything.
test("a body that is too long is answered with 413, and the connection does not break", async ({
  db,
  signInAs,
  say,
}) => {
  const admin = await buildAdmin(db);
  const { authorization } = await signInAs(admin);
  const body = JSON.stringify({ reason: "x".repeat(4_000_000) });
  const head = `PATCH /api/${admin.adminId}/decline-whitelist-request HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const answer = await say(head + body);
  expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"BODY_TOO_LARGE"/);
});

test("a call without fields takes no list, text or number in their place", async ({ app, db, signInAs }) => {
  const user = await buildUser(db);
  const headers = { ...(await signInAs(user)), "content-type": "application/json" };
  for (const payload of ["[1]", '"text"', "7", "true"]) {
    const answer = await app.inject({ method: "POST", url: `/api/${user.userId}/sign-out`, headers, payload });
    expect([answer.statusCode, answer.json<{ code: string }>().code], payload).toEqual([400, "VALIDATION"]);
  }
});
