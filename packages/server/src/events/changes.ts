/**
 * What happened, by name, and whose open pages look different because of it. An operation that changes something publishes
 * one of these in its transaction; which topics go to whom is known here alone.
 */
import type { ChangeTopic } from "@ewebal/contract";
import { notify } from "../db/listen.ts";
import type { Queryable } from "../db/pool.ts";
import {
  audienceName,
  EVENT_CHANNEL,
  writeChange,
  writeSessionEnd,
  type OutgoingHint,
  type SessionEnd,
} from "./hint.ts";

/** One hint for each audience, in the order in which they are sent. */
export type Change = readonly OutgoingHint[];

type MessageKey = { userId: string; messageId: string };

/**
 * Tells the open pages that something changed, from inside the transaction that changes it: PostgreSQL delivers the
 * hints after the commit, and not at all after a roll-back. Repeating one within a transaction costs nothing.
 */
export async function publishChange(tx: Queryable, change: Change): Promise<void> {
  const payloads = change.map((hint) => writeChange(audienceName(hint), hint.topics));
  await notify(tx, EVENT_CHANNEL, payloads);
}

/** Ends the open streams of sessions that this transaction ends (sign-out, block, password change), in every process. */
export async function publishSessionEnd(tx: Queryable, end: SessionEnd): Promise<void> {
  await notify(tx, EVENT_CHANNEL, [writeSessionEnd(end)]);
}

/** Pages of administrators show every customer, so that most changes of a customer concern them as well. */
const ADMINS: OutgoingHint = { admin: true, topics: ["admin"] };

function toCustomer(userId: string, ...topics: ChangeTopic[]): OutgoingHint {
  return { userId, topics };
}

function toAdmins(...topics: ChangeTopic[]): OutgoingHint {
  return { admin: true, topics };
}

function toEveryone(...topics: ChangeTopic[]): OutgoingHint {
  return { everyone: true, topics };
}

// Accounts

export const customerRegistered = (): Change => [toAdmins("admin", "newest-customers")];
export const customerVerified = (): Change => [toAdmins("admin", "newest-customers")];
export const customerSignedIn = (): Change => [ADMINS];
export const customerSignedOut = (): Change => [ADMINS];
/** Facts about the customer, a block, or a limit on what they may send. */
export const customerChanged = (userId: string): Change => [toCustomer(userId, "user"), ADMINS];
export const customerEdited = (userId: string): Change => [toCustomer(userId, "user", "whitelists"), ADMINS];
export const sessionsChanged = (userId: string): Change => [toCustomer(userId, "sessions")];
/** Who shares an account, and as what. */
export const membersChanged = (userId: string): Change => [toCustomer(userId, "members", "user")];
/** A sub-account was made or capped, or units moved between the two. */
export const subAccountsChanged = (parentId: string): Change => [toCustomer(parentId, "sub-accounts", "user"), ADMINS];
export const apiKeysChanged = (userId: string): Change => [toCustomer(userId, "api-keys"), ADMINS];
export const callLimitChanged = (): Change => [ADMINS];

// Administrators

/** Who is an administrator, in which role, and what is known about them. */
export const administratorsChanged = (): Change => [ADMINS];
export const twoFactorTurnedOff = (): Change => [ADMINS];
/** An administrator continues as the customer of the same mailbox. */
export const modeSwitched = (): Change => [ADMINS];
/** Something waits for a second administrator, or does not any more. */
export const approvalsChanged = (): Change => [toAdmins("admin", "waiting")];
/** An alarm opened, closed or was silenced. */
export const alarmsChanged = (): Change => [toAdmins("admin", "waiting")];
export const auditEntryWritten = (): Change => [ADMINS];
export const overviewRefreshed = (): Change => [toAdmins("overview")];
export const announcementsChanged = (): Change => [toEveryone("announcements")];
/** A customer took one off their own dashboard. */
export const announcementDismissed = (userId: string): Change => [toCustomer(userId, "announcements")];

// Units and money

export const balanceChanged = (userId: string): Change => [toCustomer(userId, "user"), ADMINS];
const depositChanged = (userId: string): Change => [
  toCustomer(userId, "transfers", "user"),
  toAdmins("transfers", "admin", "waiting"),
];
export const depositSubmitted = depositChanged;
export const depositDecided = depositChanged;
export const depositHidden = depositChanged;
export const paymentStarted = (userId: string): Change => [toCustomer(userId, "payments")];
/** The payment has another state, and no units moved. */
export const paymentChanged = (userId: string): Change => [toCustomer(userId, "payments"), toAdmins("payments")];
export const paymentSettled = (userId: string): Change => [
  toCustomer(userId, "payments", "user"),
  toAdmins("admin", "payments"),
];
/** A refund or a dispute takes units back, and a dispute waits for an administrator. */
export const paymentChargedBack = (userId: string): Change => [
  toCustomer(userId, "payments", "user"),
  toAdmins("admin", "payments", "waiting"),
];
export const ratesChanged = (): Change => [toEveryone("rates")];

