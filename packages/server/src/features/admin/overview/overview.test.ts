import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { OverviewAnswer, OverviewCharts } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import { foldCounters, readCounter } from "../../../db/counters.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { chargeHolds, holdUnits, topUpUnits } from "../../../ledger/index.ts";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildCatalog } from "../../../testing/contacts-factories.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { buildDraft } from "../../../testing/messages-factories.ts";
import { hideMessageRow, updateMessageState } from "../../delivery/queue/message-store.ts";
import { messageStateNumbers } from "../../delivery/states.ts";
import { deleteDraft } from "../../messages/drafts/drafts.ts";
import { refreshOverview } from "./refresh-overview.ts";

const test = base.extend<{ cards: () => Promise<OverviewAnswer>; charts: (query?: string) => Promise<OverviewCharts> }>(
  {
    cards: async ({ app, db, signInAs }, use) => {
      const admin = await buildAdmin(db);
      await use(async () => {
        const answer = await app.inject({ method: "GET", url: "/api/view-overview", headers: await signInAs(admin) });
        return answer.json<{ data: OverviewAnswer }>().data;
      });
    },
    charts: async ({ app, db, signInAs }, use) => {
      const admin = await buildAdmin(db);
      await use(async (query = "") => {
        const answer = await app.inject({
          method: "GET",
          url: `/api/view-overview-charts${query}`,
          headers: await signInAs(admin),
        });
        return answer.json<{ data: OverviewCharts }>().data;
      });
    },
  },
);

/** What became of recipients, as a worker's flush writes it. */
async function addDeliveries(db: Db, deliveries: { phoneNo: number; state: number; at: Date }[]): Promise<void> {
  const firstMs = Math.min(...deliveries.map(({ at }) => at.getTime()));
  const message = await buildMessage(db, { createdAt: new Date(firstMs) });
  for (const [position, { phoneNo, state, at }] of deliveries.entries()) {
    await db.query(
      `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`,
      [message.userId, message.messageId, position, phoneNo, state, at],
    );
  }
}

describe("the overview", () => {
  test.for(["/api/view-overview", "/api/view-overview-charts"])(
    "%s is for administrators alone",
    async (url, { app, db, signInAs }) => {
      const ask = async (headers = {}): Promise<[number, string]> => {
        const answer = await app.inject({ method: "GET", url, headers });
        return [answer.statusCode, answer.json<{ code: string }>().code];
      };
      expect(await ask()).toEqual([401, "AUTH_REQUIRED"]);
      expect(await ask(await signInAs(await buildUser(db)))).toEqual([403, "FORBIDDEN"]);
    },
  );

  test("knows three ranges of days", async ({ app, db, signInAs }) => {
    const headers = await signInAs(await buildAdmin(db));
    for (const days of ["0", "8", "30d", "-7", "1000000"]) {
      const answer = await app.inject({ method: "GET", url: `/api/view-overview-charts?days=${days}`, headers });
      expect(answer.json()).toMatchObject({ code: "VALIDATION", fields: { days: expect.any(String) as string } });
    }
  });
});

describe("the cards", () => {
  test("of an empty business are zeros", async ({ cards }) => {
    const waiting = {
      deposits: 0,
      requests: 0,
      approvals: 0,
      disputes: 0,
      held: 0,
      reviews: 0,
      alarms: 0,
      oldestAt: null,
    };
    expect(await cards()).toEqual({
      registeredUsers: 0,
      units: 0,
      transactions: 0,
      successfulSms: 0,
      draftedSms: 0,
      activeUsers: 0,
      contactLists: 0,
      reviews: 0,
      deferred: { messages: 0, recipients: 0 },
      waiting,
    });
  });

  test("count customers, units, sent messages, drafts and who is signed in", async ({ db, cards, clock, signInAs }) => {
    const [ada, bola] = [await buildFundedUser(db, { unitsMilli: 100_500 }), await buildUser(db)];
    await signInAs(bola);
    clock.advance(21 * 60_000);
    // Two browsers are one customer, and a session that was left alone is none.
    await signInAs(ada);
    await signInAs(ada);
    const { messageId } = await buildMessage(db, { userId: ada.userId, recipientCount: 2 });
    await buildMessage(db, { userId: ada.userId, recipientCount: 1 });
    await buildMessage(db, {
      userId: ada.userId,
      recipientCount: 1,
      sendAt: new Date(Date.now() + 3_600_000),
      timeZone: "Africa/Lagos",
    });
    for (let index = 0; index < 3; index += 1) await buildDraft(db, { userId: bola.userId });
    const { adminId } = await buildAdmin(db);
    for (const facts of [{}, { state: "declined" as const }, { isHidden: true }])
      await buildDeposit(db, { userId: ada.userId, adminId, ...facts });
    await buildCatalog(db, { userId: bola.userId });
    // Held units are not theirs to spend any more: 100.5 less 3 for each of four recipients.
    expect(await cards()).toMatchObject({
      registeredUsers: 2,
      units: 88.5,
      transactions: 3,
      contactLists: 1,
      successfulSms: 2,
      draftedSms: 3,
      activeUsers: 1,
    });
    await withTransaction(db, (tx) => hideMessageRow(tx, { userId: ada.userId, messageId }, new Date()));
    await db.query("delete from draft where draft_id = (select min(draft_id::text)::uuid from draft)");
    expect(await cards()).toMatchObject({ successfulSms: 1, draftedSms: 2 });
  });
});

