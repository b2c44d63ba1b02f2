/** What clients are told, and for how long: receipts and messages from phones, by the npm package as client. */
import type { Pdu } from "smpp";
import { withTransaction } from "../../../db/transaction.ts";
import type { Db } from "../../../db/pool.ts";
import { readBalance } from "../../../ledger/index.ts";
import { cancelMessage, writeFeed } from "../../delivery/index.ts";
import { deliveryStates } from "../../delivery/states.ts";
import { FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { tellSmppClients } from "../index.ts";
import { readSubmitId } from "../submits/submit-queue.ts";
import {
  buildSmppSender,
  credentials,
  cutWithHeader,
  expect,
  test,
  until,
  type Client,
} from "../testing/access-test.ts";

/** What a carrier's report of a message leaves behind. */
async function report(
  db: Db,
  userId: string,
  messageId: string | undefined,
  state: keyof typeof deliveryStates = "delivered",
  errorCode: string | null = null,
): Promise<void> {
  const entry = {
    userId,
    messageId: readSubmitId(messageId ?? "") ?? messageId ?? "",
    followers: 4,
    state: deliveryStates[state],
    positions: [0],
    phoneNos: [2348030000001],
    errorCodes: [errorCode],
  };
  await withTransaction(db, (tx) => writeFeed(tx, [entry]));
}

const textOf = (pdu: Pdu | undefined): string => String(pdu?.short_message?.message ?? "");
const states = (client: Client): string[] =>
  client.delivered.map((pdu) => /stat:(\w+)/.exec(textOf(pdu))?.[1] ?? textOf(pdu));

test("a receipt has the form of appendix B and the TLVs, and comes to who asked for it", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const key = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(key));
  const submit = async (registered_delivery: number): Promise<string> =>
    (await client.submit({ short_message: "Ẹ káàbọ̀ to our shop, dear", data_coding: 8, registered_delivery }))
      .message_id ?? "";
  const [none, always, onFailure, onSuccess, expired, refused] = [
    await submit(0),
    await submit(1),
    await submit(2),
    await submit(3),
    await submit(1),
    await submit(1),
  ];
  const { rows } = await db.query("select followers from message order by message_id");
  expect(rows.map(({ followers }) => followers)).toEqual([0, 4, 4, 4, 4, 4]);
  for (const id of [none, always, onFailure, onSuccess]) await report(db, key.userId, id);
  await report(db, key.userId, onFailure, "failed", "report:undeliverable:001");
  await report(db, key.userId, onSuccess, "failed", "report:undeliverable:001");
  await report(db, key.userId, expired, "failed", "report:expired:027");
  await report(db, key.userId, refused, "failed", "status:11");
  await until("the receipts", () => client.delivered.length >= 5);
  expect(states(client)).toEqual(["DELIVRD", "DELIVRD", "UNDELIV", "EXPIRED", "REJECTD"]);
  const [first, , failed] = client.delivered;
  expect(first).toMatchObject({
    source_addr: "2348030000001",
    destination_addr: FACTORY_SENDER_NAME,
    esm_class: 4,
    message_state: 2,
    receipted_message_id: always,
  });
  expect(textOf(first)).toMatch(
    new RegExp(
      `^id:${always} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:DELIVRD err:000 text:\\? k\\?\\?b\\?\\? to our sho`,
    ),
  );
  expect(textOf(failed)).toContain(`id:${onFailure} sub:001 dlvrd:000`);
  expect(textOf(failed)).toContain("stat:UNDELIV err:001");
  await until("they are forgotten", async () => (await db.query("select from smpp_delivery")).rowCount === 0);
});

test("receipts wait for a receiver of the key, and come again to any bind at any host until ESME_ROK", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const key = await buildSmppSender(db, deps);
  const other = await buildSmppSender(db, deps);
  const [host, second] = [await startAccess(), await startAccess()];
  const transmitter = await connect(host.port);
  await transmitter.ask("bind_transmitter", credentials(key));
  const ids: (string | undefined)[] = [];
  for (let index = 0; index < 20; index += 1)
    ids.push((await transmitter.submit({ short_message: `Order ${index}`, registered_delivery: 1 })).message_id);
  for (const id of ids) await report(db, key.userId, id);
  const stranger = await connect(host.port);
  await stranger.ask("bind_transceiver", credentials(other));
  await until("the receipts", async () => (await db.query("select from smpp_delivery")).rowCount === 20);
  // Takes all, answers none, and goes.
  const silent = await connect(host.port, { answer: () => undefined });
  await silent.ask("bind_receiver", credentials(key));
  await until("all are given", () => silent.delivered.length === 20);
  silent.session.destroy();
  // Refuses all: they come again after a pause.
  const full = await connect(second.port, { answer: () => 0x14 });
  await full.ask("bind_receiver", credentials(key));
  await until("all are refused", () => full.delivered.length === 20);
  full.session.destroy();
  const postponed = async (): Promise<number> =>
    (await db.query("select from smpp_delivery where due_at > now() and lease_host is null")).rowCount ?? 0;
  await until("their pause", async () => (await postponed()) === 20);
  await db.query("update smpp_delivery set due_at = now()");
  const good = await connect(second.port);
  await good.ask("bind_receiver", credentials(key));
  await until("the receipts at last", () => good.delivered.length === 20);
  await until("they are forgotten", async () => (await db.query("select from smpp_delivery")).rowCount === 0);
  expect(good.delivered.map(({ receipted_message_id }) => receipted_message_id)).toEqual(ids);
  expect([transmitter.delivered, stranger.delivered]).toEqual([[], []]);
});

