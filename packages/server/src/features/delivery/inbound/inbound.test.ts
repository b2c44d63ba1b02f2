/** Messages from phones over real SMPP, and the administrators' list of them. */
import { encodeGsm7Unpacked, encodeUtf16Be } from "@ewebal/gsm";
import { inboundRoutes, type ErrorBody } from "@ewebal/contract";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import type { Db } from "../../../db/pool.ts";
import { test as appTest } from "../../../testing/app.ts";
import { buildCarrier, buildMessage } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import type { SmppPeer } from "../testing/smpp-peer.ts";
import { test } from "../testing/smpp-test.ts";
import { expect, until, untilCounts } from "../testing/worker-test.ts";
import { insertInboundMessages } from "./inbound-store.ts";
import { endWaitingParts, PARTS_WAIT_SECONDS } from "./store-inbound.ts";

const gsm = (text: string) => Buffer.from(encodeGsm7Unpacked(text));
const ucs2 = (text: string) => Buffer.from(encodeUtf16Be(text));
/** With a user data header of an 8-bit reference. */
const part = (octets: Buffer, reference: number, count: number, number: number) =>
  Buffer.concat([Buffer.from([5, 0, 3, reference, count, number]), octets]);

async function readTexts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ body: string }>("select body from inbound_message order by inbound_id");
  return rows.map(({ body }) => body);
}

async function untilBound(peer: SmppPeer): Promise<void> {
  await until("the worker is bound", () => peer.sessions.some((session) => session.canDeliver()));
}

describe("a message from a phone", () => {
  test("is acknowledged only after it is stored", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    await untilBound(peer);
    await withTransaction(db, async (tx) => {
      await tx.query("lock table inbound_message in exclusive mode");
      peer.bring({ id: "stop", body: gsm("STOP") });
      await until(
        "storing waits for the lock",
        async () => (await db.query("select from pg_locks where not granted")).rows.length > 0,
      );
      expect(peer.acknowledged).toEqual([]);
    });
    await until("it is acknowledged", () => peer.acknowledged.length === 1);
    expect((await db.query("select from_address, to_address, body from inbound_message")).rows).toEqual([
      { from_address: "2348030000001", to_address: "32811", body: "STOP" },
    ]);
  });

  test("that cannot be stored is refused, so that the carrier keeps it, and is taken when it comes again", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    await untilBound(peer);
    await db.query("alter table inbound_message add constraint no_more check (false) not valid");
    peer.bring({ id: "first", body: gsm("Hello") });
    await until("it is refused", () => peer.refused.length === 1);
    expect(peer.acknowledged).toEqual([]);
    await db.query("alter table inbound_message drop constraint no_more");
    peer.bring({ id: "again", body: gsm("Hello") });
    await until("it is acknowledged", () => peer.acknowledged.length === 1);
    expect(await readTexts(db)).toEqual(["Hello"]);
  });

  test.for<[string, number, Buffer, string]>([
    ["GSM-7 with its extension", 0, gsm("Ok [100€]"), "Ok [100€]"],
    ["UCS-2 with a surrogate pair", 8, ucs2("Ẹ kú àárọ̀ 👍"), "Ẹ kú àárọ̀ 👍"],
    ["Latin-1", 3, Buffer.from("Déjà", "latin1"), "Déjà"],
    ["NUL, which no database takes", 8, ucs2("a\0b"), "a\uFFFDb"],
    ["no text at all", 0, Buffer.alloc(0), ""],
  ])("is read as %s", async ([, dataCoding, body, expected], { db, startPeer, startWorker }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    await untilBound(peer);
    peer.bring({ id: "one", body, dataCoding });
    await until("it is acknowledged", () => peer.acknowledged.length === 1);
    expect(await readTexts(db)).toEqual([expected]);
  });
});

describe("a text that reads like a report", () => {
  const reads = "id:77 sub:001 dlvrd:001 stat:DELIVRD err:000 text:Is this you?";

  test("is put into the inbox of its number's owner once no message of ours turns out to have its id", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const { userId } = await buildUser(db);
    await db.query(
      "insert into inbound_number (number_id, number, keyword, user_id, created_at) values (gen_random_uuid(), '32811', '', $1, now())",
      [userId],
    );
    const peer = await startPeer((submit) => submit.accept("88"));
    await startWorker({ carriers: [peer.settings()] });
    await untilBound(peer);
    const message = await buildMessage(db, { recipientCount: 1 });
    await untilCounts(db, message, { sent: 1 });
    peer.bring({ id: "of ours", body: gsm(reads.replace("77", "88")), from: String(message.phoneNos[0]) });
    peer.bring({ id: "of nobody", body: Buffer.from(`${reads}\0`), dataCoding: 3 });
    peer.bring({ id: "to nobody", body: gsm(reads), to: "40000" });
    await untilCounts(db, message, { delivered: 1 });
    await until("all are acknowledged", () => peer.acknowledged.length === 3);
    expect((await db.query("select from inbox_message")).rowCount).toBe(0);
    await endTries(db);
    await until("what is left was looked at", async () => (await db.query("select from early_report")).rowCount === 0);
    expect((await db.query("select user_id, from_address, to_address, body from inbox_message")).rows).toEqual([
      { user_id: userId, from_address: "2348030000001", to_address: "32811", body: `${reads}\uFFFD` },
    ]);
    expect(await readTexts(db)).toEqual([]);
  });

  test("and a text that is marked as a report and says nothing of one is a text", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    await untilBound(peer);
    peer.bring({ id: "one", body: gsm("Where is my order?"), isMarked: true });
    await until("it is acknowledged", () => peer.acknowledged.length === 1);
    expect(await readTexts(db)).toEqual(["Where is my order?"]);
  });
});

