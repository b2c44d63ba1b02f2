import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { pino } from "pino";
import { describe } from "vitest";
import type { Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import type { App } from "../http/app-type.ts";
import { translateError } from "../http/errors/error-translator.ts";
import type { Session } from "../http/session/session.ts";
import { expect, test as base } from "../testing/database.ts";
import type { Change } from "./changes.ts";
import { createChangePublisher } from "./change-publisher.ts";
import { createEventHub, createListen, eventRoutes, publishChange, publishSessionEnd } from "./index.ts";
import { STREAMS_PER_SESSION_MAX } from "./stream-registry.ts";

type Event = { event: string; data: unknown };

/** One open page. */
type Page = { status: number; next: () => Promise<Event | "end">; close: () => void };

type Fixtures = {
  /** Sessions that the next heartbeat finds over. */
  ended: Set<string>;
  site: { app: App; openPage: (session: Partial<Session> | undefined) => Promise<Page> };
};

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  ended: async ({}, use) => {
    await use(new Set());
  },
  site: async ({ databaseUrl, ended }, use) => {
    const log = pino({ level: "silent" });
    const hub = createEventHub({
      listen: createListen(
        () => databaseUrl,
        () => undefined,
      ),
      log,
      findEndedSessions: (ids) => Promise.resolve(ids.filter((id) => ended.has(id))),
      heartbeatIntervalMs: 50,
    });
    // The connections of ended streams are kept open by the test's own client.
    const app = Fastify({ forceCloseConnections: true }) as unknown as App;
    app.setValidatorCompiler(validatorCompiler);
    app.setSerializerCompiler(serializerCompiler);
    app.setErrorHandler<Error>(translateError);
    app.decorateRequest("session", null);
    app.addHook("onRequest", async (request) => {
      const session = request.headers["x-session"];
      if (typeof session === "string") request.session = JSON.parse(session) as Session;
    });
    eventRoutes(app, hub);
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const pages: Page[] = [];
    const openPage = async (session: Partial<Session> | undefined) => {
      const page = await openEventStream(`${url}/api/events`, session);
      pages.push(page);
      return page;
    };
    await use({ app, openPage });
    for (const page of pages) page.close();
    await app.close();
  },
});

const customer = (actorId: string, sessionId = uuidv7()): Session => ({
  kind: "user",
  actorId,
  accountId: actorId,
  sessionId,
  role: undefined,
  memberRole: "owner",
  beganAs: "user",
  via: "cookie",
});
const administrator = (adminId = uuidv7()): Session => ({
  kind: "admin",
  actorId: adminId,
  accountId: adminId,
  sessionId: uuidv7(),
  role: "admin",
  memberRole: undefined,
  beganAs: "admin",
  via: "cookie",
});
const ready = { event: "ready", data: {} };
const changed = (...topics: string[]) => ({ event: "change", data: { topics } });
const publish = (db: Db, ...change: Change) => withTransaction(db, (tx) => publishChange(tx, change));