test("what a killed host had given is given by another", async ({ db, deps, startAccess, connect }) => {
  const key = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transmitter", credentials(key));
  const { message_id: id } = await client.submit({ short_message: "Hello", registered_delivery: 1 });
  await report(db, key.userId, id);
  await until("the receipt", async () => (await db.query("select from smpp_delivery")).rowCount === 1);
  await db.query(
    "insert into smpp_host (host_id, lock_key, seen_at) values (gen_random_uuid(), 1, now() - interval '5 s')",
  );
  await db.query(
    "update smpp_delivery set due_at = now() + interval '1 min', lease_host = (select host_id from smpp_host where lock_key = 1)",
  );
  const receiver = await connect(port);
  await receiver.ask("bind_receiver", credentials(key));
  await until("the receipt", () => receiver.delivered.length === 1);
});

test("each part of a long message that asked has its own receipt; parts that never came together expire and cost nothing", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const { user, ...key } = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(key));
  const send = async (reference: number, count: number, registered: number[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const [index, { udh, message }] of cutWithHeader(Buffer.from("x".repeat(306)), 102, reference)
      .slice(0, count)
      .entries()) {
      const answer = await client.submit({ short_message: { udh, message }, registered_delivery: registered[index] });
      expect(answer.command_status).toBe(0);
      ids.push(answer.message_id ?? "");
    }
    return ids;
  };
  // As Kannel does: the first part alone asks.
  const [first] = await send(1, 3, [1, 0, 0]);
  const all = await send(2, 3, [0, 1, 1]);
  const { rows } = await db.query<{ id: string; followers: number }>(
    "select message_id as id, followers from message order by message_id",
  );
  expect(rows.map(({ followers }) => followers)).toEqual([4, 4]);
  for (const { id } of rows) await report(db, key.userId, id);
  await until("three receipts", () => client.delivered.length === 3);
  expect(new Set(client.delivered.map(({ receipted_message_id }) => receipted_message_id))).toEqual(
    new Set([first, all[1], all[2]]),
  );
  const before = await readBalance(db, user.userId);
  const [lost] = await send(3, 2, [1, 0]);
  await db.query("update smpp_part_set set expires_at = now() - interval '1 s'");
  await until("the end of its time", () => client.delivered.length === 4);
  expect(client.delivered[3]).toMatchObject({ receipted_message_id: lost, message_state: 3 });
  expect((await client.ask("query_sm", { message_id: lost })).message_state).toBe(3);
  expect(await readBalance(db, user.userId)).toEqual(before);
  expect((await db.query("select from smpp_part")).rowCount).toBe(0);
});

test("a message that is cancelled is reported DELETED", async ({ db, deps, startAccess, connect }) => {
  const key = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(key));
  const { message_id: id } = await client.submit({ short_message: "Hello", registered_delivery: 1 });
  const messageId = readSubmitId(id ?? "") ?? "";
  await withTransaction(db, (tx) => cancelMessage(tx, { userId: key.userId, messageId }, new Date()));
  await until("the receipt", () => client.delivered.length === 1);
  expect(states(client)).toEqual(["DELETED"]);
});

test("messages from phones go to each key of the customer that has the scope, in their alphabet, long ones whole", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const key = await buildSmppSender(db, deps);
  await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_receiver", credentials(key));
  const texts = ["Yes @ noon", "Ẹ ṣé", "A long answer. ".repeat(30).trim()];
  await withTransaction(db, (tx) =>
    tellSmppClients(
      tx,
      key.userId,
      texts.map((body) => ({ fromAddress: "2348030000009", toAddress: "32811", body, receivedAt: new Date() })),
    ),
  );
  await until("the messages", () => client.delivered.length === 3);
  expect(client.delivered.map((pdu) => String((pdu.message_payload ?? pdu.short_message)?.message))).toEqual(texts);
  expect(client.delivered.map(({ data_coding }) => data_coding)).toEqual([0, 8, 0]);
  expect(client.delivered[0]).toMatchObject({ source_addr: "2348030000009", destination_addr: "32811", esm_class: 0 });
});
