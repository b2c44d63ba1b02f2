import type { MessageAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildAdmin, type BuiltUser, buildMember } from "../../../testing/factories.ts";
import { buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { approveMessage } from "../../delivery/index.ts";

type Answer = { status: number; code?: string; message: string; data: { _id: string; state?: string } };
type Method = "GET" | "POST" | "PATCH";

const THREE = "2348031234567,2348031234568,2348031234569";

const test = base.extend<{
  account: BuiltUser;
  people: Record<"viewer" | "sender" | "approver", BuiltUser & { memberId: string }>;
  /** A call about the account, by one of its people. */
  act: (as: BuiltUser, method: Method, path: string, payload?: object, headers?: object) => Promise<Answer>;
  /** @returns the id of a message of the sender's that waits. */
  sendAndWait: (fields?: object) => Promise<string>;
  waiting: () => Promise<MessageAnswer[]>;
  freeUnits: () => Promise<number>;
}>({
  account: async ({ db }, use) => {
    const account = await buildSender(db, { email: "owner@gmail.com" });
    await db.query("update app_user set approval_above = 2 where user_id = $1", [account.userId]);
    await use(account);
  },
  people: async ({ db, account: { userId: accountId } }, use) => {
    await use({
      viewer: await buildMember(db, { accountId, role: "viewer" }),
      sender: await buildMember(db, { accountId, role: "sender", fullName: "Ada Obi", email: "ada@gmail.com" }),
      approver: await buildMember(db, { accountId, role: "approver", fullName: "Bola Ade" }),
    });
  },
  act: async ({ app, account, signInAs }, use) => {
    await use(async (as, method, path, payload, headers = {}) => {
      const url = `/api/${account.userId}/${path}`;
      const answer = await app.inject({
        method,
        url,
        headers: { ...(await signInAs(as)), ...headers },
        ...(payload && { payload }),
      });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  sendAndWait: async ({ act, people }, use) => {
    await use(async (fields = {}) => {
      const sent = await act(people.sender, "POST", "send-bulk-sms", {
        ...buildSendBody({ phoneNo: THREE }),
        ...fields,
      });
      expect(sent).toMatchObject({ status: 202, data: { state: "review" } });
      return sent.data._id;
    });
  },
  waiting: async ({ act, people }, use) => {
    await use(async () => (await act(people.viewer, "GET", "approvals")).data as unknown as MessageAnswer[]);
  },
  freeUnits: async ({ db, account }, use) => {
    await use(async () => {
      const { rows } = await db.query<{ free: number }>(
        "select (balance_milli - held_milli)::float as free from ledger_account where user_id = $1",
        [account.userId],
      );
      return rows[0]?.free ?? 0;
    });
  },
});

test("the limit is the owner's to set, a whole number or none", async ({ act, account, people }) => {
  for (const who of Object.values(people))
    expect(await act(who, "PATCH", "approval-limit", { recipients: 5 })).toMatchObject({ status: 403 });
  for (const recipients of [-1, 1.5, "5", 1_000_001, undefined])
    expect(await act(account, "PATCH", "approval-limit", { recipients })).toMatchObject({ code: "VALIDATION" });
  expect(await act(account, "PATCH", "approval-limit", { recipients: 5, bogus: 1 })).toMatchObject({
    code: "VALIDATION",
  });
  expect(await act(account, "PATCH", "approval-limit", { recipients: 5 })).toMatchObject({
    status: 200,
    data: { recipients: 5 },
  });
  expect(await act(people.viewer, "GET", "approval-limit")).toMatchObject({ data: { recipients: 5 } });
  await act(account, "PATCH", "approval-limit", { recipients: null });
  expect(await act(people.sender, "POST", "send-bulk-sms", buildSendBody({ phoneNo: THREE }))).toMatchObject({
    status: 200,
  });
});

test("every way in of a sender waits above the limit, and of nobody else", async ({
  act,
  account,
  people,
  waiting,
  freeUnits,
}) => {
  const body = buildSendBody({ phoneNo: THREE });
  const two = buildSendBody({ phoneNo: "2348031234567,2348031234568" });
  for (const who of [account, people.approver])
    expect(await act(who, "POST", "send-bulk-sms", body)).toMatchObject({ status: 200 });
  expect(await act(people.sender, "POST", "send-bulk-sms", two)).toMatchObject({ status: 200 });
  expect(await act(people.sender, "POST", "send-bulk-sms", { ...body, dryRun: true })).toMatchObject({
    status: 200,
    message: expect.stringContaining("approver") as string,
  });
  const before = await freeUnits();
  const key = { "idempotency-key": uuidv7() };
  const first = await act(people.sender, "POST", "send-bulk-sms", body, key);
  expect(first).toMatchObject({ status: 202, data: { state: "review" } });
  expect(await act(people.sender, "POST", "send-bulk-sms", body, key)).toEqual(first);
  expect(await freeUnits()).toBe(before - 9_000);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const time = { ...key, "idempotency-key": uuidv7() };
  const scheduled = await act(
    people.sender,
    "POST",
    "schedule-sms",
    { ...body, sendAt, timeZone: "Africa/Lagos" },
    time,
  );
  expect(scheduled).toMatchObject({ status: 202, data: { state: "review" } });
  expect(await act(people.sender, "POST", "schedule-sms", { ...body, sendAt, timeZone: "Africa/Lagos" }, time)).toEqual(
    scheduled,
  );
  const draft = await act(people.sender, "POST", "draft-message", body);
  expect(await act(people.sender, "POST", `${draft.data._id}/send-draft-sms`, {})).toMatchObject({ status: 202 });
  expect(
    (await waiting()).map(({ sentBy, recipients, awaitsApproval }) => [sentBy, recipients, awaitsApproval]),
  ).toEqual([1, 2, 3].map(() => ["Ada Obi", 3, true]));
});

test("a scheduled message that its sender edits waits again; another's edit does not", async ({
  act,
  people,
  waiting,
}) => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { ...buildSendBody({ phoneNo: "2348031234567" }), sendAt, timeZone: "Africa/Lagos" };
  const { data } = await act(people.sender, "POST", "schedule-sms", body);
  const edit = (as: BuiltUser) => act(as, "PATCH", `${data._id}/edit-scheduled-sms`, { phoneNo: THREE });
  expect(await edit(people.approver)).toMatchObject({ status: 200, data: { _id: data._id } });
  expect(await waiting()).toEqual([]);
  expect(await edit(people.sender)).toMatchObject({ status: 200, data: { state: "review" } });
  expect(await waiting()).toMatchObject([{ _id: data._id, sentBy: "Ada Obi" }]);
  expect(await act(people.approver, "PATCH", `${data._id}/approve-message`)).toMatchObject({ status: 200 });
  expect(await act(people.viewer, "GET", `${data._id}/view-scheduled-sms`)).toMatchObject({
    data: { state: "scheduled" },
  });
});

test("an approver other than the sender decides, once; what is approved goes out under the sender's name", async ({
  app,
  db,
  act,
  account,
  people,
  sendAndWait,
  signInAs,
  waiting,
}) => {
  const messageId = await sendAndWait();
  const approve = (as: BuiltUser) => act(as, "PATCH", `${messageId}/approve-message`);
  for (const who of [people.viewer, people.sender]) expect(await approve(who)).toMatchObject({ status: 403 });
  const stranger = await buildSender(db);
  const elsewhere = await app.inject({
    method: "PATCH",
    url: `/api/${stranger.userId}/${messageId}/approve-message`,
    headers: await signInAs(stranger),
  });
  expect(elsewhere.statusCode).toBe(404);
  const admin = await buildAdmin(db);
  const release = async () =>
    (
      await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/${messageId}/release-message`,
        headers: await signInAs(admin),
      })
    ).json<{ code: string }>();
  expect(await release()).toMatchObject({ code: "STATE_CONFLICT" });
  const reviews = await app.inject({ url: "/api/view-reviews", headers: await signInAs(admin) });
  expect(reviews.json()).toMatchObject({ data: [] });
  await db.query("update account_member set role = 'approver' where member_id = $1", [people.sender.memberId]);
  expect(await approve(people.sender)).toMatchObject({ status: 409, code: "SAME_PERSON" });
  expect(await approve(people.approver)).toMatchObject({ status: 200 });
  expect(await approve(account)).toMatchObject({ status: 409, code: "ALREADY_DECIDED" });
  expect(await waiting()).toEqual([]);
  expect(await act(people.viewer, "GET", `${messageId}/view-one-sms`)).toMatchObject({
    data: { state: "sending", sentBy: "Ada Obi" },
  });
});

test("who may decide hears of it by one mail each, and the sender what came of it; files name the member", async ({
  app,
  db,
  act,
  account,
  people,
  mailsTo,
  sendAndWait,
  signInAs,
}) => {
  const blocked = await buildMember(db, { accountId: account.userId, role: "owner" });
  await db.query("update app_user set blocked_at = now() where user_id = $1", [blocked.userId]);
  const subjects = async ({ email }: { email: string }) => (await mailsTo(email)).map(({ subject }) => subject);
  const messageId = await sendAndWait();
  for (const who of [account, people.approver]) {
    expect(await subjects(who)).toEqual(["A message waits for your approval"]);
    const [mail] = await mailsTo(who.email);
    expect(mail?.text).toContain("Ada Obi wants to send a message as");
    expect(mail?.text).toContain("3 recipients");
    expect(mail?.text).toContain("/user-dashboard/approvals");
  }
  for (const who of [people.sender, people.viewer, blocked]) expect(await subjects(who)).toEqual([]);
  expect(await act(people.approver, "PATCH", `${messageId}/approve-message`)).toMatchObject({ status: 200 });
  expect(await subjects(people.sender)).toEqual(["Your message was approved"]);
  expect((await mailsTo(people.sender.email))[0]?.text).toContain("Bola Ade approved");
  // An approver's own message waits for nobody, and nobody is told.
  await act(people.approver, "POST", "send-bulk-sms", buildSendBody({ phoneNo: THREE }));
  expect(await subjects(account)).toHaveLength(1);
  const file = async (path: string): Promise<string[][]> => {
    const answer = await app.inject({ url: `/api/${account.userId}/${path}`, headers: await signInAs(account) });
    const [, ...lines] = answer.body.trimEnd().split("\r\n");
    return lines.map((line) => line.split(",").map((cell) => cell.replaceAll('"', "")));
  };
  expect((await file("populate-sms-history?format=csv")).map((cells) => cells.at(-1))).toEqual(["Bola Ade", "Ada Obi"]);
  const sent = (await file("statement?format=csv")).filter(([, cause]) => cause === "message");
  expect(sent.map((cells) => cells.at(-1))).toEqual(["Ada Obi", "Bola Ade"]);
});

test("what is refused gives its units back, and its sender a mail with the reason", async ({
  act,
  account,
  mailsTo,
  sendAndWait,
  freeUnits,
}) => {
  const before = await freeUnits();
  const messageId = await sendAndWait();
  expect(await act(account, "PATCH", `${messageId}/decline-message`, { reason: "Not this week" })).toMatchObject({
    status: 200,
  });
  expect(await freeUnits()).toBe(before);
  expect((await mailsTo("ada@gmail.com"))[0]?.text).toContain("Not this week");
  expect(await act(account, "GET", `${messageId}/view-one-sms`)).toMatchObject({ data: { state: "cancelled" } });
  expect(await act(account, "PATCH", `${messageId}/approve-message`)).toMatchObject({ code: "ALREADY_DECIDED" });
});

const withReview = test.extend({ environment: { REVIEW_ABOVE: "2" } });

withReview(
  "what an administrator looks at, too, comes to them when the approver has agreed",
  async ({ app, db, act, people, sendAndWait, signInAs, waiting }) => {
    const messageId = await sendAndWait();
    expect(await act(people.approver, "PATCH", `${messageId}/approve-message`)).toMatchObject({
      status: 200,
      message: expect.stringContaining("We look at") as string,
    });
    expect(await waiting()).toEqual([]);
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    expect((await app.inject({ url: "/api/view-reviews", headers })).json()).toMatchObject({
      data: [{ _id: messageId }],
    });
    const released = await app.inject({
      method: "PATCH",
      url: `/api/${admin.adminId}/${messageId}/release-message`,
      headers,
    });
    expect(released.statusCode).toBe(200);
  },
);

// Goal: one decision. Method: the second approver waits for the message's row until the first has committed.
test("two approvers at once: the second is told that it was decided", async ({
  db,
  act,
  account,
  people,
  sendAndWait,
}) => {
  const messageId = await sendAndWait();
  const [, late] = await overlap(
    db,
    (tx) => approveMessage(tx, { userId: account.userId, messageId, approverId: people.approver.userId }, new Date()),
    () => act(account, "PATCH", `${messageId}/decline-message`),
  );
  expect(late).toMatchObject({ value: { status: 409, code: "ALREADY_DECIDED" } });
});
