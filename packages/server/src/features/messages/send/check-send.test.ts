import { type SendBody } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";
import {
  buildApprovedAddress,
  buildDailyLimit,
  buildPhoneNos,
  buildSendBody,
  buildSender,
  buildSenderName,
} from "../../../testing/messages-factories.ts";
import type { Caller } from "./check-send.ts";
import { readSendFields } from "../read-body/read-send.ts";
import { sendMessage } from "./send-message.ts";
import { send, type Refusal } from "../testing/ask-to-send.ts";

describe("sender names and addresses", () => {
  test.for(["acme ltd", "Acme Ltd ", "Acme  Ltd", "AcmeLtd", "Acme_Ltd"])(
    "%j is not Acme Ltd",
    async (senderName, { app, db, signInAs }) => {
      const user = await buildSender(db);
      const response = await send(app, user, await signInAs(user), buildSendBody({ senderName }));
      expect([response.statusCode, response.json<Refusal>().code]).toEqual([409, "SENDER_NOT_APPROVED"]);
    },
  );

  test("another customer's name is not one's own", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    await buildSenderName(db, { userId: (await buildUser(db)).userId, name: "Other Shop" });
    expect((await send(app, user, await signInAs(user), buildSendBody({ senderName: "Other Shop" }))).statusCode).toBe(
      409,
    );
  });

  const run = async (db: Db, deps: Parameters<typeof sendMessage>[0], caller: Caller) => {
    const read = readSendFields(buildSendBody());
    if (read.kind === "wrong") throw new Error("the factory's body is wrong");
    return await withTransaction(db, (tx) => sendMessage(deps, tx, caller, read.value));
  };

  test("the GET form needs an approved address, in whatever form the socket shows it", async ({ db, deps }) => {
    const user = await buildSender(db);
    const caller = { userId: user.userId, via: "form", clientAddress: "::ffff:203.0.113.7" } as const;
    await expect(run(db, deps, caller)).rejects.toMatchObject({ code: "ADDRESS_NOT_APPROVED" });
    await buildApprovedAddress(db, { ...user, address: "203.0.113.8" });
    await expect(run(db, deps, caller)).rejects.toMatchObject({ code: "ADDRESS_NOT_APPROVED" });
    await buildApprovedAddress(db, { ...user, address: "203.0.113.7" });
    expect(await run(db, deps, caller)).toMatchObject({ kind: "sent" });
  });

  test("the dashboard needs one only when it is restricted and there is one", async ({ db, deps }) => {
    const free = await buildSender(db);
    const restricted = await buildSender(db, { isAddressRestricted: true });
    const callerOf = (user: BuiltUser) =>
      ({ userId: user.userId, via: "dashboard", clientAddress: "198.51.100.1" }) as const;
    await buildApprovedAddress(db, { ...free, address: "203.0.113.7" });
    expect(await run(db, deps, callerOf(free))).toMatchObject({ kind: "sent" });
    expect(await run(db, deps, callerOf(restricted))).toMatchObject({ kind: "sent" });
    await buildApprovedAddress(db, { ...restricted, address: "203.0.113.7" });
    await expect(run(db, deps, callerOf(restricted))).rejects.toMatchObject({ code: "ADDRESS_NOT_APPROVED" });
  });
});

describe("daily limits", () => {
  test("hold for one customer and country, and begin again with the day of Lagos", async ({
    app,
    db,
    signInAs,
    clock,
  }) => {
    const user = await buildSender(db, { balanceMilli: 1_000_000 });
    await buildDailyLimit(db, { ...user, recipientsMax: 3 });
    const headers = await signInAs(user);
    const trySend = async (facts: Partial<SendBody>) =>
      (await send(app, user, headers, buildSendBody(facts))).statusCode;
    expect(await trySend({ phoneNo: buildPhoneNos(4) })).toBe(402);
    expect(await trySend({ phoneNo: buildPhoneNos(2) })).toBe(200);
    expect(await trySend({ phoneNo: buildPhoneNos(2) })).toBe(402);
    expect(await trySend({ phoneNo: buildPhoneNos(1) })).toBe(200);
    expect(await trySend({ phoneNo: buildPhoneNos(1) })).toBe(402);
    expect(await trySend({ code: "254", phoneNo: "254712345678" })).toBe(200);
    // The session outlives the test's day, not the customer's patience.
    clock.advance(10 * 60_000);
    await db.query("update daily_cap set day = day - 1");
    expect(await trySend({ phoneNo: buildPhoneNos(3) })).toBe(200);
  });

  test("a send that is refused afterwards is not counted", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 3_000 });
    await buildDailyLimit(db, { ...user, recipientsMax: 2 });
    const headers = await signInAs(user);
    expect((await send(app, user, headers, buildSendBody({ phoneNo: buildPhoneNos(2) }))).json<Refusal>().code).toBe(
      "UNITS_REQUIRED",
    );
    expect((await db.query<{ recipients_used: number }>("select recipients_used from daily_cap")).rows).toEqual([
      { recipients_used: 0 },
    ]);
  });
});