describe("GET /api/events", () => {
  test("a visitor answers 401 and HEAD is not found", async ({ site }) => {
    const refused = await site.app.inject({ url: "/api/events" });
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([401, "AUTH_REQUIRED"]);
    expect((await site.app.inject({ method: "HEAD", url: "/api/events" })).statusCode).toBe(404);
  });

  test("a page more than a session may have open ends its oldest, which may connect again, and no other's", async ({
    site,
    db,
  }) => {
    const session = customer(uuidv7());
    const pages: Page[] = [];
    for (let index = 0; index < STREAMS_PER_SESSION_MAX; index += 1) pages.push(await site.openPage(session));
    const otherSession = await site.openPage(customer(session.actorId));
    for (const page of [...pages, otherSession]) expect(await page.next()).toEqual(ready);

    const [newest, again] = [await site.openPage(session), await site.openPage(session)];
    expect(await newest.next()).toEqual(ready);
    expect(await again.next()).toEqual(ready);
    expect([await pages[0]?.next(), await pages[1]?.next()]).toEqual(["end", "end"]);
    await publish(db, { userId: session.actorId, topics: ["user"] });
    for (const page of [...pages.slice(2), otherSession, newest, again])
      expect(await page.next()).toEqual(changed("user"));
  });

  test("a change arrives after its commit, and never after a roll-back", async ({ site, db }) => {
    const userId = uuidv7();
    const page = await site.openPage(customer(userId));
    expect(await page.next()).toEqual(ready);
    const undone = withTransaction(db, async (tx) => {
      await publishChange(tx, [{ userId, topics: ["drafts"] }]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    // One question for both: the change may come before the commit has answered.
    const heard = page.next();
    await withTransaction(db, async (tx) => {
      await publishChange(tx, [{ userId, topics: ["user", "messages"] }]);
      expect(await Promise.race([heard, sleep(100, "silence")])).toBe("silence");
    });
    expect(await heard).toEqual(changed("user", "messages"));
  });

  test("a customer hears of their own and of what concerns everyone, administrators of theirs", async ({
    site,
    db,
  }) => {
    const [userId, otherId] = [uuidv7(), uuidv7()];
    const [page, other, admin] = [
      await site.openPage(customer(userId)),
      await site.openPage(customer(otherId)),
      await site.openPage(administrator()),
    ];
    for (const each of [page, other, admin]) expect(await each.next()).toEqual(ready);
    await publish(db, { userId, topics: ["user"] });
    await publish(db, { admin: true, topics: ["admin"] });
    expect(await page.next()).toEqual(changed("user"));
    expect(await admin.next()).toEqual(changed("admin"));
    await publish(db, { everyone: true, topics: ["announcements"] });
    for (const each of [page, other, admin]) expect(await each.next()).toEqual(changed("announcements"));
  });

  test("more topics than one hint can carry arrive as ready", async ({ site, db }) => {
    const userId = uuidv7();
    const page = await site.openPage(customer(userId));
    expect(await page.next()).toEqual(ready);
    await publish(db, { userId, topics: Array.from({ length: 500 }, () => `message:${uuidv7()}` as const) });
    expect(await page.next()).toEqual(ready);
  });

  test("the listening connection dies: it comes back by itself, and every page is told to ask again", async ({
    site,
    db,
  }) => {
    const userId = uuidv7();
    const page = await site.openPage(customer(userId));
    expect(await page.next()).toEqual(ready);
    await db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ewebal-events' and datname = current_database()",
    );
    expect(await page.next()).toEqual(ready);
    await publish(db, { userId, topics: ["user"] });
    expect(await page.next()).toEqual(changed("user"));
  });

  test("foreign payloads on the channel change nothing", async ({ site, db }) => {
    const userId = uuidv7();
    const page = await site.openPage(customer(userId));
    expect(await page.next()).toEqual(ready);
    for (const payload of ["", "{", "null", "7", "[]", '{"to":7}', '{"end":7}'])
      await db.query("select pg_notify('ewebal_event', $1)", [payload]);
    await publish(db, { userId, topics: ["user"] });
    expect(await page.next()).toEqual(changed("user"));
  });

  test("a session ends: its pages are told and closed, the person's other session goes on", async ({ site, db }) => {
    const ending = customer(uuidv7());
    const page = await site.openPage(ending);
    const kept = await site.openPage(customer(ending.actorId));
    for (const each of [page, kept]) expect(await each.next()).toEqual(ready);
    await withTransaction(db, (tx) => publishSessionEnd(tx, { sessionId: ending.sessionId }));
    expect([await page.next(), await page.next()]).toEqual([{ event: "signed-out", data: {} }, "end"]);
    await withTransaction(db, (tx) => publishSessionEnd(tx, { actorId: ending.actorId }));
    expect([await kept.next(), await kept.next()]).toEqual([{ event: "signed-out", data: {} }, "end"]);
  });

  test("a session that ran out without any event is noticed at a heartbeat", async ({ site, ended }) => {
    const session = customer(uuidv7());
    const page = await site.openPage(session);
    expect(await page.next()).toEqual(ready);
    ended.add(session.sessionId);
    expect([await page.next(), await page.next()]).toEqual([{ event: "signed-out", data: {} }, "end"]);
  });

  test("the server stops while pages are open: they end, and it does not wait for them", async ({ site }) => {
    const page = await site.openPage(customer(uuidv7()));
    expect(await page.next()).toEqual(ready);
    await site.app.close();
    expect(await page.next()).toBe("end");
  });
});

describe("the publisher for committed changes", () => {
  test("many calls make one hint a person, and close says what is left", async ({ site, db }) => {
    const userId = uuidv7();
    const page = await site.openPage(customer(userId));
    expect(await page.next()).toEqual(ready);
    const publisher = createChangePublisher(db, () => undefined);
    for (let index = 0; index < 1_000; index += 1) publisher.publish([{ userId, topics: ["messages", "user"] }]);
    expect(await page.next()).toEqual(changed("messages", "user"));
    publisher.publish([{ userId, topics: ["drafts"] }]);
    await publisher.close();
    expect(await page.next()).toEqual(changed("drafts"));
  });

  test("the database refuses once: nothing unsaid is lost", async ({ site, db }) => {
    const userId = uuidv7();
    const page = await site.openPage(customer(userId));
    expect(await page.next()).toEqual(ready);
    const errors: unknown[] = [];
    let failures = 1;
    const flaky = {
      query: (...args: Parameters<Db["query"]>) =>
        failures-- > 0 ? Promise.reject(new Error("away")) : db.query(...args),
    };
    const publisher = createChangePublisher(flaky as unknown as Db, (error) => errors.push(error));
    publisher.publish([{ userId, topics: ["user"] }]);
    expect(await page.next()).toEqual(changed("user"));
    expect(errors).toHaveLength(1);
    await publisher.close();
  });
});

async function openEventStream(url: string, session: Partial<Session> | undefined): Promise<Page> {
  const abort = new AbortController();
  const response = await fetch(url, {
    signal: abort.signal,
    headers: session === undefined ? {} : { "x-session": JSON.stringify(session) },
  });
  const events = readEvents(response);
  return {
    status: response.status,
    next: async () => {
      const { done, value } = await events.next();
      return done === true ? "end" : value;
    },
    close: () => abort.abort(),
  };
}

async function* readEvents(response: Response): AsyncGenerator<Event> {
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        if (event !== undefined) yield { event, data: JSON.parse(data ?? "null") as unknown };
      }
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === "AbortError")) throw error;
  }
}
