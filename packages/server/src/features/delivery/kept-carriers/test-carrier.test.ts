import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { commandStatus, SmppServer } from "@ewebal/smpp";
import { expect, test as base } from "vitest";
import { testCarrier } from "./test-carrier.ts";

type Fixtures = {
  /** A carrier that knows the name `acme` with the password `right`; `port` and how many binds it saw. */
  carrier: { port: number; bindCount: () => number };
  listen: (onSocket: (socket: Socket) => void) => Promise<number>;
};

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  carrier: async ({}, use) => {
    let bindCount = 0;
    const server = new SmppServer<string>(
      { host: "127.0.0.1", port: 0, systemId: "PEER", deliverWindow: 10 },
      {
        onBind: ({ systemId, password }) => {
          bindCount += 1;
          if (systemId === "full") return commandStatus.ESME_RALYBND;
          if (systemId !== "acme") return commandStatus.ESME_RINVSYSID;
          return password === "right" ? commandStatus.ESME_ROK : commandStatus.ESME_RINVPASWD;
        },
        onBound: () => undefined,
        onSubmit: () => {
          throw new Error("a test sends nothing");
        },
        onDelivered: () => undefined,
        onReady: () => undefined,
        onClosed: () => undefined,
      },
    );
    const port = await server.listen();
    await use({ port, bindCount: () => bindCount });
    await server.close({ isPolite: false });
  },
  // eslint-disable-next-line no-empty-pattern -- as above.
  listen: async ({}, use) => {
    const servers: Server[] = [];
    const sockets: Socket[] = [];
    await use(async (onSocket) => {
      const server = createServer((socket) => {
        sockets.push(socket.on("error", () => undefined));
        onSocket(socket);
      });
      servers.push(server.listen(0, "127.0.0.1"));
      await once(server, "listening");
      return (server.address() as { port: number }).port;
    });
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map(async (server) => await new Promise((done) => server.close(done))));
  },
});

const targetOf = (port: number, facts: object = {}) => ({ host: "127.0.0.1", port, systemId: "acme", password: "right", systemType: "", tls: false, ...facts });

test("name and password are right: bound, once, and unbound again", async ({ carrier }) => {
  expect(await testCarrier(targetOf(carrier.port))).toMatchObject({ isBound: true, text: "The carrier took the bind. It calls itself PEER." });
  expect(carrier.bindCount()).toBe(1);
});

test.for([
  [{ password: "wrong" }, /^The password is wrong/],
  [{ systemId: "nobody" }, /^The carrier does not know this system id/],
  [{ systemId: "full" }, /all binds of the contract are in use/],
] as const)("%j is told in words", async ([facts, text], { carrier }) => {
  expect(await testCarrier(targetOf(carrier.port, facts))).toMatchObject({ isBound: false, text: expect.stringMatching(text) as string });
  expect(carrier.bindCount()).toBe(1);
});

test("nobody listens", async ({ listen }) => {
  const port = await listen(() => undefined);
  const closed = await testCarrier(targetOf(port === 1 ? 2 : 1));
  expect(closed).toMatchObject({ isBound: false, text: expect.stringMatching(/^Nobody listens at 127\.0\.0\.1, port/) as string });
});

test("a peer that is silent, and one that hangs up", async ({ listen }) => {
  const silent = await testCarrier(targetOf(await listen(() => undefined)), 200);
  expect(silent).toMatchObject({ isBound: false, text: expect.stringMatching(/^No answer within 0\.2 seconds/) as string });
  const rude = await testCarrier(targetOf(await listen((socket) => socket.end())));
  expect(rude).toMatchObject({ isBound: false, text: expect.stringMatching(/^The carrier closed the connection before it answered/) as string });
});

test("a carrier without TLS is asked for TLS", async ({ carrier }) => {
  const { isBound, text } = await testCarrier(targetOf(carrier.port, { tls: true }), 2_000);
  expect(isBound).toBe(false);
  expect(text).toMatch(/does not speak TLS|No answer/);
});

test("a name that nobody has, and addresses where no carrier is", async () => {
  expect(await testCarrier(targetOf(2775, { host: "no-such-host.invalid" }))).toMatchObject({ isBound: false, text: "There is no host with the name no-such-host.invalid." });
  for (const host of ["0.0.0.0", "224.0.0.1", "169.254.169.254", "::", "300.1.1.1", "1:2"]) {
    await expect(testCarrier(targetOf(2775, { host }))).rejects.toMatchObject({ code: "VALIDATION" });
  }
});
