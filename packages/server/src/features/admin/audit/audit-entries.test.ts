import type { AuditEntryAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";

const url = "/api/view-audit-entries";

describe("refusals", () => {
  test("no session, a customer, and a cursor that is none", async ({ app, db, signInAs }) => {
    expect((await app.inject({ method: "GET", url })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(
      (await app.inject({ method: "GET", url, headers: await signInAs(await buildUser(db)) })).json(),
    ).toMatchObject({ code: "FORBIDDEN" });
    const headers = await signInAs(await buildAdmin(db));
    expect((await app.inject({ method: "GET", url: `${url}?after=7`, headers })).json()).toMatchObject({
      code: "VALIDATION",
    });
    expect((await app.inject({ method: "GET", url: `${url}?adminId=7`, headers })).json()).toMatchObject({
      code: "VALIDATION",
    });
  });
});

test("newest first, page by page, by action, by administrator and by what it was done to", async ({
  app,
  db,
  deps,
  clock,
  signInAs,
}) => {
  const [admin, other, user] = [await buildAdmin(db, { adminName: "Ada" }), await buildAdmin(db), await buildUser(db)];
  const write = async (adminId: string, action: string, subjectId?: string): Promise<void> => {
    clock.advance(1_000);
    await withTransaction(db, async (tx) => {
      await deps.recordAudit(tx, {
        adminId,
        action,
        clientAddress: "192.0.2.7",
        ...(subjectId !== undefined && { subjectId, after: { units: 5 } }),
      });
    });
  };
  await write(admin.id, "block-user", user.id);
  await write(other.id, "credit-a-user", user.id);
  await write(admin.id, "credit-a-user");

  const headers = await signInAs(admin);
  const read = async (query: string): Promise<{ data: AuditEntryAnswer[]; next: string | null }> =>
    (await app.inject({ method: "GET", url: `${url}${query}`, headers })).json();
  const first = await read("?limit=2");
  expect(first.data.map(({ action, adminID }) => [action, adminID])).toEqual([
    ["credit-a-user", admin.id],
    ["credit-a-user", other.id],
  ]);
  const second = await read(`?limit=2&after=${first.next}`);
  expect(second).toMatchObject({
    data: [{ action: "block-user", adminName: "Ada", address: "192.0.2.7", subjectID: user.id, after: { units: 5 } }],
    next: null,
  });
  expect((await read("?action=block-user")).data).toHaveLength(1);
  expect((await read(`?adminId=${other.id}`)).data).toHaveLength(1);
  expect((await read(`?subjectId=${user.id}`)).data).toHaveLength(2);
});