describe("a counter", () => {
  test("is exact before and after it is added up, also twice and at once", async ({ db }) => {
    const { userId } = await buildUser(db);
    const draftId = await buildDraft(db, { userId });
    await buildDraft(db, { userId });
    expect(await readCounter(db, "drafts")).toBe(2);
    await Promise.all([foldCounters(db), foldCounters(db)]);
    expect(await readCounter(db, "drafts")).toBe(2);
    await db.query("delete from draft where draft_id = $1", [draftId]);
    expect(await readCounter(db, "drafts")).toBe(1);
    await foldCounters(db);
    await foldCounters(db);
    expect(await readCounter(db, "drafts")).toBe(1);
    expect((await db.query("select from tally_change")).rowCount).toBe(0);
  });

  test("does not count what was rolled back, and a scheduled message when it starts", async ({ db }) => {
    const key = await buildMessage(db, { sendAt: new Date(Date.now() + 3_600_000), timeZone: "Africa/Lagos" });
    const start = async (tx: Tx): Promise<void> =>
      await updateMessageState(tx, key, messageStateNumbers.sending, new Date());
    expect(await readCounter(db, "messages")).toBe(0);
    await expect(
      withTransaction(db, async (tx) => {
        await start(tx);
        throw new Error("not after all");
      }),
    ).rejects.toThrow("not after all");
    expect(await readCounter(db, "messages")).toBe(0);
    await withTransaction(db, start);
    await withTransaction(db, (tx) => updateMessageState(tx, key, messageStateNumbers.paused, new Date()));
    expect(await readCounter(db, "messages")).toBe(1);
  });

  test("makes nobody wait: two customers' changes overlap", async ({ db, deps }) => {
    const [ada, bola] = [await buildUser(db), await buildUser(db)];
    const [adas, bolas] = [await buildDraft(db, { userId: ada.userId }), await buildDraft(db, { userId: bola.userId })];
    await foldCounters(db);
    let isWaiting = true;
    const drop = (draftId: string) => async (tx: Tx) =>
      await tx.query("delete from draft where draft_id = $1", [draftId]);
    await overlap(db, drop(adas), async () => {
      await deleteDraft(deps, { userId: bola.userId, draftId: bolas });
      isWaiting = false;
    });
    expect(isWaiting).toBe(false);
    expect(await readCounter(db, "drafts")).toBe(0);
  });
});

