import { describe } from "vitest";
import { messageRoutes, optOutRoutes, type UnitDetails } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import type { App } from "../../../http/app-type.ts";
import { readBalance, settleHold } from "../../../ledger/index.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { addOptOuts } from "../../delivery/index.ts";
import { rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { expect, test } from "../../../testing/app.ts";
import type { BuiltUser } from "../../../testing/factories.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { countTraces, send, type Headers, type Refusal } from "../testing/ask-to-send.ts";

type Answer = { message: string; data: { _id: string }; unitDetails: UnitDetails };
const body = (over: object): object => ({ senderName: FACTORY_SENDER_NAME, code: "234", ...over });
const ADA = "2348030000001";
const BOLA = "2348030000002";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

async function recipientsOf(app: App, user: BuiltUser, headers: Headers, id: string) {
  const answer = await app.inject({ url: `/api/${user.userId}/${id}/recipients`, headers });
  return messageRoutes.recipients.schema.response[200].parse(answer.json()).data;
}

async function clicksOf(app: App, user: BuiltUser, headers: Headers, id: string) {
  const answer = await app.inject({ url: `/api/${user.userId}/${id}/view-one-sms`, headers });
  return messageRoutes.viewOneSms.schema.response[200].parse(answer.json()).data.clicks;
}

async function listOf(app: App, user: BuiltUser, headers: Headers) {
  const answer = await app.inject({ url: `/api/${user.userId}/opt-outs`, headers });
  return optOutRoutes.optOuts.schema.response[200].parse(answer.json()).data;
}

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

/** The path of the last link of a text. */
const pathOf = (publicUrl: string, text: string): string => {
  const [url = ""] = /http\S+$/.exec(text) ?? [];
  expect(url.startsWith(`${publicUrl}/`)).toBe(true);
  return url.slice(publicUrl.length);
};

describe("a text with an opt-out link", () => {
  test("ends in a code of each recipient's own, and pays for its characters", async ({ app, deps, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const { publicUrl } = deps.config;
    const ending = `\nSTOP: ${publicUrl}/o/`.length + 7;
    const message = "z".repeat(160 - ending);
    const fits = await send(app, user, headers, body({ message, phoneNo: `${ADA},${BOLA}`, optOutLink: true }));
    expect([fits.statusCode, fits.json<Answer>().unitDetails]).toEqual([
      200,
      { received: 2, recipients: 2, duplicates: 0, dnd: 0, pages: 1, rate: 3, charged: 6, available: 94 },
    ]);
    const over = await send(app, user, headers, body({ message: `${message}z`, phoneNo: ADA, optOutLink: true }));
    expect(over.json<Answer>().unitDetails).toMatchObject({ pages: 2, charged: 6 });
    const rows = await recipientsOf(app, user, headers, fits.json<Answer>().data._id);
    const paths = rows.map(({ text }) => {
      expect(text.startsWith(`${message}\nSTOP: `)).toBe(true);
      return pathOf(publicUrl, text);
    });
    for (const path of paths) expect(path).toMatch(/^\/o\/[A-Za-z0-9]{7}$/);
    expect(new Set(paths).size).toBe(2);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(12_000);
  });

  test("adds to merged texts, to texts of recipients' own, and to the 1,600 characters", async ({
    app,
    deps,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const recipients = [
      { to: ADA, fields: { name: "Ada" } },
      { to: BOLA, text: "Yours" },
    ];
    const answer = await send(app, user, headers, body({ message: "Dear {{name}}", recipients, optOutLink: true }));
    const rows = await recipientsOf(app, user, headers, answer.json<Answer>().data._id);
    expect(rows.map(({ text }) => text.replace(/[A-Za-z0-9]{7}$/, "*"))).toEqual([
      `Dear Ada\nSTOP: ${deps.config.publicUrl}/o/*`,
      `Yours\nSTOP: ${deps.config.publicUrl}/o/*`,
    ]);
    const before = await countTraces(db);
    const long = await send(app, user, headers, body({ message: "z".repeat(1_600), phoneNo: ADA, optOutLink: true }));
    expect([long.statusCode, Object.keys(long.json<Refusal>().fields ?? {})]).toEqual([400, ["message"]]);
    expect(await countTraces(db)).toBe(before);
  });

  test("leads to a page that changes nothing until its form is sent, and then offers to undo", async ({
    app,
    deps,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sent = await send(app, user, headers, body({ message: "Hello", phoneNo: ADA, optOutLink: true }));
    const messageId = sent.json<Answer>().data._id;
    const [row] = await recipientsOf(app, user, headers, messageId);
    const path = pathOf(deps.config.publicUrl, row?.text ?? "");

    for (const method of ["GET", "HEAD"] as const) {
      const seen = await app.inject({ method, url: path, headers: { "user-agent": "WhatsApp/2.23" } });
      expect([seen.statusCode, seen.headers["content-type"], seen.headers["set-cookie"]]).toEqual([
        200,
        "text/html; charset=utf-8",
        undefined,
      ]);
    }
    const page = await app.inject({ url: path });
    expect(page.body.match(/<form/g)).toHaveLength(1);
    expect(page.body).toContain(`<form method="post" action="${path}">`);
    expect(page.body).not.toContain("<script");
    expect(page.body).not.toContain(ADA);
    expect(await listOf(app, user, headers)).toEqual([]);

    // A browser in another app sends no origin of its own.
    const origin = { ...FORM, origin: "null" };
    const stopped = await app.inject({ method: "POST", url: path, headers: origin, payload: "wish=stop" });
    expect([stopped.statusCode, stopped.headers["set-cookie"]]).toEqual([200, undefined]);
    expect(await listOf(app, user, headers)).toMatchObject([{ phoneNo: ADA, source: "link" }]);
    expect((await db.query("select message_id as id from opt_out")).rows).toEqual([{ id: messageId }]);
    expect(stopped.body).toContain("Undo");
    const again = await send(app, user, headers, body({ message: "Hello", phoneNo: ADA, optOutLink: true }));
    expect(again.json<Answer>().unitDetails).toMatchObject({ recipients: 0, optedOut: 1, charged: 0 });

    const undone = await app.inject({ method: "POST", url: path, headers: FORM, payload: "wish=undo" });
    expect(undone.statusCode).toBe(200);
    expect(await listOf(app, user, headers)).toEqual([]);

    // A post without a body is a press as well.
    expect((await app.inject({ method: "POST", url: path })).statusCode).toBe(200);
    expect(await listOf(app, user, headers)).toMatchObject([{ phoneNo: ADA, source: "link" }]);
  });

  test("takes nobody off the list who opted out by another way", async ({ app, deps, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sent = await send(app, user, headers, body({ message: "Hello", phoneNo: ADA, optOutLink: true }));
    const [row] = await recipientsOf(app, user, headers, sent.json<Answer>().data._id);
    const path = pathOf(deps.config.publicUrl, row?.text ?? "");
    const { userId } = user;
    await withTransaction(db, (tx) => addOptOuts(tx, { userId, phoneNos: [Number(ADA)], source: "sms" }));
    const undone = await app.inject({ method: "POST", url: path, headers: FORM, payload: "wish=undo" });
    expect([undone.statusCode, undone.body.includes("Undo")]).toEqual([200, false]);
    expect(await listOf(app, user, headers)).toMatchObject([{ phoneNo: ADA, source: "sms" }]);
  });

  test("keeps its link when it is drafted, edited, scheduled and sent again", async ({ app, deps, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const fields = body({ message: "Hello", phoneNo: ADA, optOutLink: true });
    const url = `/api/${user.userId}`;
    const draft = await app.inject({ method: "POST", url: `${url}/draft-message`, headers, payload: fields });
    const draftId = draft.json<Answer>().data._id;
    const kept = await app.inject({ url: `${url}/${draftId}/view-one-draft`, headers });
    expect(kept.json<{ data: object }>().data).toMatchObject({ optOutLink: true });
    const sent = await app.inject({ method: "POST", url: `${url}/${draftId}/send-draft-sms`, headers });
    const ending = new RegExp(`\nSTOP: ${deps.config.publicUrl}/o/[A-Za-z0-9]{7}$`);
    expect((await recipientsOf(app, user, headers, sent.json<Answer>().data._id))[0]?.text).toMatch(ending);

    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const payload = { ...fields, sendAt };
    const scheduled = await app.inject({ method: "POST", url: `${url}/schedule-sms`, headers, payload });
    const { _id: id } = scheduled.json<Answer>().data;
    const before = (await recipientsOf(app, user, headers, id))[0]?.text ?? "";
    expect(before).toMatch(ending);
    const edit = { method: "PATCH", url: `${url}/${id}/edit-scheduled-sms`, headers } as const;
    expect((await app.inject({ ...edit, payload: { message: "Other" } })).statusCode).toBe(200);
    const after = (await recipientsOf(app, user, headers, id))[0]?.text ?? "";
    expect(after).toMatch(ending);
    expect((await app.inject({ url: pathOf(deps.config.publicUrl, before) })).statusCode).toBe(404);
    expect((await app.inject({ url: pathOf(deps.config.publicUrl, after) })).statusCode).toBe(200);
    expect((await app.inject({ ...edit, payload: { optOutLink: false } })).statusCode).toBe(200);
    expect((await recipientsOf(app, user, headers, id))[0]?.text).toBe("Other");

    const messageId = sent.json<Answer>().data._id;
    await failDelivery(db, user.userId, messageId);
    const resent = await app.inject({ method: "POST", url: `${url}/${messageId}/resend-failed`, headers });
    expect((await recipientsOf(app, user, headers, resent.json<Answer>().data._id))[0]?.text).toMatch(ending);
  });
});

/** As a worker records it. */
async function failDelivery(db: Db, userId: string, messageId: string): Promise<void> {
  await db.query(
    `insert into delivery (user_id, message_id, position, phone_no, state, error_code, submitted_at, updated_at)
     values ($1, $2, 0, $3, 3, 'status:11', now(), now())`,
    [userId, messageId, ADA],
  );
  await db.query("update message_count set waiting = 0, failed = 1 where user_id = $1 and message_id = $2", [
    userId,
    messageId,
  ]);
  await withTransaction(db, (tx) => settleHold(tx, { userId, holdId: messageId }));
}

describe("a short link", () => {
  const TARGET = "https://shop.example/offer?a=1&b=2#top";

  test("leads on, and counts people and programs apart", async ({ app, deps, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const { publicUrl } = deps.config;
    const message = `${"z".repeat(160 - `${publicUrl}/l/`.length - 7)}{{link:${TARGET}}}`;
    const sent = await send(app, user, headers, body({ message, phoneNo: `${ADA},${BOLA}` }));
    expect(sent.json<Answer>().unitDetails).toMatchObject({ pages: 1, charged: 6 });
    const id = sent.json<Answer>().data._id;
    const rows = await recipientsOf(app, user, headers, id);
    expect(rows.map(({ clicks }) => clicks)).toEqual([0, 0]);
    const paths = rows.map(({ text }) => pathOf(publicUrl, text));
    for (const path of paths) expect(path).toMatch(/^\/l\/[A-Za-z0-9]{7}$/);
    const [ada = "", bola = ""] = paths;
    expect(ada).not.toBe(bola);

    const open = async (url: string, userAgent = "Mozilla/5.0 (Linux; Android 14)", method: "GET" | "HEAD" = "GET") => {
      const answer = await app.inject({ method, url, headers: { "user-agent": userAgent } });
      expect([answer.statusCode, answer.headers["location"], answer.headers["cache-control"]]).toEqual([
        302,
        TARGET,
        "no-store",
      ]);
    };
    await open(ada, undefined, "HEAD");
    expect(await clicksOf(app, user, headers, id)).toEqual({ total: 0, recipients: 0, previews: 0 });
    await open(ada);
    await open(ada);
    await open(bola);
    for (const bot of [
      "WhatsApp/2.23.20",
      "facebookexternalhit/1.1",
      "Twitterbot/1.0",
      "TelegramBot (like TwitterBot)",
      "Slackbot-LinkExpanding 1.0",
      "Mozilla/5.0 (compatible; Googlebot/2.1)",
      "Mozilla/5.0 (compatible; bingbot/2.0)",
    ])
      await open(bola, bot);
    expect(await clicksOf(app, user, headers, id)).toEqual({ total: 3, recipients: 2, previews: 7 });
    expect((await recipientsOf(app, user, headers, id)).map(({ clicks }) => clicks)).toEqual([2, 1]);
  });

  test("of each text leads where that text says", async ({ app, deps, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const recipients = [
      { to: ADA, fields: { name: "{{link:https://not.example}}" } },
      { to: BOLA, text: "A {{link:https://a.example/1}} B {{link:https://b.example/2}}" },
    ];
    const message = "{{name}} {{link:https://all.example}}";
    const sent = await send(app, user, headers, body({ message, recipients, optOutLink: true }));
    const rows = await recipientsOf(app, user, headers, sent.json<Answer>().data._id);
    const targets = await Promise.all(
      rows.map(async ({ text }) => {
        const paths = [...text.matchAll(/\/l\/[A-Za-z0-9]{7}/g)].map(([path]) => path);
        const answers = await Promise.all(paths.map((url) => app.inject({ url })));
        return answers.map(({ headers: { location } }) => location);
      }),
    );
    expect(targets).toEqual([["https://all.example"], ["https://a.example/1", "https://b.example/2"]]);
    expect(rows[0]?.text.startsWith("{{link:https://not.example}} ")).toBe(true);
    // A code of one kind is none of the other.
    const stop = pathOf(deps.config.publicUrl, rows[0]?.text ?? "");
    expect((await app.inject({ url: stop.replace("/o/", "/l/") })).statusCode).toBe(404);
  });

  test("ends after 180 days; an unknown one is 404", async ({ app, deps, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sent = await send(app, user, headers, body({ message: `{{link:${TARGET}}}`, phoneNo: ADA }));
    const [row] = await recipientsOf(app, user, headers, sent.json<Answer>().data._id);
    const path = pathOf(deps.config.publicUrl, row?.text ?? "");
    await db.query("update message set created_at = now() - interval '179 days 23 hours'");
    expect((await app.inject({ url: path })).statusCode).toBe(302);
    await db.query("update message set created_at = now() - interval '181 days'");
    const expired = await app.inject({ url: path });
    expect([expired.statusCode, expired.headers["location"]]).toEqual([410, undefined]);
    for (const url of ["/l/AAAAAAA", "/o/AAAAAAA", "/l/x", "/o/x-y", "/l/AAAAAAAAAAAAAAA"])
      expect((await app.inject({ url })).statusCode, url).toBe(404);
    expect((await app.inject({ method: "POST", url: "/o/AAAAAAA", headers: FORM })).statusCode).toBe(404);
  });

  limited(
    "that leads somewhere is followed by the neighbours of somebody who tried many that do not",
    async ({ app, deps, db, signInAs }) => {
      const user = await buildSender(db);
      const headers = await signInAs(user);
      const fields = body({ message: `{{link:${TARGET}}}`, phoneNo: ADA, optOutLink: true });
      const sent = await send(app, user, headers, fields);
      const [row] = await recipientsOf(app, user, headers, sent.json<Answer>().data._id);
      const link = /\/l\/[A-Za-z0-9]{7}/.exec(row?.text ?? "")?.[0] ?? "";
      const stop = pathOf(deps.config.publicUrl, row?.text ?? "");
      const from = { remoteAddress: "198.51.100.7" };
      const guess = async (url: string) => await app.inject({ url, ...from });
      const { hitsMax } = rateRules.unknownLink;
      for (let tries = 0; tries < hitsMax; tries += 1)
        expect((await guess(tries % 2 === 0 ? "/l/AAAAAAA" : "/o/AAAAAAA")).statusCode).toBe(404);
      // Both kinds, and both ways of asking for the page, count together.
      for (const url of ["/l/AAAAAAA", "/o/AAAAAAA", "/o/x-y"]) {
        const refused = await guess(url);
        expect([refused.statusCode, refused.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
        expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      }
      const blind = await app.inject({ method: "POST", url: "/o/AAAAAAA", headers: FORM, ...from });
      expect(blind.statusCode).toBe(429);
      expect((await app.inject({ url: "/o/AAAAAAA", remoteAddress: "198.51.100.8" })).statusCode).toBe(404);

      expect((await guess(link)).statusCode).toBe(302);
      expect((await guess(stop)).statusCode).toBe(200);
      const stopped = await app.inject({ method: "POST", url: stop, headers: FORM, payload: "wish=stop", ...from });
      expect(stopped.statusCode).toBe(200);
      expect(await listOf(app, user, headers)).toMatchObject([{ phoneNo: ADA, source: "link" }]);
    },
  );

  test("that leads to no public address refuses the send, in a recipient's own text as well", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const traces = await countTraces(db);
    for (const [over, field] of [
      [{ message: "Go {{link:http://127.1/x}}", phoneNo: ADA }, "message"],
      [{ recipients: [{ to: ADA, text: "Go {{link:ftp://a.example}}" }] }, "recipients.0.text"],
    ] as const) {
      const answer = await send(app, user, headers, body(over));
      const { code, fields } = answer.json<Refusal>();
      expect([answer.statusCode, code, Object.keys(fields ?? {})]).toEqual([400, "VALIDATION", [field]]);
    }
    expect(await countTraces(db)).toBe(traces);
  });
});
