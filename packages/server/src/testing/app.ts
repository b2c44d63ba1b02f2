import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { buildApp } from "../main/app.ts";
import { readConfig, type Environment } from "../base/config.ts";
import type { Clock, Deps } from "../base/deps.ts";
import { openSession } from "../features/accounts/index.ts";
import { createAuditWriter } from "../features/admin/index.ts";
import type { App } from "../http/app-type.ts";
import { startSecurityMinute } from "../http/monitoring/security-log.ts";
import { forgetSharedAddresses } from "../http/rate-limits/client-address.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { test as base } from "./database.ts";
import type { BuiltAdmin, BuiltUser } from "./factories.ts";

export { eachCase, expect, listLockWaiters, overlap } from "./database.ts";

/** A clock that only moves when a test moves it. */
export type FakeClock = Clock & { advance: (ms: number) => void };

/** Jobs that are written down instead of done; a test that wants one done calls its handler. */
export type RecordedJobs = Jobs & { enqueued: { name: string; ids: Record<string, string>; startAfterMs?: number }[] };

/** @property logLines what was written to the log, line by line. */
export type TestDeps = Deps & { clock: FakeClock; jobs: RecordedJobs; logLines: Record<string, unknown>[] };

export type SentMail = { recipient: string; replyTo: string | null; subject: string; text: string; html: string };

export type AppFixtures = {
  /** Configuration of the test's app, as environment variables. Override with `test.extend({ environment: {...} })`. */
  environment: Environment;
  clock: FakeClock;
  deps: TestDeps;
  app: App;
  /** Begins a session without its sign-in. @returns headers for `app.inject`. */
  signInAs: (person: BuiltUser | BuiltAdmin) => Promise<{ authorization: string }>;
  /** The mails written to an address, oldest first. */
  mailsTo: (recipient: string) => Promise<SentMail[]>;
};

/**
 * The `test` of everything that is spoken to over HTTP: the whole app on a database of the test's own, nothing
 * listening.
 */
export const test = base.extend<AppFixtures>({
  environment: {},
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  clock: async ({}, use) => {
    await use(fakeClock());
  },
  deps: async ({ db, clock, environment }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "ewebal-data-"));
    const config = readConfig({ RATE_LIMITS: "off", QUIET_HOURS: "off", DATA_DIR: dataDir, ...environment });
    const logLines: TestDeps["logLines"] = [];
    startSecurityMinute();
    const log = pino(
      { level: "info", base: null },
      { write: (line: string) => logLines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    await use({ config, db, clock, jobs: recordedJobs(), log, logLines, recordAudit: createAuditWriter(clock) });
    await rm(dataDir, { recursive: true, force: true });
  },
  app: async ({ deps }, use) => {
    // Known to the whole process, whose next test is another installation.
    forgetSharedAddresses();
    const app = await buildApp(deps);
    await app.ready();
    await use(app);
    await app.close();
  },
  signInAs: async ({ deps }, use) => {
    await use(async ({ kind, id }) => {
      const { token } = await openSession(deps, deps.db, { kind, actorId: id });
      return { authorization: `Bearer ${token}` };
    });
  },
  mailsTo: async ({ db }, use) => {
    await use(async (recipient) => {
      const { rows } = await db.query<SentMail>(
        `select recipient, reply_to as "replyTo", subject, text_body as text, html_body as html
         from mail where recipient = $1 order by created_at, mail_id`,
        [recipient],
      );
      return rows;
    });
  },
});

/** @param start the present by default, so that rows the database stamps by itself lie near it. */
export function fakeClock(start: Date = new Date()): FakeClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

export function recordedJobs(): RecordedJobs {
  const enqueued: RecordedJobs["enqueued"] = [];
  return {
    enqueued,
    enqueue: (_tx, name, ids, options) => {
      enqueued.push({ name, ids, ...options });
      return Promise.resolve();
    },
  };
}

/** The token of the link to a page, such as `verify-user`, in a mail's text; undefined when there is none. */
export function linkToken(mail: SentMail | undefined, page: string): string | undefined {
  return new RegExp(`/([\\w-]{43})/${page}$`, "m").exec(mail?.text ?? "")?.[1];
}