/** As after the last try of reports that match nothing. */
async function endTries(db: Db): Promise<void> {
  const seconds = deliveryTimesMs.earlyRetries.reduce((sum, pause) => sum + pause, 0) / 1_000;
  await db.query(
    "update early_report set received_at = received_at - make_interval(secs => $1), next_try_at = received_at",
    [seconds + 60],
  );
}

describe("a long message", () => {
  test("is joined whatever the order of its parts, at two workers, and a character that was cut in two is whole", async ({
    db,
    startPeer,
    startWorker,
  }) => {
    const peer = await startPeer();
    const settings = peer.settings({ binds: 2 });
    await startWorker({ carriers: [settings] });
    await startWorker({ carriers: [settings] });
    await until("both are bound", () => peer.sessions.filter((session) => session.canDeliver()).length === 2);
    const octets = ucs2("x👍yz");
    const bring = (reference: number, number: number, from: string) =>
      peer.bring({
        id: `${from} ${number}`,
        body: part(number === 1 ? octets.subarray(0, 4) : octets.subarray(4), reference, 2, number),
        dataCoding: 8,
        hasHeader: true,
        from,
      });
    bring(7, 2, "2348030000001");
    bring(7, 1, "2348030000002");
    bring(7, 1, "2348030000001");
    bring(7, 2, "2348030000002");
    await until("all parts are acknowledged", () => peer.acknowledged.length === 4);
    expect(await readTexts(db)).toEqual(["x👍yz", "x👍yz"]);
    // A part whose acknowledgement was lost comes again.
    bring(7, 2, "2348030000001");
    await until("it is acknowledged again", () => peer.acknowledged.length === 5);
    await endWaitingParts(db);
    expect(await readTexts(db)).toEqual(["x👍yz", "x👍yz"]);
  });

  test("whose other parts never come is shown without them", async ({ db, startPeer, startWorker }) => {
    const peer = await startPeer();
    await startWorker({ carriers: [peer.settings()] });
    await untilBound(peer);
    peer.bring({ id: "2", body: part(gsm("middle"), 9, 3, 2), hasHeader: true });
    await until("it is acknowledged", () => peer.acknowledged.length === 1);
    await endWaitingParts(db);
    expect(await readTexts(db)).toEqual([]);
    await db.query("update inbound_part set received_at = now() - make_interval(secs => $1)", [PARTS_WAIT_SECONDS + 1]);
    await endWaitingParts(db);
    expect(await readTexts(db)).toEqual(["[…]middle[…]"]);
  });
});

describe("GET view-unassigned-inbound", () => {
  const url = "/api/view-unassigned-inbound";

  appTest("is for administrators, and refuses a cursor that is none", async ({ app, db, signInAs }) => {
    expect((await app.inject({ url })).statusCode).toBe(401);
    expect((await app.inject({ url, headers: await signInAs(await buildUser(db)) })).statusCode).toBe(403);
    const headers = await signInAs(await buildAdmin(db));
    expect((await app.inject({ url: `${url}?after=none`, headers })).json<ErrorBody>().code).toBe("VALIDATION");
  });

  appTest("lists the newest first, page by page", async ({ app, db, signInAs }) => {
    const { carrierId } = await buildCarrier(db);
    const ids = [1, 2, 3].map((number) => `01900000-0000-7000-8000-00000000000${number}`);
    const messages = ids.map((inboundId) => ({
      inboundId,
      carrierId,
      fromAddress: "2348030000001",
      toAddress: "32811",
      body: "STOP",
      receivedAt: new Date(),
    }));
    await withTransaction(db, async (tx) => await insertInboundMessages(tx, messages));
    const headers = await signInAs(await buildAdmin(db));
    const read = async (query: string) =>
      inboundRoutes.viewUnassignedInbound.schema.response[200].parse(
        (await app.inject({ url: `${url}?${query}`, headers })).json(),
      );
    const first = await read("limit=2");
    expect(first.data.map(({ _id }) => _id)).toEqual([ids[2], ids[1]]);
    expect(first.data[0]).toMatchObject({ from: "2348030000001", to: "32811", text: "STOP" });
    expect(await read(`limit=2&after=${first.next ?? ""}`)).toMatchObject({ data: [{ _id: ids[0] }], next: null });
  });
});