describe("the charts", () => {
  // Noon in Lagos, so that today has hours before it.
  const noon = new Date("2026-11-20T11:00:00Z");
  const at = (hoursBack: number): Date => new Date(noon.getTime() - hoursBack * 3_600_000);
  const setClock = (clock: { now: () => Date; advance: (ms: number) => void }): void =>
    clock.advance(noon.getTime() - clock.now().getTime());

  test("before anything was added up show every day, empty", async ({ charts, clock }) => {
    setClock(clock);
    const { days, networks, topCustomers, asOf } = await charts("?days=7");
    expect(days.map(({ day }) => day)).toEqual([
      "2026-11-14",
      "2026-11-15",
      "2026-11-16",
      "2026-11-17",
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
    ]);
    expect(days.every(({ outcomes, unitsSold, unitsUsed }) => unitsSold + unitsUsed + outcomes.sent === 0)).toBe(true);
    expect([networks, topCustomers, asOf]).toEqual([[], [], null]);
    expect((await charts()).days).toHaveLength(30);
  });

  test("show recipients by the day of Lagos and by network, however often they are added up", async ({
    db,
    deps,
    clock,
    charts,
  }) => {
    setClock(clock);
    await addDeliveries(db, [
      { phoneNo: 2_348_031_234_567, state: 2, at: at(1) },
      { phoneNo: 2_348_031_234_568, state: 1, at: at(11.5) }, // Half past midnight in Lagos, an hour earlier in UTC.
      { phoneNo: 2_347_025_000_000, state: 3, at: at(13.5) },
      { phoneNo: 2_348_021_234_567, state: 4, at: at(2) },
      { phoneNo: 447_700_900_000, state: 5, at: at(2) },
      { phoneNo: 2_346_000_000_000, state: 2, at: at(24 * 40) },
    ]);
    for (let run = 0; run < 2; run += 1) await refreshOverview(deps);
    const { days, networks, asOf } = await charts("?days=7");
    expect(days.at(-1)).toMatchObject({
      day: "2026-11-20",
      outcomes: { sent: 1, delivered: 1, failed: 0, dnd: 1, unknown: 1 },
    });
    expect(days.at(-2)).toMatchObject({
      day: "2026-11-19",
      outcomes: { sent: 0, delivered: 0, failed: 1, dnd: 0, unknown: 0 },
    });
    expect(networks).toEqual([
      { network: "MTN", outcomes: { sent: 1, delivered: 1, failed: 1, dnd: 0, unknown: 0 } },
      { network: "Abroad", outcomes: { sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 1 } },
      { network: "Airtel", outcomes: { sent: 0, delivered: 0, failed: 0, dnd: 1, unknown: 0 } },
    ]);
    expect(asOf).toBe(noon.toISOString());
    expect((await charts("?days=90")).networks).toContainEqual({
      network: "Other networks",
      outcomes: { sent: 0, delivered: 1, failed: 0, dnd: 0, unknown: 0 },
    });
  });

  test("follow reports: at once for the last hours, within the hour for those of days ago, within the day for the last", async ({
    db,
    deps,
    clock,
    charts,
  }) => {
    setClock(clock);
    await addDeliveries(db, [
      { phoneNo: 2_348_031_234_567, state: 1, at: at(0) },
      { phoneNo: 2_348_031_234_568, state: 1, at: at(70) },
      { phoneNo: 2_348_031_234_569, state: 1, at: at(9.5 * 24) },
    ]);
    await refreshOverview(deps);
    await db.query("update delivery set state = 2");
    clock.advance(60_000);
    await refreshOverview(deps);
    const delivered = async (): Promise<number[]> =>
      (await charts("?days=30")).days.map(({ outcomes }) => outcomes.delivered).filter((count) => count > 0);
    expect(await delivered()).toEqual([1]);
    clock.advance(3_600_000);
    await refreshOverview(deps);
    expect(await delivered()).toEqual([1, 1]);
    clock.advance(12 * 3_600_000);
    await refreshOverview(deps);
    expect(await delivered()).toEqual([1, 1, 1]);
  });

  test("show units that were sold and used, and who used the most", async ({ db, deps, charts }) => {
    const [ada, bola, idle] = [
      await buildFundedUser(db, { unitsMilli: 100_000 }),
      await buildFundedUser(db, { unitsMilli: 20_000 }),
      await buildFundedUser(db, { unitsMilli: 500 }),
    ];
    for (const [{ userId }, amountMilli] of [
      [ada, 9_000],
      [bola, 12_000],
    ] as const) {
      const holdId = uuidv7();
      await withTransaction(db, (tx) => holdUnits(tx, { userId, holdId, amountMilli: 15_000 }));
      await withTransaction(db, (tx) => chargeHolds(tx, [{ userId, holdId, amountMilli }]));
    }
    await refreshOverview(deps);
    await withTransaction(db, (tx) =>
      topUpUnits(tx, { userId: idle.userId, amountMilli: 1_000, source: "manual", reference: uuidv7() }),
    );
    await refreshOverview(deps);
    const { days, topCustomers } = await charts("?days=7");
    expect(days.at(-1)).toMatchObject({ unitsSold: 121.5, unitsUsed: 21 });
    expect(topCustomers.map(({ _id, email, unitsUsed }) => [_id, email, unitsUsed])).toEqual([
      [bola.userId, bola.email, 12],
      [ada.userId, ada.email, 9],
    ]);
  });

  test("added up by two workers at once are right", async ({ db, deps, clock, charts }) => {
    setClock(clock);
    await addDeliveries(db, [{ phoneNo: 2_348_031_234_567, state: 2, at: at(1) }]);
    await Promise.all([refreshOverview(deps), refreshOverview(deps)]);
    expect((await charts("?days=7")).days.at(-1)?.outcomes.delivered).toBe(1);
  });
});
