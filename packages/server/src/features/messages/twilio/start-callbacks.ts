/**
 * Tells Twilio clients what becomes of their messages, from any number of hosts.
 *
 * report feed -> callback rows (one transaction) -> leased by one process -> told (2xx), and the row deleted;
 *   -> put off (5 s, 30 s, 2 min, 10 min, 1 h later) -> given up after the sixth try. A process that dies lets its leases run out.
 *
 * The states of one message are told in order: the next one waits until the one before it was told or given up. A state is told at least once.
 * A customer has ten under way at most, so that one whose server is slow delays nobody else.
 */
import { createHmac } from "node:crypto";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { GuardedPoster } from "../../../http/outbound/guarded-post.ts";
import { readKeyToken } from "../../accounts/index.ts";
import { dropFromFeed, type FeedRow, hasFeed, readFailure, readFeed } from "../../delivery/index.ts";
import {
  deleteCallback,
  type DueCallback,
  insertCallback,
  leaseCallback,
  postponeCallback,
  selectDueCallbacks,
  takeSentTurn,
} from "./callback-store.ts";
import { failedAs, OPTED_OUT, sidOf, VALIDITY_OVER } from "./present-twilio.ts";
import { findSender, type TwilioMessage } from "./twilio-store.ts";

const LOOK_MS = 300;
/** Looks that are left out when nothing was due: callbacks that come again, or whose process died, may wait for a second. */
const QUIET_LOOKS = 3;
const FEED_ROWS_MAX = 200;
const PLACES = 200;
const PLACES_OF_CUSTOMER = 10;
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1_000;
/** Longer than any try takes. */
const LEASE_MS = 30_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000];

type CallbackDeps = Pick<Deps, "db" | "clock" | "config" | "log">;

export function startTwilioCallbacks(deps: CallbackDeps): { stop: () => Promise<void> } {
  const poster = new GuardedPoster(deps.config);
  const underWay = new Map<Promise<void>, string>();
  let looking: Promise<void> | undefined;
  let quietLooks = 0;

  async function look(): Promise<void> {
    let hasNew = false;
    while (await hasFeed(deps.db, "twilio")) {
      hasNew = true;
      if (!(await collectCallbacks(deps))) break;
    }
    if (!hasNew && underWay.size === 0 && quietLooks > 0) {
      quietLooks -= 1;
      return;
    }
    const busyUsers = [...Map.groupBy(underWay.values(), (userId) => userId)]
      .filter(([, own]) => own.length >= PLACES_OF_CUSTOMER)
      .map(([userId]) => userId);
    const limit = PLACES - underWay.size;
    if (limit <= 0) return;
    const now = deps.clock.now();
    const due = await selectDueCallbacks(deps.db, { now, busyUsers, perUserMax: PLACES_OF_CUSTOMER, limit });
    // One that is under way may have the next state of its message behind it.
    if (!hasNew && due.length === 0 && underWay.size === 0) quietLooks = QUIET_LOOKS;
    for (const callback of due) {
      if (!(await leaseCallback(deps.db, callback, new Date(now.getTime() + LEASE_MS)))) continue;
      const told = tell(deps, poster, callback)
        .catch((error: unknown) => deps.log.warn({ err: error }, "a callback could not be told and comes again"))
        .finally(() => underWay.delete(told));
      underWay.set(told, callback.userId);
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => deps.log.warn({ err: error }, "the look for callbacks failed and comes again"))
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
      await Promise.all(underWay.keys());
      poster.close();
    },
  };
}

/** Makes callbacks of what the feed has. @returns whether there may be more. */
async function collectCallbacks({ db, clock }: CallbackDeps): Promise<boolean> {
  return await withTransaction(
    db,
    async (tx) => {
      const rows = await readFeed(tx, "twilio", FEED_ROWS_MAX);
      for (const { userId, messageId, state, recipients } of rows) {
        const fate = fateOfReport(state, recipients[0]?.errorCode ?? null);
        if (fate === undefined) continue;
        const made = { userId, messageId, at: clock.now() };
        const hasLeft = HAVE_LEFT.has(fate.status);
        if (hasLeft && (await takeSentTurn(tx, made)))
          await insertCallback(tx, { ...made, status: "sent", errorCode: null });
        if (fate.status !== "sent") await insertCallback(tx, { ...made, ...fate });
      }
      await dropFromFeed(tx, "twilio", rows);
      return rows.length === FEED_ROWS_MAX;
    },
    { repeatable: true },
  );
}

const HAVE_LEFT: ReadonlySet<string> = new Set(["sent", "delivered", "undelivered"]);

/** @returns undefined for what may still be settled: a lost answer. */
function fateOfReport(
  state: FeedRow["state"],
  errorCode: string | null,
): { status: string; errorCode: number | null } | undefined {
  if (state === "sent" || state === "delivered") return { status: state, errorCode: null };
  if (state === "failed" || state === "dnd") return failedAs(readFailure(errorCode, state));
  if (state === "optedOut") return { status: "failed", errorCode: OPTED_OUT };
  if (state === "expired") return { status: "failed", errorCode: VALIDITY_OVER };
  return state === "cancelled" ? { status: "canceled", errorCode: null } : undefined;
}

async function tell(deps: CallbackDeps, poster: GuardedPoster, callback: DueCallback): Promise<void> {
  const message = await findSender(deps.db, callback);
  const token = message && (await readKeyToken(deps, message.keyId));
  // Without the key nothing can be signed, and an unsigned call would be believed by nobody.
  if (message?.statusCallback == null || token === undefined) return await deleteCallback(deps.db, callback);
  const fields = fieldsOf(message, callback);
  const { status } = await poster.post({
    url: message.statusCallback,
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
      "x-twilio-signature": signCallback(token, message.statusCallback, fields),
      "user-agent": "TwilioProxy/1.1 (compatible)",
    },
    body: new URLSearchParams(fields).toString(),
    timeoutMs: ANSWER_TIMEOUT_MS,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  if (status >= 200 && status < 300) return await deleteCallback(deps.db, callback);
  const delayMs = RETRY_MS[callback.tries];
  if (delayMs === undefined) return await deleteCallback(deps.db, callback);
  await postponeCallback(deps.db, callback, new Date(deps.clock.now().getTime() + delayMs));
}

function fieldsOf(message: TwilioMessage, { status, errorCode }: DueCallback): Record<string, string> {
  const sid = sidOf(message.messageId);
  return {
    MessageSid: sid,
    SmsSid: sid,
    AccountSid: message.accountSid,
    MessageStatus: status,
    SmsStatus: status,
    To: `+${message.phoneNo}`,
    From: message.senderName,
    ApiVersion: "2010-04-01",
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
  };
}

/** As https://www.twilio.com/docs/usage/security says: the address, then each field's name and value in the order of the names. */
function signCallback(token: string, url: string, fields: Record<string, string>): string {
  const sorted = Object.keys(fields).toSorted((one, other) => (one < other ? -1 : 1));
  const signed = url + sorted.map((name) => `${name}${fields[name] ?? ""}`).join("");
  return createHmac("sha1", token).update(signed).digest("base64");
}
