import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { commandStatus, SmppServer } from "@ewebal/smpp";
import { expect, test as base } from "vitest";
import { lookupCarrier } from "./check-host.ts";
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

const targetOf = (port: number, facts: object = {}) => ({
  host: "127.0.0.1",
  port,
  systemId: "acme",
  password: "right",
  systemType: "",
  tls: false,
  ...facts,
});

test("name and password are right: bound, once, and unbound again", async ({ carrier }) => {
  expect(await testCarrier(targetOf(carrier.port))).toMatchObject({
    isBound: true,
    text: "The carrier took the bind. It calls itself PEER.",
  });
  expect(carrier.bindCount()).toBe(1);
});

test.for([
  [{ password: "wrong" }, /^The password is wrong/],
  [{ systemId: "nobody" }, /^The carrier does not know this system id/],
  [{ systemId: "full" }, /all binds of the contract are in use/],
] as const)("%j is told in words", async ([facts, text], { carrier }) => {
  expect(await testCarrier(targetOf(carrier.port, facts))).toMatchObject({
    isBound: false,
    text: expect.stringMatching(text) as string,
  });
  expect(carrier.bindCount()).toBe(1);
});

test("nobody, silence, a peer that hangs up, another service and a name of nobody are answered alike, in words and time", async ({
  listen,
}) => {
  const closed = await listen((socket) => socket.destroy());
  const targets = [
    targetOf(closed === 1 ? 2 : 1),
    targetOf(await listen(() => undefined)),
    targetOf(closed),
    targetOf(await listen((socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n"))),
    targetOf(await listen((socket) => socket.write("SSH-2.0-OpenSSH_9.9\r\n")), { tls: true }),
    targetOf(2775, { host: "no-such-host.invalid" }),
  ];
  const answers = await Promise.all(targets.map(async (target) => await testCarrier(target, 300)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  for (const { isBound, durationMs, text } of answers) {
    expect([isBound, text]).toEqual([false, expect.stringMatching(/^No carrier answered at this host and port\./)]);
    expect(durationMs).toBeGreaterThanOrEqual(299);
  }
});

test("addresses where no carrier is, in any spelling, are no host", async () => {
  const spellings = [
    "0.0.0.0",
    "224.0.0.1",
    "169.254.169.254",
    "::",
    "::ffff:169.254.169.254",
    "300.1.1.1",
    "1:2",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
  ];
  for (const host of spellings)
    await expect(testCarrier(targetOf(2775, { host }), 50), host).rejects.toMatchObject({ code: "VALIDATION" });
});

test("a name is looked at after it is resolved, at each connection", async () => {
  const resolve = async (host: string): Promise<string> =>
    await new Promise((done) =>
      lookupCarrier(host, { all: true }, (error, found) => done(error?.message ?? JSON.stringify(found))),
    );
  expect(await resolve("localhost")).toContain("127.0.0.1");
  expect(await resolve("169.254.169.254")).toBe("the name leads to no address of a carrier");
});
