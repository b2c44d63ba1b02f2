import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { eachCase, expect, linkToken, overlap, test as base } from "../../../testing/app.ts";
import {
  buildAdmin,
  buildUser,
  type BuiltAdmin,
  type BuiltUser,
  FACTORY_PASSWORD,
} from "../../../testing/factories.ts";
import { buildSendBody, buildSender, buildSenderName } from "../../../testing/messages-factories.ts";
import { changeUser, setBlocked } from "../../accounts/index.ts";
import { sendMessage } from "../../messages/send/send-message.ts";
import { readSendFields } from "../../messages/read-body/read-send.ts";
import { presentFlag } from "../present.ts";
import { flagUser } from "./manage-users.ts";

type Answer = { status: number; message: string; code?: string; fields?: Record<string, string> };
type Patch = (call: string, payload?: object, userId?: string) => Promise<Answer>;

const test = base.extend<{ user: BuiltUser; admin: BuiltAdmin; patch: Patch }>({
  user: async ({ db }, use) => {
    await use(
      await buildUser(db, { userName: "Ada", fullName: "Ada Obi", email: "ada@gmail.com", phoneNo: "8031234567" }),
    );
  },
  admin: async ({ db }, use) => {
    await use(await buildAdmin(db));
  },
  patch: async ({ app, user, admin, signInAs }, use) => {
    const headers = await signInAs(admin);
    await use(async (call, payload, userId = user.userId) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${userId}/${call}`,
        headers,
        ...(payload !== undefined && { payload }),
      });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
});

type Facts = {
  user_name: string;
  full_name: string;
  email: string;
  phone_no: string;
  is_blocked: boolean;
  is_approved: boolean;
};

async function readFacts(db: Db, userId: string): Promise<Facts | undefined> {
  const { rows } = await db.query<Facts>(
    "select user_name, full_name, email, phone_no, blocked_at is not null as is_blocked, is_approved from app_user where user_id = $1",
    [userId],
  );
  return rows[0];
}

async function readAudit(
  db: Db,
): Promise<{ admin_id: string; action: string; subject_id: string; before: object | null; after: object | null }[]> {
  return (await db.query("select admin_id, action, subject_id, before, after from audit_entry order by audit_id"))
    .rows as never;
}

async function readNames(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select name from sender_name where user_id = $1 order by created_at, name",
    [userId],
  );
  return rows.map(({ name }) => name);
}

const unchanged = {
  user_name: "Ada",
  full_name: "Ada Obi",
  email: "ada@gmail.com",
  phone_no: "8031234567",
  is_blocked: false,
  is_approved: false,
};

describe("who may", () => {
  test.for(["update-user", "block-user", "unblock-user", "approve-user", "unapprove-user"])(
    "%s: administrators alone",
    async (call, { app, db, user, signInAs, patch }) => {
      const refused = async (headers: object): Promise<[number, string]> => {
        const answer = await app.inject({
          method: "PATCH",
          url: `/api/${user.userId}/${call}`,
          headers: { ...headers },
          payload: { userName: "Eve" },
        });
        return [answer.statusCode, answer.json<{ code: string }>().code];
      };
      expect(await refused({})).toEqual([401, "AUTH_REQUIRED"]);
      // Not the customer either: blocked by oneself is nothing, approved by oneself would be worth something.
      expect(await refused(await signInAs(user))).toEqual([403, "FORBIDDEN"]);
      expect(await refused(await signInAs(await buildUser(db)))).toEqual([403, "FORBIDDEN"]);
      const payload = call === "update-user" ? { userName: "Eve" } : undefined;
      expect(await patch(call, payload, uuidv7())).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect(await patch(call, payload, "1")).toMatchObject({ status: 400, code: "VALIDATION" });
      expect(await readFacts(db, user.userId)).toEqual(unchanged);
      expect(await readAudit(db)).toEqual([]);
    },
  );
});

describe("updating a user is refused", () => {
  test("with a field that is missing or wrong: it is named, and nothing changes", async ({ db, user, patch }) => {
    await eachCase(
      [
        [{}, "userName"],
        [{ role: "admin" }, "userName"],
        [{ userName: "" }, "userName"],
        [{ userName: 7 }, "userName"],
        [{ userName: ["Ada"] }, "userName"],
        [{ userName: "a".repeat(101) }, "userName"],
        [{ userName: "Eve", fullName: " \u0000" }, "fullName"],
        [{ userName: "Eve", email: "no address" }, "email"],
        [{ userName: "Eve", phoneNo: "+2348031234567" }, "phoneNo"],
        [{ userName: "Eve", phoneNo: "٨٠٣١٢٣٤٥٦٧" }, "phoneNo"],
        [{ userName: "Eve", phoneNo: "8".repeat(15) }, "phoneNo"],
        [{ userName: "Eve", senderID: ["Acme Ltd"] }, "senderID"],
        [{ userName: "Eve", senderID: "Acme Ltd,Bäd" }, "senderID"],
        [{ userName: "Eve", senderID: "TwelveLetter" }, "senderID"],
        [{ userName: "Eve", senderID: "123" }, "senderID"],
      ] as const,
      async ([wrong, field]) => {
        const answer = await patch("update-user", wrong);
        expect(answer).toMatchObject({ status: 400, code: "VALIDATION" });
        expect(Object.keys(answer.fields ?? {})).toEqual([field]);
        expect(await readFacts(db, user.userId)).toEqual(unchanged);
        expect(await readNames(db, user.userId)).toEqual([]);
        expect(await readAudit(db)).toEqual([]);
      },
    );
  });

  test("with another customer's e-mail, however it is written: 409, and nothing else changes", async ({
    db,
    user,
    patch,
    mailsTo,
  }) => {
    await buildUser(db, { email: "bola@gmail.com" });
    expect(await patch("update-user", { userName: "Eve", email: " BOLA@gmail.com " })).toMatchObject({
      status: 409,
      code: "EMAIL_TAKEN",
    });
    expect(await readFacts(db, user.userId)).toEqual(unchanged);
    expect(await mailsTo("bola@gmail.com")).toEqual([]);
  });

  test("with an e-mail that somebody else is given at the same moment", async ({ db, deps, user }) => {
    const other = await buildUser(db);
    const give = (userId: string) => (tx: Tx) => changeUser(deps, tx, userId, { email: "new@gmail.com" });
    const [first, second] = await overlap(db, give(user.userId), give(other.userId));
    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ reason: { code: "EMAIL_TAKEN" } });
  });
});

describe("updating a user", () => {
  test("changes the five fields and no others, and writes what was before and after", async ({
    db,
    user,
    admin,
    patch,
  }) => {
    await buildSenderName(db, { userId: user.userId, name: "Old Name" });
    const body = {
      userName: "Ada Two",
      fullName: "Ada N. Obi",
      email: "Ada.Two@gmail.com",
      phoneNo: "08030000009",
      senderID: "Acme Ltd, Shop 7",
    };
    const answer = await patch("update-user", {
      ...body,
      role: "admin",
      units: 9,
      verified: false,
      blocked: true,
      isApproved: true,
      _id: uuidv7(),
    });
    expect(answer).toEqual({ status: 200, message: "Ada Two is updated" });
    const after = { userName: "Ada Two", fullName: "Ada N. Obi", email: "ada.two@gmail.com", phoneNo: "8030000009" };
    expect(await readFacts(db, user.userId)).toEqual({
      ...unchanged,
      user_name: after.userName,
      full_name: after.fullName,
      email: after.email,
      phone_no: after.phoneNo,
    });
    expect(await readNames(db, user.userId)).toEqual(["Acme Ltd", "Shop 7"]);
    expect(await readAudit(db)).toEqual([
      {
        admin_id: admin.adminId,
        action: "update-user",
        subject_id: user.userId,
        before: {
          userName: "Ada",
          fullName: "Ada Obi",
          email: "ada@gmail.com",
          phoneNo: "8031234567",
          senderNames: ["Old Name"],
        },
        after: { ...after, senderNames: ["Acme Ltd", "Shop 7"] },
      },
    ]);
  });

  test("leaves out what is not given, and is no event when nothing differs", async ({ db, user, patch }) => {
    await buildSenderName(db, { userId: user.userId, name: "Acme Ltd" });
    expect(await patch("update-user", { phoneNo: "8031234567", senderID: "Acme Ltd" })).toMatchObject({ status: 200 });
    expect(await readAudit(db)).toEqual([]);
    expect(await patch("update-user", { fullName: "Ada O." })).toMatchObject({ status: 200 });
    expect(await readFacts(db, user.userId)).toEqual({ ...unchanged, full_name: "Ada O." });
    expect(await readAudit(db)).toMatchObject([{ before: { fullName: "Ada Obi" }, after: { fullName: "Ada O." } }]);
  });

  test("a new e-mail is told to both addresses, ends the sessions and kills mailed links", async ({
    app,
    user,
    patch,
    signInAs,
    mailsTo,
  }) => {
    const session = await signInAs(user);
    await app.inject({ method: "PATCH", url: "/api/reset-user-password", payload: { email: user.email } });
    const token = linkToken((await mailsTo(user.email))[0], "reset-user-password");
    expect(await patch("update-user", { email: "new@gmail.com" })).toMatchObject({ status: 200 });

    expect((await mailsTo("ada@gmail.com")).map(({ subject }) => subject)).toContain(
      "The email of your Ewebal account was changed",
    );
    expect((await mailsTo("new@gmail.com")).map(({ subject }) => subject)).toEqual([
      "The email of your Ewebal account was changed",
    ]);
    expect(
      (await app.inject({ method: "GET", url: `/api/${user.userId}/view-one-user`, headers: session })).statusCode,
    ).toBe(401);
    const reset = await app.inject({
      method: "PATCH",
      url: `/api/${token}/change-user-password`,
      payload: { password: "another long one" },
    });
    expect(reset.json()).toMatchObject({ code: "LINK_INVALID" });
    const signIn = async (email: string): Promise<number> =>
      (await app.inject({ method: "POST", url: "/api/sign-in-user", payload: { email, password: FACTORY_PASSWORD } }))
        .statusCode;
    expect([await signIn("ada@gmail.com"), await signIn("new@gmail.com")]).toEqual([404, 201]);
  });

  test("the same e-mail again ends nothing", async ({ app, user, patch, signInAs }) => {
    const session = await signInAs(user);
    await patch("update-user", { email: "ADA@gmail.com", userName: "Ada B" });
    expect(
      (await app.inject({ method: "GET", url: `/api/${user.userId}/view-one-user`, headers: session })).statusCode,
    ).toBe(200);
  });

  test("sender names: new ones are mailed and close their requests, missing ones are taken away, none is cut", async ({
    app,
    db,
    user,
    patch,
    signInAs,
    mailsTo,
  }) => {
    await app.inject({
      method: "POST",
      url: `/api/${user.userId}/source-whitelist`,
      headers: await signInAs(user),
      payload: { senderName: "Acme Shop" },
    });
    expect(await patch("update-user", { senderID: "Acme Shop,Bola" })).toMatchObject({ status: 200 });
    expect(await readNames(db, user.userId)).toEqual(["Acme Shop", "Bola"]);
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toContain("Approved: Acme Shop, Bola");
    expect((await db.query("select state from whitelist_request")).rows).toEqual([{ state: "approved" }]);
    expect(await patch("update-user", { senderID: "" })).toMatchObject({ status: 200 });
    expect(await readNames(db, user.userId)).toEqual([]);
  });
});

describe("blocking", () => {
  test("ends every session, refuses sign-in with BLOCKED, and is audited once however often it is pressed", async ({
    app,
    db,
    user,
    admin,
    patch,
    signInAs,
  }) => {
    const sessions = [await signInAs(user), await signInAs(user)];
    expect(await patch("block-user")).toEqual({ status: 200, message: "Ada is blocked" });
    expect(await patch("block-user")).toEqual({ status: 200, message: "Nothing to do: Ada is blocked already" });
    for (const headers of sessions) {
      expect((await app.inject({ method: "GET", url: `/api/${user.userId}/view-one-user`, headers })).statusCode).toBe(
        401,
      );
    }
    const signIn = await app.inject({
      method: "POST",
      url: "/api/sign-in-user",
      payload: { email: user.email, password: FACTORY_PASSWORD },
    });
    expect([signIn.statusCode, signIn.json<{ code: string }>().code]).toEqual([403, "BLOCKED"]);
    expect(await readFacts(db, user.userId)).toEqual({ ...unchanged, is_blocked: true });
    expect(await readAudit(db)).toMatchObject([
      { admin_id: admin.adminId, action: "block-user", subject_id: user.userId },
    ]);
  });

  test("is undone by unblocking alone, which brings no session back", async ({ app, db, user, patch, signInAs }) => {
    const session = await signInAs(user);
    expect(await patch("unblock-user")).toEqual({ status: 200, message: "Nothing to do: Ada is unblocked already" });
    await patch("block-user");
    expect(await patch("unblock-user")).toEqual({ status: 200, message: "Ada is unblocked" });
    expect(
      (await app.inject({ method: "GET", url: `/api/${user.userId}/view-one-user`, headers: session })).statusCode,
    ).toBe(401);
    const signIn = await app.inject({
      method: "POST",
      url: "/api/sign-in-user",
      payload: { email: user.email, password: FACTORY_PASSWORD },
    });
    expect(signIn.statusCode).toBe(201);
    expect((await readAudit(db)).map(({ action }) => action)).toEqual(["block-user", "unblock-user"]);
  });

  test("by two administrators at once is one effect and one entry", async ({ db, deps, user, admin }) => {
    const other = await buildAdmin(db);
    const press = ({ adminId }: BuiltAdmin) =>
      flagUser(deps, "block-user", { adminId, userId: user.userId, clientAddress: "127.0.0.1" });
    const answers = await Promise.all([press(admin), press(other)]);
    expect(answers.map((change) => presentFlag("block-user", change).message).toSorted()).toEqual([
      "Ada is blocked",
      "Nothing to do: Ada is blocked already",
    ]);
    expect(await readAudit(db)).toHaveLength(1);
  });

  test("waits for another block of the same customer", async ({ db, deps, user }) => {
    const block = (tx: Tx) => setBlocked(deps, tx, user.userId, true);
    const [first, second] = await overlap(db, block, block);
    expect(first).toMatchObject({ value: { isChanged: true } });
    expect(second).toMatchObject({ value: { isChanged: false } });
  });

  test("while a send is being written: that send was first and counts, the next one is refused", async ({
    db,
    deps,
  }) => {
    const sender = await buildSender(db);
    const caller = { userId: sender.userId, via: "dashboard", clientAddress: "127.0.0.1" } as const;
    const send = async (tx: Tx) => await sendMessage(deps, tx, caller, readSend(buildSendBody()));
    const [sent, blocked] = await overlap(db, send, (tx) => setBlocked(deps, tx, sender.userId, true));
    expect(sent).toMatchObject({ value: { kind: "sent" } });
    expect(blocked).toMatchObject({ value: { isChanged: true } });
    await expect(withTransaction(db, send)).rejects.toMatchObject({ code: "BLOCKED" });
    expect((await db.query("select from message")).rowCount).toBe(1);
  });

  test("before a send is written: the send waits for nothing and is refused", async ({ db, deps }) => {
    const sender = await buildSender(db);
    const caller = { userId: sender.userId, via: "form", clientAddress: "127.0.0.1" } as const;
    await withTransaction(db, (tx) => setBlocked(deps, tx, sender.userId, true));
    const send = withTransaction(db, async (tx) => await sendMessage(deps, tx, caller, readSend(buildSendBody())));
    await expect(send).rejects.toMatchObject({ code: "BLOCKED" });
    expect((await db.query("select from message")).rowCount).toBe(0);
  });
});

describe("approving", () => {
  test("gives the badge, and takes it away, each audited once", async ({ db, user, patch }) => {
    expect(await patch("approve-user")).toEqual({ status: 200, message: "Ada is approved" });
    expect(await patch("approve-user")).toEqual({ status: 200, message: "Nothing to do: Ada is approved already" });
    expect(await readFacts(db, user.userId)).toEqual({ ...unchanged, is_approved: true });
    expect(await patch("unapprove-user")).toEqual({ status: 200, message: "Ada is not approved any more" });
    expect(await readFacts(db, user.userId)).toEqual(unchanged);
    expect((await readAudit(db)).map(({ action }) => action)).toEqual(["approve-user", "unapprove-user"]);
  });
});

function readSend(body: ReturnType<typeof buildSendBody>) {
  const read = readSendFields(body);
  if (read.kind === "wrong") throw new Error("the factory's body is wrong");
  return read.value;
}
