/** Each Monday a mail tells customers what came of the messages of the week before. Who sent nothing gets none, and who turned it off. */
import { formatUnits, lagosDate, lagosDayStart, outcomeReasons } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { writeMail, type MailContent } from "../../../mail/index.ts";
import {
  claimWeeklyMail,
  readPeriodResults,
  selectWeeklyReaders,
  type PeriodResults,
  type WeeklyReader,
} from "../../delivery/index.ts";

const DAY_MS = 24 * 3_600_000;
const READERS_PER_LOOK = 200;

/** 08:00 on Mondays in Lagos. */
export const weeklyMailQueue: JobQueue = {
  name: "weekly-mail",
  retriesMax: 5,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 3_600,
  concurrency: 2,
  cron: "0 7 * * 1",
  handle: async (deps) => await writeWeeklyMails(deps),
};

/** Writes the mails of the week that ended last, each once whoever runs this how often. @returns when all are written. */
export async function writeWeeklyMails(deps: Deps): Promise<void> {
  const days = lastWeek(deps.clock.now());
  const [week = ""] = days;
  const from = lagosDayStart(week);
  const until = new Date(from.getTime() + 7 * DAY_MS);
  let after: string | undefined;
  do {
    const readers = await selectWeeklyReaders(deps.db, { from, until, after, limit: READERS_PER_LOOK });
    for (const reader of readers) {
      const results = await readPeriodResults(deps, { userId: reader.userId, days });
      await withTransaction(deps.db, async (tx) => {
        if (!(await claimWeeklyMail(tx, reader.userId, week))) return;
        await writeMail(deps, tx, weeklyMail(deps, reader, days, results));
      });
    }
    after = readers.length < READERS_PER_LOOK ? undefined : readers.at(-1)?.userId;
  } while (after !== undefined);
}

/** Monday to Sunday before the week of `now`, in Lagos. */
function lastWeek(now: Date): string[] {
  const today = lagosDayStart(lagosDate(now));
  // Noon in Lagos is on the same day everywhere that counts.
  const weekday = (new Date(today.getTime() + DAY_MS / 2).getUTCDay() + 6) % 7;
  const mondayMs = today.getTime() - (weekday + 7) * DAY_MS;
  return Array.from({ length: 7 }, (_, index) => lagosDate(new Date(mondayMs + index * DAY_MS)));
}

function weeklyMail(
  { config: { brand } }: Pick<Deps, "config">,
  reader: WeeklyReader,
  days: readonly string[],
  results: PeriodResults,
): MailContent {
  const count = (figure: number): string => figure.toLocaleString("en");
  const [from = "", to = ""] = [days[0], days.at(-1)];
  const messages = results.days.reduce((sum, day) => sum + day.messages, 0);
  const [reason] = results.reasons;
  return {
    recipient: reader.email,
    subject: `Your week with ${brand.name}: ${count(results.delivered)} delivered`,
    greetingName: reader.userName,
    blocks: [
      { kind: "text", text: `What came of the messages that you sent from ${from} to ${to}:` },
      {
        kind: "facts",
        rows: [
          ["Messages", count(messages)],
          ["Recipients", count(results.recipients)],
          ["Delivered", count(results.delivered)],
          ["Failed", count(results.failed)],
          ...(reason === undefined ? [] : [["Most frequent reason", outcomeReasons[reason.kind].reason] as const]),
          ["Clicks on your links", count(results.clicks)],
          ["People who opted out", count(results.optOuts)],
          ["Units charged", formatUnits(results.chargedMilli)],
        ],
      },
      { kind: "action", label: "See the results", path: `/user-dashboard/results?from=${from}&to=${to}` },
      {
        kind: "text",
        text: "This mail comes on Mondays after a week in which you sent something. Turn it off at the end of the same page.",
      },
    ],
  };
}
