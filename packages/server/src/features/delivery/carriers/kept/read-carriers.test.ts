import { messageClasses } from "@ewebal/contract";
/** A worker follows what administrators do to carriers, without a restart. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../../db/pool.ts";
import { buildMessage, testPhoneNos } from "../../../../testing/delivery-factories.ts";
import { hasRoute, selectCarrierHealth } from "../carrier-store.ts";
import type { SmppPeer } from "../../testing/smpp-peer.ts";
import { test as smppTest } from "../../testing/smpp-test.ts";
import { expect, readCounts, until, untilCounts } from "../../testing/worker-test.ts";
import { deleteKeptCarrier, insertKeptCarrier, updateKeptCarrier, type KeptCarrier } from "./kept-carrier-store.ts";
import { sealSecret } from "../../../../secrets/seal-secret.ts";

const key = randomBytes(32);

const test = smppTest.extend({ secretsKey: key });

async function keep(db: Db, peer: SmppPeer, facts: Partial<KeptCarrier> = {}): Promise<KeptCarrier> {
  const {
    name,
    host,
    port,
    systemId,
    password,
    tls,
    binds,
    window,
    messagesPerSecond,
    prefixes,
    weight,
    receiptIds,
    longMessages,
  } = peer.settings();
  const keptCarrierId = uuidv7();
  const sealedPassword = sealSecret(key, keptCarrierId, password);
  const rest = {
    systemType: "",
    priority: 0,
    dndErrorCodes: [],
    isEnabled: true,
    classes: [...messageClasses],
    reachesDnd: false,
  };
  const carrier = {
    keptCarrierId,
    name,
    host,
    port,
    systemId,
    sealedPassword,
    tls,
    binds,
    window,
    messagesPerSecond,
    prefixes: [...prefixes],
    weight,
    receiptIds,
    longMessages,
    ...rest,
    ...facts,
  };
  await insertKeptCarrier(db, carrier, new Date());
  return carrier;
}

const change = async (db: Db, carrier: KeptCarrier, facts: Partial<KeptCarrier>): Promise<void> =>
  await updateKeptCarrier(db, { ...carrier, ...facts }, new Date());

test("an added carrier takes over from the stand-in, and gives back when it is removed; one that is off does not", async ({
  db,
  startPeer,
  startWorker,
}) => {
  const [simulator, peer] = [await startPeer(), await startPeer()];
  await startWorker({ standIn: simulator.settings({ name: "Simulator" }) });
  const first = await buildMessage(db, { recipientCount: 3 });
  await untilCounts(db, first, { sent: 3 });
  expect(simulator.submits).toHaveLength(3);

  const carrier = await keep(db, peer);
  await until("the added carrier is bound", () => peer.sessions.length === 1);
  const second = await buildMessage(db, { recipientCount: 3 });
  await untilCounts(db, second, { sent: 3 });
  expect([simulator.submits.length, peer.submits.length]).toEqual([3, 3]);
  await until("the stand-in is let go", () => simulator.sessions.length === 0);

  await change(db, carrier, { isEnabled: false });
  await until("it is let go", () => peer.sessions.length === 0);
  const third = await buildMessage(db, { recipientCount: 3 });
  await sleep(1_500);
  expect(await readCounts(db, third)).toMatchObject({ waiting: 3 });
  expect([simulator.sessions.length, simulator.submits.length]).toEqual([0, 3]);

  await deleteKeptCarrier(db, carrier.keptCarrierId);
  await until("the stand-in is back", () => simulator.sessions.length === 1);
  await untilCounts(db, third, { sent: 3 });
});

test("where nothing may stand in, messages wait when the last carrier is removed", async ({
  db,
  startPeer,
  startWorker,
}) => {
  const peer = await startPeer();
  const carrier = await keep(db, peer);
  await startWorker();
  await until("the carrier is bound", () => peer.sessions.length === 1);
  await deleteKeptCarrier(db, carrier.keptCarrierId);
  await until("it is let go", () => peer.sessions.length === 0);
  const message = await buildMessage(db, { recipientCount: 3 });
  await sleep(1_500);
  expect([await readCounts(db, message), peer.submits.length]).toMatchObject([{ waiting: 3 }, 0]);
  expect(await hasRoute(db, "234")).toBe(false);
});

test("a removed carrier's open answers are awaited; what it does not have goes to the other one", async ({
  db,
  startPeer,
  startWorker,
}) => {
  const open: (() => void)[] = [];
  const slow = await startPeer((submit, count) => void open.push(() => submit.accept(`slow-${count}`)));
  const other = await startPeer();
  await startWorker();
  const carrier = await keep(db, slow, { name: "slow", window: 10, priority: 0 });
  await keep(db, other, { name: "other", priority: 1 });
  await until("both are bound", () => slow.sessions.length === 1 && other.sessions.length === 1);
  const message = await buildMessage(db, { recipientCount: 300 });
  await until("its window is full", () => slow.submits.length === 10);
  await deleteKeptCarrier(db, carrier.keptCarrierId);
  await until("the rest goes to the other", () => other.submits.length === 290);
  for (const accept of open) accept();
  await untilCounts(db, message, { sent: 300 });
  expect(new Set([...slow.submits, ...other.submits].map(({ phoneNo }) => phoneNo)).size).toBe(300);
  await until("it is unbound", () => slow.sessions.length === 0);
  expect(await readCounts(db, message)).toMatchObject({ unknown: 0 });
});

test("other prefixes hold without a new connection; another address makes one", async ({
  db,
  startPeer,
  startWorker,
}) => {
  const [peer, moved] = [await startPeer(), await startPeer()];
  await startWorker();
  const carrier = await keep(db, peer, { prefixes: ["44"] });
  await until("it is bound", () => peer.sessions.length === 1);
  const [session] = peer.sessions;
  const before = await buildMessage(db, { phoneNos: testPhoneNos(1) });
  await untilCounts(db, before, { failed: 1 });
  await change(db, carrier, { prefixes: [] });
  await until(
    "the prefixes hold",
    async () => (await db.query("select from carrier where prefixes = '{44}'")).rowCount === 0,
  );
  const after = await buildMessage(db, { phoneNos: testPhoneNos(1, 5) });
  await untilCounts(db, after, { sent: 1 });
  expect(peer.sessions[0]).toBe(session);

  await change(db, carrier, { prefixes: [], port: moved.port });
  await until("it is bound at the other address", () => moved.sessions.length === 1 && peer.sessions.length === 0);
  const third = await buildMessage(db, { phoneNos: testPhoneNos(1, 9) });
  await untilCounts(db, third, { sent: 1 });
  expect(moved.submits).toHaveLength(1);
});

test("a carrier's state is reported: bound, its figures, or why it is not bound", async ({
  db,
  startPeer,
  startWorker,
}) => {
  const peer = await startPeer();
  await startWorker();
  await keep(db, peer);
  await until("it is told as bound", async () => (await selectCarrierHealth(db))[0]?.boundCount === 1);
  const message = await buildMessage(db, { recipientCount: 5 });
  await untilCounts(db, message, { sent: 5 });
  await until("its answers are counted", async () => (await selectCarrierHealth(db))[0]?.goodCount === 5);
  await peer.close();
  await until("its loss is told", async () => (await selectCarrierHealth(db))[0]?.boundCount === 0);
  expect((await selectCarrierHealth(db))[0]).toMatchObject({
    name: "peer",
    heldCount: 1,
    lastError: expect.stringMatching(/^Connection lost/) as string,
  });
});

test("a password that cannot be read keeps messages waiting, until it is entered again", async ({
  db,
  startPeer,
  startWorker,
}) => {
  const [simulator, peer] = [await startPeer(), await startPeer()];
  const carrier = await keep(db, peer, { sealedPassword: sealSecret(randomBytes(32), "other", "x") });
  await startWorker({ standIn: simulator.settings({ name: "Simulator" }) });
  const message = await buildMessage(db, { recipientCount: 2 });
  await until("it is told", async () => /cannot be read/.test((await selectCarrierHealth(db))[0]?.lastError ?? ""));
  expect(await readCounts(db, message)).toMatchObject({ waiting: 2 });
  await change(db, carrier, { sealedPassword: sealSecret(key, carrier.keptCarrierId, "pw") });
  await untilCounts(db, message, { sent: 2 });
  expect(simulator.submits).toHaveLength(0);
});
