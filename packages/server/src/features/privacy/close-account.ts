/**
 * A customer's closing.
 *
 * open -> closed (its owner, with the password) -> open (an administrator unblocks it, for 30 days)
 *                                               -> erasing -> erased (a job; nothing leads back).
 *
 * A closed account is blocked, which every way in asks for. What waits is cancelled by a job right after, and once more a minute later: a send that
 * was being checked when the account closed has been written by then.
 */
import { CLOSED_ACCOUNT_DAYS } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import { withTransaction } from "../../db/transaction.ts";
import { openFileStore } from "../../files/index.ts";
import type { Session } from "../../http/session/session.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { writeMail } from "../../mail/index.ts";
import { checkOwnPassword, customerOwner, setClosed } from "../accounts/index.ts";
import { cancelMessagesOf, eraseMessagesOf } from "../delivery/index.ts";
import {
  beginErasing,
  deleteRows,
  endErasing,
  eraseMoneyNames,
  erasePerson,
  ROWS_OF_CUSTOMERS,
  selectClosedBefore,
  selectFileNames,
} from "./erase-store.ts";
import { accountClosedMail } from "./privacy-mails.ts";

const DAY_MS = 24 * 3_600_000;
const SECOND_LOOK_MS = 60_000;

/**
 * Closes an account for good, unless an administrator opens it again within 30 days.
 *
 * @returns when it is erased.
 * @throws AppError `PASSWORD_WRONG`, throttled like a sign-in; `STATE_CONFLICT` while accounts that it made are open.
 */
export async function closeAccount(
  deps: Deps,
  request: { session: Session; userId: string; password: string; clientAddress: string },
): Promise<Date> {
  const { session, userId, password, clientAddress } = request;
  const { actorId } = session;
  await checkOwnPassword(deps, customerOwner, { actorId, password, clientAddress, isSignedIn: true });
  const closedAt = deps.clock.now();
  const erasedAt = new Date(closedAt.getTime() + CLOSED_ACCOUNT_DAYS * DAY_MS);
  await withTransaction(deps.db, async (tx) => {
    const reader = await setClosed(deps, tx, userId);
    await writeMail(deps, tx, accountClosedMail(deps.config, reader, { closedAt, erasedAt }));
    await deps.recordAudit(tx, { personId: actorId, action: "close-account", subjectId: userId, clientAddress });
    await deps.jobs.enqueue(tx, stopClosedQueue.name, { userId });
    await deps.jobs.enqueue(tx, stopClosedQueue.name, { userId }, { startAfterMs: SECOND_LOOK_MS });
  });
  return erasedAt;
}

/** Cancels what a closed account has waiting, and gives its units back. */
export const stopClosedQueue: JobQueue = {
  name: "stop-closed-account",
  retriesMax: 5,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: 600,
  runSecondsMax: 3_600,
  concurrency: 2,
  handle: async (deps, { userId = "" }) => await cancelMessagesOf(deps, userId),
};

/** Every night at 03:27 UTC: erases the accounts that were closed 30 days ago. */
export const eraseClosedQueue: JobQueue = {
  name: "erase-closed-accounts",
  retriesMax: 3,
  retryDelaySeconds: 600,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 12 * 3_600,
  concurrency: 2,
  cron: "27 3 * * *",
  handle: async (deps) => await eraseClosedAccounts(deps),
};

/** A run that is killed is taken up by the next one: every step may be done twice. One account that fails does not stop the others. */
export async function eraseClosedAccounts(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - CLOSED_ACCOUNT_DAYS * DAY_MS);
  const failures: unknown[] = [];
  for (const account of await selectClosedBefore(deps.db, before)) {
    try {
      await eraseAccount(deps, account.userId);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts could not be erased`);
}

async function eraseAccount(deps: Deps, userId: string): Promise<void> {
  const { db, clock } = deps;
  // From here on no administrator opens it again.
  if (!(await beginErasing(db, userId, clock.now()))) return;
  await cancelMessagesOf(deps, userId);
  await eraseMessagesOf(deps, userId);
  for (const rows of ROWS_OF_CUSTOMERS) while ((await deleteRows(db, rows, userId)) > 0);
  await removeFiles(deps, userId);
  await eraseMoneyNames(db, userId);
  await withTransaction(db, async (tx) => {
    if (!(await endErasing(tx, userId, clock.now()))) return;
    await erasePerson(tx, userId);
    await deps.recordAudit(tx, { personId: userId, action: "erase-account", subjectId: userId, clientAddress: "" });
  });
  deps.log.info({ userId }, "erased a closed account");
}

/** The rows of receipts stay, because a deposit names its own; their bytes are gone. */
async function removeFiles({ db, config }: Deps, userId: string): Promise<void> {
  const store = await openFileStore(config);
  try {
    for (const name of await selectFileNames(db, userId)) await store.remove(name);
  } finally {
    store.close();
  }
}
