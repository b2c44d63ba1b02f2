/**
 * Messages that repeat. The message that was scheduled waits, with the units of its next time; when that comes, what goes out is a message of its own:
 * checked, priced and held like any send of that moment. What may not go out then is skipped, and a mail says so.
 */
import { lagosMoment, listRepeatTimes } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { AppError } from "../../../base/errors.ts";
import type { Tx } from "../../../db/transaction.ts";
import { holdUnits, settleHold } from "../../../ledger/index.ts";
import { writeMail, type MailContent } from "../../../mail/index.ts";
import { findCustomer, type Customer } from "../../accounts/index.ts";
import {
  deleteScheduledMessage,
  lockDueMessage,
  moveScheduledMessage,
  nameHold,
  type ScheduledMessage,
  type SendRepeated,
} from "../../delivery/index.ts";
import { sendMessage } from "../send/send-message.ts";
import type { SendDeps } from "../send/send.ts";
import { readScheduledRequest } from "./edit-scheduled.ts";

type Key = { userId: string; messageId: string };

/** @returns what the worker calls when the time of such a message has come, with the message locked. */
export function createSendRepeated(deps: SendDeps): SendRepeated {
  return async (tx, key, now) => {
    const message = await lockDueMessage(tx, key);
    const refusal = await within(tx, async () => await sendOnceMore(deps, tx, key, message));
    const left = refusal === undefined ? { ...message, holdId: undefined } : message;
    const next = findNext(message, now);
    if (next === undefined) await deleteScheduledMessage(tx, key, now);
    else await waitUntil(tx, key, left, next);
    if (refusal !== undefined && message.mode === "live") await tellOwner(deps, tx, key, { message, refusal, next });
  };
}

/** Times that passed while no worker ran are left out: the message goes out once, late. */
function findNext({ repeat, timeZone, sendAt }: ScheduledMessage, now: Date): Date | undefined {
  if (repeat === undefined) return undefined;
  const from = new Date(Math.max(now.getTime(), sendAt.getTime()) + 1);
  return listRepeatTimes(repeat, timeZone, from, 1)[0];
}

async function sendOnceMore(deps: SendDeps, tx: Tx, key: Key, message: ScheduledMessage): Promise<void> {
  const { userId } = key;
  const { holdId } = message;
  const request = await readScheduledRequest(deps, tx, key, message, {});
  const caller = { userId, via: "repeat", mode: message.mode, clientAddress: "" } as const;
  await sendMessage(deps, tx, caller, request, undefined, {
    taken: { heldMilli: holdId === undefined ? 0 : message.heldMilli, countedRecipients: 0 },
    giveBack: async () => {
      if (holdId === undefined) return;
      await settleHold(tx, { userId, holdId });
      await nameHold(tx, key, undefined);
    },
  });
}

/** Lets the message wait for its next time, with its units set aside where there are enough. Without them it is tried when the time comes. */
async function waitUntil(tx: Tx, key: Key, message: ScheduledMessage, next: Date): Promise<void> {
  await moveScheduledMessage(tx, key, { sendAt: next, timeZone: message.timeZone });
  if (message.holdId !== undefined || message.heldMilli === 0 || message.mode === "test") return;
  await within(tx, async () => {
    const holdId = uuidv7();
    await holdUnits(tx, {
      userId: key.userId,
      holdId,
      amountMilli: message.heldMilli,
      sendId: key.messageId,
    });
    await nameHold(tx, key, holdId);
  });
}

/** Does the work, or none of it where a rule refuses it. @returns the refusal. */
async function within(tx: Tx, work: () => Promise<void>): Promise<AppError | undefined> {
  await tx.query("savepoint occurrence");
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.query("rollback to savepoint occurrence");
    return error;
  }
  await tx.query("release savepoint occurrence");
  return undefined;
}

type Skipped = { message: ScheduledMessage; refusal: AppError; next: Date | undefined };

async function tellOwner(deps: SendDeps, tx: Tx, { userId }: Key, skipped: Skipped): Promise<void> {
  const customer = await findCustomer(tx, userId);
  if (customer !== undefined) await writeMail(deps, tx, skippedMail(deps, customer, skipped));
}

const TEXT_SHOWN_MAX = 100;

function skippedMail(
  { config: { brand } }: Pick<SendDeps, "config">,
  { email, userName }: Customer,
  { message, refusal, next }: Skipped,
): MailContent {
  const text = Array.from(message.body);
  const shown = text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX).join("")}…` : message.body;
  const needsUnits = refusal.code === "UNITS_REQUIRED";
  return {
    recipient: email,
    subject: needsUnits ? "A repeating message was skipped: not enough units" : "A repeating message was skipped",
    greetingName: userName,
    blocks: [
      {
        kind: "text",
        text: needsUnits
          ? "A message that repeats was not sent this time, because there were not enough units for it:"
          : `A message that repeats was not sent this time. ${brand.name} refused it: ${refusal.message}`,
      },
      {
        kind: "facts",
        rows: [
          ["Sender name", message.senderName],
          ["Message", shown.replaceAll(/\s+/g, " ")],
          ["Recipients", message.waitingCount.toLocaleString("en")],
          ["Skipped", lagosMoment(message.sendAt)],
          ["Next time", next === undefined ? "none: this was the last" : lagosMoment(next)],
        ],
      },
      needsUnits
        ? { kind: "action", label: "Buy units", path: "/user-dashboard/buy-sms" }
        : { kind: "action", label: "See scheduled messages", path: "/user-dashboard/scheduled-sms" },
    ],
  };
}
