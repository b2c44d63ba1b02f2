import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe } from "vitest";
import { buildUser } from "../../testing/factories.ts";
import { expect, test as base } from "../../testing/app.ts";
import { forgetSharedAddresses, noteSharedAddress } from "../rate-limits/client-address.ts";
import { SlowBodies } from "./slow-bodies.ts";
import { Usage } from "./bound-requests.ts";

type Begun = { head: string; from?: string };

/** An app that listens, and a way to begin requests whose bodies never arrive. */
const unlimited = base.extend<{ port: number; begin: (begun: Begun) => Promise<Socket> }>({
  port: async ({ app }, use) => {
    await app.listen({ host: "127.0.0.1", port: 0 });
    await use((app.server.address() as AddressInfo).port);
  },
  begin: async ({ port }, use) => {
    const sockets: Socket[] = [];
    await use(async ({ head, from = "127.0.0.1" }) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: from });
      sockets.push(socket);
      await once(socket, "connect");
      socket.setEncoding("latin1").write(`${head}\r\nhost: x\r\n\r\n{`);
      return socket;
    });
    for (const socket of sockets) socket.destroy();
  },
});

const test = unlimited.extend({ environment: { RATE_LIMITS: "on" } });

afterEach(forgetSharedAddresses);

const webhook = "POST /api/paystack-webhook HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 60000";

async function statusOf(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, "data")) as [string];
  return answer.split(" ", 2)[1] ?? "";
}

/** Opens as many bodies as one address may, and one more. */
async function openOneTooMany(begin: (begun: Begun) => Promise<Socket>): Promise<{ all: Socket[]; last: Socket }> {
  const all: Socket[] = [];
  for (let open = 0; open < 50; open += 1) all.push(await begin({ head: webhook }));
  return { all, last: await begin({ head: webhook }) };
}

const restOfBody = `${" ".repeat(59_998)}}`;

describe("bodies that do not arrive", () => {
  test("the fifty-first of one address is refused at once; others, and calls without a body, are served", async ({
    begin,
    port,
  }) => {
    expect(await statusOf((await openOneTooMany(begin)).last)).toBe("429");
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    const other = await begin({ head: webhook, from: "127.0.0.2" });
    other.write(restOfBody);
    expect(await statusOf(other)).toBe("401");
  });

  test("count no more once their connections are gone", async ({ begin }) => {
    const { all, last } = await openOneTooMany(begin);
    expect(await statusOf(last)).toBe("429");
    // As many again, so that those who were answered alone would fill the bound.
    const refused = await Promise.all(Array.from({ length: 50 }, () => begin({ head: webhook })));
    await Promise.all(refused.map(statusOf));
    for (const socket of [...all, ...refused, last]) socket.destroy();
    const askAgain = async (): Promise<string> => {
      const again = await begin({ head: webhook });
      again.write(restOfBody);
      return await statusOf(again);
    };
    await expect.poll(askAgain).toBe("401");
  });

  unlimited("without limits, as under a load test, are all waited for", async ({ begin }) => {
    const { last } = await openOneTooMany(begin);
    last.write(restOfBody);
    expect(await statusOf(last)).toBe("401");
  });

  test("an address that everybody has is not bounded", async ({ begin }) => {
    noteSharedAddress("127.0.0.1");
    const { last } = await openOneTooMany(begin);
    last.write(restOfBody);
    expect(await statusOf(last)).toBe("401");
  });
});

test("a customer announces a hundred megabytes at a time, from wherever", async ({ db, begin, signInAs }) => {
  const user = await buildUser(db);
  const { authorization } = await signInAs(user);
  const head = `POST /api/${user.userId}/send-bulk-sms HTTP/1.1\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 20971520`;
  const sends: Socket[] = [];
  for (let address = 1; address <= 6; address += 1) sends.push(await begin({ head, from: `127.0.0.${address}` }));
  expect(await Promise.race(sends.map(statusOf))).toBe("429");
});

test("a body that comes slower than the floor ends with 408; one that waits for us goes on", async () => {
  const slowBodies = new SlowBodies();
  const requests: IncomingMessage[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    slowBodies.watch(request, response);
    // The first is read as it comes; the second is held back by us.
    if (requests.length === 1) request.resume();
    else request.pause();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{");
    await once(server, "request");
    return socket;
  };
  const [stalled, held] = [await open(), await open()];
  slowBodies.check(Date.now() + 9_000);
  expect([stalled.destroyed, requests.map(({ destroyed }) => destroyed)]).toEqual([false, [false, false]]);
  slowBodies.check(Date.now() + 10_001);
  expect(await statusOf(stalled)).toBe("408");
  await once(stalled, "close");
  expect(requests.map(({ destroyed }) => destroyed)).toEqual([true, false]);
  held.destroy();
  server.close();
  await once(server, "close");
});

test("what is taken is given back once", () => {
  const usage = new Usage();
  const [first] = [usage.take("ada", 2), usage.take("ada", 3)];
  expect([usage.of("ada"), usage.of("eve"), usage.total]).toEqual([5, 0, 5]);
  first();
  first();
  expect([usage.of("ada"), usage.total]).toEqual([3, 3]);
});