// Contacts

export const catalogChanged = ({ userId, catalogId }: { userId: string; catalogId: string }): Change => [
  toCustomer(userId, "catalogs", `catalog:${catalogId}`, "user"),
  ADMINS,
];

// Messages. The lists come first: they are what somebody looks at, and are read in a fraction of the time.

export const messageSent = (userId: string): Change => [toCustomer(userId, "messages", "user"), ADMINS];
const messageSteered = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "messages", `message:${messageId}`, "user"),
  ADMINS,
];
export const messagePaused = messageSteered;
export const messageResumed = messageSteered;
export const messageDeleted = messageSteered;
export const messageCancelled = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "messages", "scheduled", `message:${messageId}`, "user"),
  ADMINS,
];
export const heldMessageDecided = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "messages", "scheduled", `message:${messageId}`, "user"),
  toAdmins("admin", "waiting", `admin:message:${messageId}`),
];
/** Recipients of a running message have new outcomes. */
export const messageProgressed = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "user", `message:${messageId}`),
  toAdmins(`admin:message:${messageId}`),
];
/** A member's message waits for an approver. */
export const messageAwaitsApproval = (userId: string): Change => [toCustomer(userId, "approvals")];
/** An approver has decided on a member's message. */
export const messageApproved = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "approvals", "messages", "scheduled", `message:${messageId}`, "user"),
  toAdmins("admin", "waiting"),
];
export const messageScheduled = (userId: string): Change => [toCustomer(userId, "scheduled", "user"), ADMINS];
export const scheduledMessageEdited = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "user", "scheduled", `message:${messageId}`),
  ADMINS,
];
export const scheduledMessageDeleted = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "scheduled", `message:${messageId}`, "user"),
  ADMINS,
];
/** Its time has come: it is being sent, or was given up. */
export const scheduledMessageStarted = ({ userId, messageId }: MessageKey): Change => [
  toCustomer(userId, "scheduled", "messages", `message:${messageId}`, "user"),
  ADMINS,
];
export const draftCreated = (userId: string): Change => [toCustomer(userId, "drafts", "user"), ADMINS];
export const draftEdited = (userId: string): Change => [toCustomer(userId, "drafts"), ADMINS];
export const draftDeleted = (userId: string): Change => [toCustomer(userId, "drafts", "user"), ADMINS];
/** What was sent is published as a message of its own. */
export const draftSent = (userId: string): Change => [toCustomer(userId, "drafts"), ADMINS];
export const whitelistRequested = (userId: string): Change => [
  toCustomer(userId, "whitelists"),
  toAdmins("admin", "waiting"),
];
export const whitelistDecided = (userId: string): Change => [
  toCustomer(userId, "whitelists", "user"),
  toAdmins("admin", "waiting"),
];
/** Requests for the names are decided with it. */
export const senderNamesGiven = whitelistDecided;
export const addressRestrictionChanged = (userId: string): Change => [toCustomer(userId, "whitelists")];
export const dndListChanged = (): Change => [ADMINS];
/** To a number that is nobody's. */
export const inboundMessageReceived = (): Change => [ADMINS];
/** A message from a phone came in, or was answered. */
export const inboxChanged = (userId: string): Change => [toCustomer(userId, "inbox")];
export const optOutsChanged = (userId: string): Change => [toCustomer(userId, "opt-outs")];
export const inboundNumbersChanged = (): Change => [ADMINS];

// Carriers

/** Everybody is told whether messages reach real phones. */
export const carriersChanged = (): Change => [toAdmins("carriers"), toEveryone("brand")];
export const contentRulesChanged = (): Change => [toAdmins("admin")];
/** A message waits for an administrator before it is sent. */
export const messageInReview = (): Change => [toAdmins("admin", "waiting")];
/** Messages wait, or go on, that did not before. */
export const quietHoursChanged = (): Change => [toAdmins("admin"), toEveryone("messages", "scheduled")];
export const carrierHealthChanged = (): Change => [toAdmins("carriers")];
