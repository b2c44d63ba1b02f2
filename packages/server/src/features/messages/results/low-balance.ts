/**
 * Each minute: tells customers whose units fell below the amount that they set, by an event and a mail, once until the units were above it again.
 *
 * Looked for here, not where units move: a send pays nothing for it, and who set no amount costs nothing. Units that fall and come back between two
 * looks are not told of.
 */
import { formatUnits, unitsForJson } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { eachWithFreeUnits, readBalance } from "../../../ledger/index.ts";
import { writeMail, type MailContent } from "../../../mail/index.ts";
import { recordEvent } from "../../../outbox/index.ts";
import { flipBalanceAlert, selectBalanceAlerts, type AlertReader, type BalanceAlert } from "../../delivery/index.ts";

export const lowBalanceQueue: JobQueue = {
  name: "low-balance",
  retriesMax: 2,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 20,
  runSecondsMax: 300,
  concurrency: 2,
  cron: "* * * * *",
  handle: async (deps) => await tellLowBalances(deps),
};

/** @returns when everyone whose units crossed their amount is told. */
export async function tellLowBalances(deps: Deps): Promise<void> {
  for await (const { freeMilli, ...alert } of eachWithFreeUnits(deps.db, selectBalanceAlerts))
    if (freeMilli < alert.belowMilli !== alert.isBelow) await followCrossing(deps, alert);
}

async function followCrossing(deps: Deps, { userId, belowMilli, isBelow }: BalanceAlert): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const reader = await flipBalanceAlert(tx, { userId, belowMilli, isBelow });
    // Somebody else did, or the amount was changed meanwhile.
    if (reader === undefined || isBelow) return;
    const { freeMilli } = await readBalance(tx, userId);
    const data = { units: unitsForJson(freeMilli), below: unitsForJson(belowMilli) };
    await recordEvent(tx, { userId, type: "balance.low", data });
    if (reader.isReachable) await writeMail(deps, tx, lowBalanceMail(reader, freeMilli, belowMilli));
  });
}

function lowBalanceMail({ email, userName }: AlertReader, freeMilli: number, belowMilli: number): MailContent {
  return {
    recipient: email,
    subject: `Your units are below ${formatUnits(belowMilli)}`,
    greetingName: userName,
    blocks: [
      { kind: "text", text: `You have ${formatUnits(freeMilli)} units left. What they don't pay for is not sent.` },
      { kind: "action", label: "Buy units", path: "/user-dashboard/buy-sms" },
      {
        kind: "text",
        text: "This mail comes once each time your units fall below the amount that you set. Change it at the end of the page of results.",
      },
    ],
  };
}
