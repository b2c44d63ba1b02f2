/** query_sm and cancel_sm: what has become of a submit, and the end of one that has not left. replace_sm is refused. */
import {
  commandStatus,
  type IncomingRequest,
  type MessageCancel,
  type MessageQuery,
  type MessageState,
} from "@ewebal/smpp";
import { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ProgramKey } from "../../accounts/index.ts";
import { cancelMessage, listRecipients, type Recipient } from "../../delivery/index.ts";
import { accessLimits } from "../access-limits.ts";
import { readSubmitId, writeSubmitId } from "../submits/submit-queue.ts";
import { findSubmit, selectScheduled, type FoundSubmit } from "./request-store.ts";

type RequestDeps = Pick<Deps, "db" | "clock" | "log">;

const states: Partial<Record<Recipient["state"], MessageState>> = {
  waiting: "accepted",
  sent: "enroute",
  delivered: "delivered",
  failed: "undeliverable",
  dnd: "rejected",
  optedOut: "rejected",
  cancelled: "deleted",
  expired: "expired",
};
const FINAL: ReadonlySet<MessageState> = new Set(["delivered", "undeliverable", "rejected", "deleted", "expired"]);

/** Answers by itself, and never rejects. */
export async function answerRequest(deps: RequestDeps, key: ProgramKey, incoming: IncomingRequest): Promise<void> {
  const { request } = incoming;
  try {
    if (request.kind === "query") await answerQuery(deps, key, incoming, request);
    else if (request.kind === "cancel") await answerCancel(deps, key, incoming, request);
    else incoming.refuse(commandStatus.ESME_RREPLACEFAIL);
  } catch (error) {
    deps.log.error({ err: error, kind: request.kind }, "a request about a submit failed");
    incoming.refuse(commandStatus.ESME_RSYSERR);
  }
}

async function answerQuery(
  { db }: RequestDeps,
  key: ProgramKey,
  incoming: IncomingRequest,
  query: MessageQuery,
): Promise<void> {
  const found = await findOwn(db, key, query.messageId);
  if (found === undefined || !isFrom(found, query.source.address)) {
    incoming.refuse(commandStatus.ESME_RINVMSGID);
    return;
  }
  const { state, at } = await stateOfSubmit(db, key.userId, found);
  incoming.accept({
    messageId: writeSubmitId(found.submitId),
    state,
    finalDate: FINAL.has(state) && at !== undefined ? writeSmppTime(at) : "",
    errorCode: 0,
  });
}

async function stateOfSubmit(
  db: Deps["db"],
  userId: string,
  { messageId, hasExpired }: FoundSubmit,
): Promise<{ state: MessageState; at?: Date }> {
  if (messageId === null) return { state: hasExpired ? "expired" : "accepted" };
  try {
    const [recipient] = (await listRecipients(db, { userId, messageId, limit: 1, viewer: "administrator" })).rows;
    if (recipient === undefined) return { state: "unknown" };
    return { state: states[recipient.state] ?? "unknown", at: recipient.updatedAt };
  } catch (error) {
    // Its month is no longer kept.
    if (error instanceof AppError && error.code === "NOT_FOUND") return { state: "unknown" };
    throw error;
  }
}

async function answerCancel(
  deps: RequestDeps,
  key: ProgramKey,
  incoming: IncomingRequest,
  request: MessageCancel,
): Promise<void> {
  const messageIds = await findToCancel(deps, key, request);
  if (messageIds === undefined) {
    incoming.refuse(commandStatus.ESME_RINVMSGID);
    return;
  }
  let cancelled = 0;
  for (const messageId of messageIds) if (await cancelOne(deps, { userId: key.userId, messageId })) cancelled += 1;
  if (cancelled > 0) incoming.accept();
  else incoming.refuse(commandStatus.ESME_RCANCELFAIL);
}

/** @returns undefined where the id is none of the key's; nothing for a part whose message has not come together. */
async function findToCancel(
  { db }: RequestDeps,
  key: ProgramKey,
  { messageId, source, destination }: MessageCancel,
): Promise<string[] | undefined> {
  if (messageId !== "") {
    const found = await findOwn(db, key, messageId);
    if (found === undefined || !isFrom(found, source.address)) return undefined;
    return found.messageId === null ? [] : [found.messageId];
  }
  const { userId, keyId } = key;
  const addresses = { source: source.address, destination: destination?.address ?? "" };
  return await selectScheduled(db, { userId, keyId, ...addresses, limit: accessLimits.cancelledPerRequest });
}

/** @returns false when everything of it has left already. */
async function cancelOne({ db, clock }: RequestDeps, key: { userId: string; messageId: string }): Promise<boolean> {
  try {
    await withTransaction(db, (tx) => cancelMessage(tx, key, clock.now()), { repeatable: true });
    return true;
  } catch (error) {
    if (error instanceof AppError && (error.code === "STATE_CONFLICT" || error.code === "NOT_FOUND")) return false;
    throw error;
  }
}

async function findOwn(db: Deps["db"], key: ProgramKey, messageId: string): Promise<FoundSubmit | undefined> {
  const submitId = readSubmitId(messageId);
  return submitId === undefined ? undefined : await findSubmit(db, { ...key, submitId });
}

/** The specification asks for the sender of the submit; many clients leave it out. */
function isFrom({ source }: FoundSubmit, address: string): boolean {
  return address === "" || address === source;
}

/** `YYMMDDhhmmsstnnp` in UTC. */
function writeSmppTime(at: Date): string {
  return `${at.toISOString().replaceAll(/\D/g, "").slice(2, 15)}00+`;
}
