import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { readBalance } from "../../../ledger/index.ts";
import { addDndNumbers } from "../../delivery/index.ts";
import { topUpUser } from "../../../testing/ledger-factories.ts";
import { expect, overlap, test } from "../../../testing/app.ts";
import { buildPhoneNos, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { readSendFields } from "../read-body/read-send.ts";
import { presentSent } from "./present-send.ts";
import { sendMessage, sendOnce } from "./send-message.ts";
import { send, type Refusal } from "../testing/ask-to-send.ts";

describe("Idempotency-Key", () => {
  test("the same request again gets the first answer and sends nothing, also when it could not be sent any more", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 3_000 });
    const headers = { ...(await signInAs(user)), "idempotency-key": "composed-1" };
    const first = await send(app, user, headers, buildSendBody());
    await db.query("delete from sender_name");
    const again = await send(app, user, headers, buildSendBody());
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect((await db.query("select from message")).rowCount).toBe(1);
  });

  test("another body under the same key is refused, another customer's key is their own", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other] = [await buildSender(db), await buildSender(db, { hasCarrier: false })];
    const key = { "idempotency-key": "composed-1" };
    const headers = { ...(await signInAs(user)), ...key };
    expect((await send(app, user, headers, buildSendBody())).statusCode).toBe(200);
    for (const change of [
      { message: "Good night" },
      { phoneNo: "2348030000002" },
      { code: "44", phoneNo: "447911123456" },
    ]) {
      const refused = await send(app, user, headers, buildSendBody(change));
      expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([422, "IDEMPOTENCY_CONFLICT"]);
    }
    expect((await send(app, other, { ...(await signInAs(other)), ...key }, buildSendBody())).statusCode).toBe(200);
    expect((await db.query("select from message")).rowCount).toBe(2);
  });

  // Goal: a repeat over an upgrade gets its first answer and sends nothing. Method: the row is turned into what the release before wrote.
  test("an answer that the release before stored is given again", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    await addDndNumbers(db, { phoneNos: [2348030000001], source: "admin" });
    const headers = { ...(await signInAs(user)), "idempotency-key": "composed-1" };
    const payload = buildSendBody({ phoneNo: buildPhoneNos(2) });
    const first = await send(app, user, headers, payload);
    expect(first.statusCode).toBe(503);
    await db.query("update idempotent_answer set status = 503, body = $1", [first.body]);
    const again = await send(app, user, headers, payload);
    expect([again.statusCode, again.body]).toEqual([503, first.body]);
    expect((await db.query("select from message")).rowCount).toBe(1);
  });

  test("a refused request leaves its key free", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 0 });
    const headers = { ...(await signInAs(user)), "idempotency-key": "composed-1" };
    expect((await send(app, user, headers, buildSendBody())).statusCode).toBe(401);
    await topUpUser(db, user.userId, 3_000);
    expect((await send(app, user, headers, buildSendBody())).statusCode).toBe(200);
  });

  // Goal: a double click sends once. Method: the second request starts while the first is done and uncommitted.
  test("a double click: the second waits for the first and gets its outcome", async ({ app, db, deps, signInAs }) => {
    const user = await buildSender(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "composed-1" };
    const read = readSendFields(buildSendBody());
    if (read.kind === "wrong") throw new Error("the factory's body is wrong");
    const caller = { userId: user.userId, via: "dashboard", clientAddress: "127.0.0.1" } as const;
    const key = {
      userId: user.userId,
      scope: "send-bulk-sms",
      key: "composed-1",
      fingerprint: read.value.fingerprint,
    } as const;
    const [first, second] = await overlap(
      db,
      (tx) => sendOnce(tx, key, () => sendMessage(deps, tx, caller, read.value)),
      async () => await send(app, user, headers, buildSendBody()),
    );
    if (first.status !== "fulfilled" || second.status !== "fulfilled") throw new Error("both must be answered");
    expect([second.value.statusCode, second.value.json()]).toEqual(Object.values(presentSent(first.value)));
    expect((await db.query("select from message")).rowCount).toBe(1);
  });

  test("20 clicks at once send once", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": uuidv7() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(app, user, headers, buildSendBody())));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect((await db.query("select from message")).rowCount).toBe(1);
  });
});

describe("at the same time", () => {
  test("1,000 sends on a balance for 33: exactly 33 are taken, the others are told to buy units", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 100_000 });
    const headers = await signInAs(user);
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => send(app, user, headers, buildSendBody())));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 401).length,
    ]).toEqual([33, 967]);
    expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 100_000, heldMilli: 99_000, freeMilli: 1_000 });
    expect((await db.query("select from message")).rowCount).toBe(33);
  }, 60_000);

  test.extend({ environment: { RATE_LIMITS: "on" } })(
    "more sends a second than administrators allow are refused, without a look at the body",
    async ({ app, db, signInAs }) => {
      const user = await buildSender(db);
      await db.query("update app_user set calls_per_second = 4 where user_id = $1", [user.userId]);
      const headers = await signInAs(user);
      const statuses: number[] = [];
      for (let index = 0; index < 4; index += 1)
        statuses.push((await send(app, user, headers, buildSendBody())).statusCode);
      expect([...statuses, (await send(app, user, headers, {})).statusCode]).toEqual([200, 200, 200, 200, 429]);
    },
  );
});
