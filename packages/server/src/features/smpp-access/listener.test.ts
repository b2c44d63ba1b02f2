/** What strangers can do to the listener: octets of any kind, connections that do nothing, and TLS with a certificate of its own. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import * as fc from "fast-check";
import { SmppClient, type IncomingSubmit } from "@ewebal/smpp";
import { validPdus } from "@ewebal/smpp/testing/hostile-peer";
import { buildSmppSender, credentials, expect, test, until } from "./testing/access-test.ts";
import { readSubmit } from "./submits/read-submit.ts";
import { ensureSmppCertificate, makeCertificate } from "./tls-certificate.ts";

test("whatever octets come, before and after a bind, the listener goes on and keeps nothing of them", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const key = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const bind = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1]),
    Buffer.from(`${key.systemId}\0${key.password}\0\0`),
    Buffer.from([0x34, 0, 0, 0]),
  ]);
  bind.writeUInt32BE(bind.length, 0);
  const octets = fc.sample(
    fc.tuple(
      fc.boolean(),
      fc.oneof(
        fc.uint8Array({ maxLength: 400 }).map((noise) => Buffer.from(noise)),
        fc
          .tuple(
            fc.array(fc.constantFrom(...validPdus), { minLength: 1, maxLength: 8 }),
            fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 5 }),
          )
          .map(([pdus, changes]) => {
            const changed = Buffer.concat(pdus);
            for (const [place, value] of changes) changed[place % changed.length] = value;
            return changed;
          }),
      ),
    ),
    { numRuns: 120, seed: 20_261_125 },
  );
  for (const [isBound, chunk] of octets) {
    const socket = connectPlain({ port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    socket.write(isBound ? Buffer.concat([bind, chunk]) : chunk);
    await new Promise<void>((resolve) => {
      socket.once("data", () => resolve());
      socket.once("close", () => resolve());
      setTimeout(resolve, 10);
    });
    socket.destroy();
  }
  // Those who left while they were judged keep no place.
  await until("their ends", async () => (await db.query("select from smpp_bind")).rowCount === 0);
  const client = await connect(port);
  expect((await client.ask("bind_transceiver", credentials(key))).command_status).toBe(0);
  expect((await client.submit({ short_message: "Still here" })).command_status).toBe(0);
  const { rows } = await db.query("select body from message");
  expect(rows).toEqual([{ body: "Still here" }]);
  expect(deps.logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("200 connections that do nothing keep nobody from binding", async ({ db, deps, startAccess, connect }) => {
  const key = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const stalled = Array.from({ length: 210 }, () => connectPlain({ port, host: "127.0.0.1" }));
  for (const socket of stalled) socket.on("error", () => undefined);
  await until("they are there", () => stalled.every(({ connecting }) => !connecting));
  const client = await connect(port);
  expect((await client.ask("bind_transceiver", credentials(key))).command_status).toBe(0);
  expect((await client.submit({ short_message: "Hello" })).command_status).toBe(0);
  // The oldest had to go.
  await until(
    "the bound",
    () => stalled.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length >= 10,
  );
  for (const socket of stalled) socket.destroy();
});

test("a submit of any fields is a message, a part, or refused with a status", () => {
  const address = fc.record({ ton: fc.nat(255), npi: fc.nat(255), address: fc.string({ maxLength: 25 }) });
  const place = fc.record({ reference: fc.nat(65_535), partCount: fc.nat(255), partNumber: fc.nat(255) });
  const submit = fc.record({
    source: address,
    destination: address,
    serviceType: fc.string({ maxLength: 6 }),
    esmClass: fc.nat(255),
    registeredDelivery: fc.nat(255),
    dataCoding: fc.nat(255),
    scheduleDeliveryTime: fc.string({ maxLength: 17 }),
    validityPeriod: fc.string({ maxLength: 17 }),
    sar: fc.option(place, { nil: undefined }),
    body: fc.uint8Array({ maxLength: 300 }).map((octets) => Buffer.from(octets)),
  });
  fc.assert(
    fc.property(submit, (fields) => {
      const read = readSubmit(fields as unknown as IncomingSubmit, new Date());
      expect(["whole", "part", "refused"]).toContain(read.kind);
      if (read.kind === "refused") expect(read.status).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test("with TLS it makes a certificate once, which a client that trusts it checks, and takes nobody without", async ({
  db,
  deps,
  startAccess,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "smpp-access-"));
  try {
    const smppListen = { host: "127.0.0.1", port: 0, hasTls: true };
    const config = { dataDir, smppListen };
    const tls = await ensureSmppCertificate(config, deps.log);
    expect(await ensureSmppCertificate(config, deps.log)).toEqual(tls);
    const certificate = await readFile(join(dataDir, "smpp", "tls.crt"));
    const key = await buildSmppSender(db, deps);
    const { port } = await startAccess({ tls });
    const events: string[] = [];
    const client = new SmppClient<string>(
      { host: "127.0.0.1", port, ...key, messagesPerSecond: 10, tls: { ca: certificate } },
      {
        onOutcome: () => undefined,
        onDelivery: () => undefined,
        onReady: () => undefined,
        onEvent: ({ kind }) => events.push(kind),
      },
    );
    client.start();
    await until("the bind", () => client.state === "bound");
    await client.close({ drainMs: 0 });
    const stranger = connectTls({ port, host: "127.0.0.1", ca: makeCertificate("127.0.0.1").cert });
    const refusal = await new Promise<Error>((resolve) => stranger.once("error", resolve));
    expect(refusal.message).toMatch(/self.signed|verify/);
    await rm(join(dataDir, "smpp", "tls.key"));
    await expect(ensureSmppCertificate(config, deps.log)).rejects.toThrow("only one of");
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
