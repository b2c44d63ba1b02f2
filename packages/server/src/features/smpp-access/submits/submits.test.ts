/** What a submit becomes, by the npm package as client. */
import { DEFAULT_RATES } from "@ewebal/contract";
import { encodeGsm7Unpacked } from "@ewebal/gsm";
import { commandStatus } from "@ewebal/smpp";
import smpp from "smpp";
import { describe } from "vitest";
import { readBalance } from "../../../ledger/index.ts";
import type { Db } from "../../../db/pool.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { findLiveKeys } from "../../accounts/index.ts";
import { addDndNumbers, addOptOuts } from "../../delivery/index.ts";
import { ownStatus } from "../command-statuses.ts";
import { acceptGroup, type OpenSubmit } from "./submit-group.ts";
import { IDEMPOTENCY_KEY_TAG } from "./submit-keys.ts";
import {
  buildKey,
  buildSmppSender,
  credentials,
  cutWithHeader,
  expect,
  overlap,
  test,
  until,
} from "../testing/access-test.ts";
import { topUpUser } from "../../../testing/ledger-factories.ts";
import { buildSender } from "../../../testing/messages-factories.ts";

const NUMBER = "2348030000001";

async function countTraces(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select (select count(*) from message) + (select count(*) from hold) + (select count(*) from smpp_submit) + (select count(*) from smpp_part) as count`,
  );
  return Number(rows[0]?.count);
}

async function readBodies(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ body: string }>("select body from message order by message_id");
  return rows.map(({ body }) => body);
}

describe("a bind", () => {
  test("is refused alike for a wrong name and a wrong password, from another address, and above the key's binds", async ({
    db,
    deps,
    startAccess,
    connect,
  }) => {
    const { user, ...key } = await buildSmppSender(db, deps, { binds: 1 });
    const elsewhere = await buildKey(deps, user, { addresses: ["192.0.2.0/24"] });
    const { port } = await startAccess();
    const bind = async (fields: Record<string, unknown>, name = "bind_transceiver"): Promise<number> =>
      (await (await connect(port)).ask(name, fields)).command_status;
    expect(await bind({ system_id: "nobody", password: "x" })).toBe(commandStatus.ESME_RINVPASWD);
    expect(await bind({ ...credentials(key), password: "wrong" })).toBe(commandStatus.ESME_RINVPASWD);
    expect(await bind(credentials(elsewhere))).toBe(commandStatus.ESME_RBINDFAIL);
    const early = await connect(port);
    expect((await early.submit({ short_message: "x" })).command_status).toBe(commandStatus.ESME_RINVBNDSTS);
    expect((await early.ask("bind_receiver", credentials(key))).command_status).toBe(0);
    expect((await early.submit({ short_message: "x" })).command_status).toBe(commandStatus.ESME_RINVBNDSTS);
    expect(await bind(credentials(key), "bind_transmitter")).toBe(commandStatus.ESME_RBINDFAIL);
    early.session.destroy();
    await until("the bind's end", async () => (await db.query("select from smpp_bind")).rowCount === 0);
    expect(await bind(credentials(key), "bind_transmitter")).toBe(0);
    expect(await countTraces(db)).toBe(0);
  });

  test("ends when its key is revoked", async ({ db, deps, startAccess, connect }) => {
    const key = await buildSmppSender(db, deps);
    const { port } = await startAccess();
    const client = await connect(port);
    await client.ask("bind_transceiver", credentials(key));
    await db.query("delete from api_key");
    await until("the unbind", client.isClosed);
  });

  test("counts across hosts, and those of a host that was killed do not", async ({
    db,
    deps,
    startAccess,
    connect,
  }) => {
    const key = await buildSmppSender(db, deps, { binds: 2 });
    const [one, other] = [await startAccess(), await startAccess()];
    const bind = async (port: number): Promise<number> =>
      (await (await connect(port)).ask("bind_transceiver", credentials(key))).command_status;
    expect([await bind(one.port), await bind(other.port), await bind(one.port)]).toEqual([
      0,
      0,
      commandStatus.ESME_RBINDFAIL,
    ]);
    // As a killed host leaves it: its row and its bind are there, its lock is not held.
    await db.query("insert into smpp_host (host_id, lock_key) values (gen_random_uuid(), 1)");
    await db.query(
      `update smpp_bind set host_id = (select host_id from smpp_host where lock_key = 1)
       where bind_id = (select bind_id from smpp_bind limit 1)`,
    );
    expect(await bind(other.port)).toBe(0);
  });
});

describe("a submit is refused with the status of its reason and leaves nothing behind:", () => {
  test("each of them", async ({ db, deps, startAccess, connect }) => {
    const { user, ...key } = await buildSmppSender(db, deps, { balanceMilli: 3_000 });
    await addDndNumbers(db, { phoneNos: [2348030000002], source: "admin" });
    await withTransaction(db, (tx) =>
      addOptOuts(tx, { userId: user.userId, phoneNos: [2348030000003], source: "page" }),
    );
    await db.query(
      `insert into content_rule (rule_id, pattern, place, countries, networks, action, note, created_at, updated_at)
       values (gen_random_uuid(), 'lottery', 'text', '{}', '{}', 'refuse', 'No lotteries', now(), now())`,
    );
    const { port } = await startAccess();
    const client = await connect(port);
    await client.ask("bind_transmitter", credentials(key));
    const statusOf = async (fields: Record<string, unknown>): Promise<number> =>
      (await client.submit({ short_message: "Hello", ...fields })).command_status;
    const refusals: [Record<string, unknown>, number][] = [
      [{ source_addr: "Nobody" }, commandStatus.ESME_RINVSRCADR],
      [{ source_addr: "" }, commandStatus.ESME_RINVSRCADR],
      [{ destination_addr: "12" }, commandStatus.ESME_RINVDSTADR],
      [{ destination_addr: "0803000000a" }, commandStatus.ESME_RINVDSTADR],
      [{ destination_addr: `${NUMBER},${NUMBER}` }, commandStatus.ESME_RINVDSTADR],
      [{ destination_addr: "870776000000" }, commandStatus.ESME_RINVDSTADR],
      [{ destination_addr: "2348030000002" }, ownStatus.dndListed],
      [{ destination_addr: "2348030000003" }, ownStatus.optedOut],
      [{ short_message: "Win the lottery" }, ownStatus.contentRefused],
      [{ short_message: "x".repeat(161) }, ownStatus.unitsRequired],
      [{ short_message: "" }, commandStatus.ESME_RINVMSGLEN],
      [{ message_payload: "x".repeat(1601), short_message: "" }, commandStatus.ESME_RINVMSGLEN],
      [{ short_message: "Dear {{name}}" }, commandStatus.ESME_RINVMSGLEN],
      [{ short_message: Buffer.from([1, 2, 3]), data_coding: 4 }, commandStatus.ESME_RSUBMITFAIL],
      [{ schedule_delivery_time: "200101000000000+" }, commandStatus.ESME_RINVSCHED],
      [{ schedule_delivery_time: "x" }, commandStatus.ESME_RINVSCHED],
      [{ validity_period: "200101000000000+" }, commandStatus.ESME_RINVEXPIRY],
    ];
    for (const [fields, status] of refusals) expect([fields, await statusOf(fields)]).toEqual([fields, status]);
    await db.query("update carrier set is_enabled = false");
    expect(await statusOf({})).toBe(ownStatus.noRoute);
    expect(await countTraces(db)).toBe(0);
  });

  test("above the key's pace, across hosts", async ({ db, deps, startAccess, connect }) => {
    const key = await buildSmppSender(db, deps, { perSecond: 5 });
    const hosts = [await startAccess(), await startAccess()];
    const clients = await Promise.all(
      hosts.map(async ({ port }) => {
        const client = await connect(port);
        await client.ask("bind_transmitter", credentials(key));
        return client;
      }),
    );
    const answers = await Promise.all(
      clients.flatMap((client) => Array.from({ length: 15 }, () => client.submit({ short_message: "Hello" }))),
    );
    const accepted = answers.filter(({ command_status }) => command_status === 0).length;
    expect(accepted).toBeGreaterThanOrEqual(5);
    expect(accepted).toBeLessThanOrEqual(8);
    for (const { command_status } of answers) expect([0, commandStatus.ESME_RTHROTTLED]).toContain(command_status);
    expect((await readBodies(db)).length).toBe(accepted);
  });
});

test("a submit is one message of one recipient, held and charged like any other, in every data coding", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const { user, ...key } = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(key));
  const texts: [string, Record<string, unknown>][] = [
    ["Hello @ {you} €5", { data_coding: 0, short_message: Buffer.from(encodeGsm7Unpacked("Hello @ {you} €5")) }],
    // As the package itself writes it: $ @ _ [ ] in GSM 03.38 under data coding 1.
    ["$5 @ a_b [c] {d}", { data_coding: 1, short_message: "$5 @ a_b [c] {d}" }],
    ["Ä la carte", { data_coding: 3, short_message: Buffer.from("Ä la carte", "latin1") }],
    ["Ẹ káàbọ̀ ₦500", { data_coding: 8, short_message: "Ẹ káàbọ̀ ₦500" }],
    ["x".repeat(400), { data_coding: 0, message_payload: "x".repeat(400) }],
  ];
  const ids: string[] = [];
  for (const [, fields] of texts) {
    const answer = await client.submit(fields);
    expect(answer.command_status).toBe(0);
    ids.push(answer.message_id ?? "");
  }
  expect(await readBodies(db)).toEqual(texts.map(([text]) => text));
  expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 * (1 + 1 + 1 + 1 + 3) });
  const { rows } = await db.query<{ id: string; origin: string; count: number }>(
    `select replace(message_id::text, '-', '') as id, origin, recipient_count as count from message order by message_id`,
  );
  expect(rows).toEqual(ids.map((id) => ({ id, origin: "smpp", count: 1 })));
  const query = await client.ask("query_sm", { message_id: ids[0] });
  expect(query).toMatchObject({ command_status: 0, message_state: 6, message_id: ids[0] });
  expect((await client.ask("query_sm", { message_id: "f".repeat(32) })).command_status).toBe(
    commandStatus.ESME_RINVMSGID,
  );
  expect((await client.ask("cancel_sm", { message_id: ids[1] })).command_status).toBe(0);
  expect((await client.ask("query_sm", { message_id: ids[1] })).message_state).toBe(4);
  const other = await buildSmppSender(db, deps);
  const stranger = await connect(port);
  await stranger.ask("bind_transceiver", credentials(other));
  for (const name of ["query_sm", "cancel_sm"])
    expect((await stranger.ask(name, { message_id: ids[0] })).command_status).toBe(commandStatus.ESME_RINVMSGID);
});

test("a time and a validity are kept, and cancel_sm without an id ends what is scheduled for the number", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const { user, ...key } = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(key));
  const at = new Date(Date.now() + 3_600_000);
  const absolute = `${at.toISOString().replaceAll(/\D/g, "").slice(2, 14)}000+`;
  for (const fields of [
    { schedule_delivery_time: absolute, validity_period: "000000020000000R" },
    { schedule_delivery_time: "000000010000000R" },
    { validity_period: "000000000500000R" },
  ])
    expect((await client.submit({ short_message: "Later", ...fields })).command_status).toBe(0);
  const { rows } = await db.query<{ sendAt: Date | null; validUntil: Date | null; state: number }>(
    `select send_at as "sendAt", valid_until as "validUntil", state from message order by created_at, message_id`,
  );
  expect(rows.filter(({ state }) => state === 0)).toHaveLength(2);
  const times = rows.flatMap(({ sendAt }) => (sendAt === null ? [] : [Math.abs(sendAt.getTime() - at.getTime())]));
  expect(Math.max(...times)).toBeLessThan(5_000);
  expect(rows.filter(({ validUntil }) => validUntil !== null)).toHaveLength(2);
  expect(
    (await client.ask("cancel_sm", { message_id: "", source_addr: "Acme Ltd", destination_addr: NUMBER }))
      .command_status,
  ).toBe(0);
  expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 });
});

describe("a long message", () => {
  const text = `${"Dear customer, ".repeat(30)}{€}`;
  const octets = Buffer.from(encodeGsm7Unpacked(text));

  test("in parts is one message, charged when its last part is answered, whichever way its parts are joined", async ({
    db,
    deps,
    startAccess,
    connect,
  }) => {
    const { user, ...key } = await buildSmppSender(db, deps);
    const { port } = await startAccess();
    const [client, second] = [await connect(port), await connect(port)];
    for (const one of [client, second]) await one.ask("bind_transceiver", credentials(key));
    const parts = cutWithHeader(octets, 153, 7);
    expect(parts).toHaveLength(3);
    // The last part first, by another bind; then the second again, as a client that missed its answer does.
    const last = await second.submit({ short_message: { udh: parts[2]?.udh, message: parts[2]?.message } });
    const middle = await client.submit({ short_message: { udh: parts[1]?.udh, message: parts[1]?.message } });
    const again = await client.submit({ short_message: { udh: parts[1]?.udh, message: parts[1]?.message } });
    expect([last.command_status, middle.command_status, again.message_id]).toEqual([0, 0, middle.message_id]);
    expect((await client.ask("query_sm", { message_id: middle.message_id })).message_state).toBe(6);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0 });
    const first = await client.submit({ short_message: { udh: parts[0]?.udh, message: parts[0]?.message } });
    expect(first.command_status).toBe(0);
    expect(new Set([first.message_id, middle.message_id, last.message_id]).size).toBe(3);
    expect(await readBodies(db)).toEqual([text]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 * 3 });

    // By the TLVs, and with a 16-bit reference, all at once: parts of one group.
    const sar = parts.map(({ message }, index) => ({
      short_message: message,
      sar_msg_ref_num: 300,
      sar_total_segments: 3,
      sar_segment_seqnum: index + 1,
    }));
    const wide = parts.map(({ message }, index) => ({
      short_message: { udh: Buffer.from([6, 8, 4, 2, 1, 3, index + 1]), message },
    }));
    const answers = await Promise.all([...sar, ...wide].map((fields) => client.submit(fields)));
    expect(answers.map(({ command_status }) => command_status)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await readBodies(db)).toEqual([text, text, text]);
    expect((await db.query("select from smpp_part_set")).rowCount).toBe(0);
    expect((await db.query("select from smpp_submit where message_id is not null")).rowCount).toBe(9);
  });

  test("is refused at its last part when the units do not suffice, and taken when they do", async ({
    db,
    deps,
    startAccess,
    connect,
  }) => {
    const { user, ...key } = await buildSmppSender(db, deps, { balanceMilli: 6_000 });
    const { port } = await startAccess();
    const client = await connect(port);
    await client.ask("bind_transceiver", credentials(key));
    const parts = cutWithHeader(octets, 153, 9);
    const statuses: number[] = [];
    for (const { udh, message } of parts)
      statuses.push((await client.submit({ short_message: { udh, message } })).command_status);
    expect(statuses).toEqual([0, 0, ownStatus.unitsRequired]);
    expect(await readBodies(db)).toEqual([]);
    await topUpUser(db, user.userId, 3_000);
    const last = parts[2];
    expect((await client.submit({ short_message: { udh: last?.udh, message: last?.message } })).command_status).toBe(0);
    expect(await readBodies(db)).toEqual([text]);
    // A part of what cannot be sent is refused at once.
    const wrong = await client.submit({
      short_message: { udh: parts[0]?.udh, message: parts[0]?.message },
      source_addr: "Nobody",
    });
    expect(wrong.command_status).toBe(commandStatus.ESME_RINVSRCADR);
  });

  test("the same reference with another text is another message", async ({ db, deps, startAccess, connect }) => {
    const key = await buildSmppSender(db, deps);
    const { port } = await startAccess();
    const client = await connect(port);
    await client.ask("bind_transceiver", credentials(key));
    const [old, next] = [
      cutWithHeader(octets, 153, 1),
      cutWithHeader(Buffer.from(encodeGsm7Unpacked(text.toUpperCase())), 153, 1),
    ];
    for (const { udh, message } of [...old.slice(0, 2), ...next])
      expect((await client.submit({ short_message: { udh, message } })).command_status).toBe(0);
    expect(await readBodies(db)).toEqual([text.toUpperCase()]);
    expect((await db.query("select from smpp_part")).rowCount).toBe(2);
  });
});

describe("a key of ours in TLV 0x1401", () => {
  smpp.addTLV("idempotency_key", { id: IDEMPOTENCY_KEY_TAG, type: smpp.types.tlv.string });

  test("makes 50 parallel retries one message, over several binds and hosts, and afterwards, too", async ({
    db,
    deps,
    startAccess,
    connect,
  }) => {
    const { user, ...key } = await buildSmppSender(db, deps);
    const hosts = [await startAccess(), await startAccess()];
    const clients = await Promise.all(
      [...hosts, ...hosts].map(async ({ port }) => {
        const client = await connect(port);
        await client.ask("bind_transmitter", credentials(key));
        return client;
      }),
    );
    const submit = { short_message: "Once", idempotency_key: "order-1" };
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => await clients[index % clients.length]?.submit(submit)),
    );
    expect(new Set(answers.map((answer) => answer?.command_status))).toEqual(new Set([0]));
    const ids = new Set(answers.map((answer) => answer?.message_id));
    expect(ids.size).toBe(1);
    const [client] = clients;
    // With its NUL it is the same key, and a relative time counts from each retry.
    expect(await client?.submit({ short_message: "Once", idempotency_key: "order-1\0" })).toMatchObject({
      command_status: 0,
      message_id: [...ids][0],
    });
    expect(await readBodies(db)).toEqual(["Once"]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 });

    const statusOf = async (fields: Record<string, unknown>): Promise<number | undefined> =>
      (await client?.submit({ short_message: "Once", ...fields }))?.command_status;
    expect(await statusOf({ idempotency_key: "order-1", short_message: "Twice" })).toBe(ownStatus.keyOfAnother);
    expect(await statusOf({ idempotency_key: "order-1", destination_addr: "2348030000009" })).toBe(
      ownStatus.keyOfAnother,
    );
    for (const wrong of ["", "two words", "x".repeat(201), "é"])
      expect(await statusOf({ idempotency_key: wrong })).toBe(commandStatus.ESME_RINVOPTPARAMVAL);
    expect(await readBodies(db)).toEqual(["Once"]);

    // What was refused keeps no key; another customer's is another key, and a test key's as well.
    expect(await statusOf({ idempotency_key: "order-2", source_addr: "Nobody" })).toBe(commandStatus.ESME_RINVSRCADR);
    expect(await statusOf({ idempotency_key: "order-2" })).toBe(0);
    for (const stranger of [await buildSmppSender(db, deps), await buildKey(deps, user, { mode: "test" })]) {
      const other = await connect(hosts[0]?.port ?? 0);
      await other.ask("bind_transmitter", credentials(stranger));
      const answer = await other.submit({ ...submit, short_message: "Another" });
      expect(answer.command_status).toBe(0);
      expect(ids.has(answer.message_id)).toBe(false);
    }
    expect((await readBodies(db)).toSorted()).toEqual(["Another", "Another", "Once", "Once"]);
  });

  test("may stand in all parts of a long message, which comes again as a whole", async ({
    db,
    deps,
    startAccess,
    connect,
  }) => {
    const key = await buildSmppSender(db, deps);
    const { port } = await startAccess();
    const client = await connect(port);
    await client.ask("bind_transceiver", credentials(key));
    const text = "x".repeat(200);
    const sendAll = async (reference: number): Promise<(string | undefined)[]> => {
      const ids: (string | undefined)[] = [];
      for (const { udh, message } of cutWithHeader(Buffer.from(text), 100, reference)) {
        const answer = await client.submit({ short_message: { udh, message }, idempotency_key: "long" });
        expect(answer.command_status).toBe(0);
        ids.push(answer.message_id);
      }
      return ids;
    };
    const first = await sendAll(1);
    expect(new Set(first).size).toBe(2);
    // Another reference, as clients count them up.
    expect(await sendAll(2)).toEqual(first);
    expect(await readBodies(db)).toEqual([text]);
    expect((await db.query("select from smpp_part")).rowCount).toBe(0);
  });
});

test("service_type TRANS is the class transactional, for whom an administrator allowed it", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const { user, ...key } = await buildSmppSender(db, deps);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transmitter", credentials(key));
  const statusOf = async (serviceType: string): Promise<number> =>
    (await client.submit({ short_message: "Code", service_type: serviceType })).command_status;
  expect(await statusOf("TRANS")).toBe(commandStatus.ESME_RINVSERTYP);
  expect(await countTraces(db)).toBe(0);
  await db.query("update app_user set may_send_transactional = true where user_id = $1", [user.userId]);
  for (const serviceType of ["", "CMT", "PROMO", "trans", "TRANS"]) expect(await statusOf(serviceType)).toBe(0);
  const { rows } = await db.query<{ isTransactional: boolean }>(
    `select is_transactional as "isTransactional" from message order by created_at, message_id`,
  );
  expect(rows.map(({ isTransactional }) => isTransactional)).toEqual([false, false, false, true, true]);
});

test("blocked, a customer's submits are refused", async ({ db, deps, startAccess, connect }) => {
  const user = await buildSender(db);
  const key = await buildKey(deps, user);
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(key));
  await db.query("update app_user set blocked_at = now()");
  expect((await client.submit({ short_message: "Hello" })).command_status).toBe(commandStatus.ESME_RSUBMITFAIL);
  const next = await connect(port);
  expect((await next.ask("bind_transceiver", credentials(key))).command_status).toBe(commandStatus.ESME_RBINDFAIL);
});

test("a test key sends to the numbers of test mode, from any name, and holds nothing; a live key refuses them", async ({
  db,
  deps,
  startAccess,
  connect,
}) => {
  const { user, ...live } = await buildSmppSender(db, deps, { balanceMilli: 0 });
  const tried = await buildKey(deps, user, { mode: "test" });
  const { port } = await startAccess();
  const client = await connect(port);
  await client.ask("bind_transceiver", credentials(tried));
  const statusOf = async (ending: string): Promise<number> =>
    (await client.submit({ short_message: "Try", source_addr: "Anybody", destination_addr: `23480000000${ending}` }))
      .command_status;
  expect([await statusOf("01"), await statusOf("02"), await statusOf("07")]).toEqual([0, 0, 0]);
  expect([
    await statusOf("04"),
    await statusOf("08"),
    await statusOf("09"),
    await statusOf("10"),
    await statusOf("11"),
  ]).toEqual([
    ownStatus.dndListed,
    ownStatus.optedOut,
    ownStatus.dayLimitReached,
    commandStatus.ESME_RTHROTTLED,
    ownStatus.contentRefused,
  ]);
  const { rows } = await db.query("select is_test as test, origin from message");
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ test: true, origin: "smpp" })));
  expect((await db.query("select from hold")).rowCount).toBe(0);
  const real = await connect(port);
  await real.ask("bind_transceiver", credentials(live));
  const refused = await real.submit({ short_message: "Try", destination_addr: "2348000000001" });
  expect(refused.command_status).toBe(commandStatus.ESME_RINVDSTADR);
});

// Goal: the last two parts that two hosts take at once make one message. Method: the second is stored while the first's transaction is open.
test("of two hosts that take the last two parts at once, the second completes the message", async ({ db, deps }) => {
  const { user, ...key } = await buildSmppSender(db, deps);
  const [program] = await findLiveKeys(deps, [key.keyId]);
  if (program === undefined) throw new Error("the key is there");
  const open = (part: { udh: Buffer; message: Buffer }): OpenSubmit => ({
    key: program,
    clientAddress: "127.0.0.1",
    submit: {
      source: { ton: 5, npi: 0, address: "Acme Ltd" },
      destination: { ton: 1, npi: 1, address: NUMBER },
      serviceType: "",
      esmClass: 0x40,
      registeredDelivery: 1,
      dataCoding: 0,
      scheduleDeliveryTime: "",
      validityPeriod: "",
      sar: undefined,
      body: Buffer.concat([part.udh, part.message]),
    } as unknown as OpenSubmit["submit"],
  });
  const parts = cutWithHeader(Buffer.from("x".repeat(200)), 100, 5);
  const accept = (index: number) => (tx: Tx) =>
    acceptGroup(deps, tx, { userId: user.userId, rates: DEFAULT_RATES }, parts.slice(index, index + 1).map(open));
  const results = await overlap(db, accept(0), accept(1));
  expect(results).toMatchObject([
    { status: "fulfilled", value: [{ kind: "accepted" }] },
    { status: "fulfilled", value: [{ kind: "accepted" }] },
  ]);
  expect(await readBodies(db)).toEqual(["x".repeat(200)]);
});
