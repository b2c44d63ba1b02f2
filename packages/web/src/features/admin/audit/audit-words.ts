/** The audit in sentences: one for each action that there can be, which the compiler holds, and names for the facts behind them. */
import type { AuditEntryAnswer } from "@ewebal/contract";
import type { AuditAction, AuditKind } from "@ewebal/contract/rules";
import { formatCount, formatDateTime, formatRate, formatUnits } from "../../../lib/texts/format.ts";

export const auditKindLabels: Readonly<Record<AuditKind, string>> = {
  money: "Money and rates",
  privacy: "People's data",
  approvals: "Second signatures",
  senderNames: "Sender names and addresses",
  users: "Users",
  accounts: "Customers' teams",
  administrators: "Administrators",
  sending: "Carriers and messages",
  announcements: "Announcements",
  reading: "Reading of private data",
};

/** What an entry knows, read as texts. */
type Facts = {
  /** The e-mail of whom it was done to. */
  whom: string;
  /** A fact of after, else of before; empty when there is none. */
  get: (name: string) => string;
  /** A number among them; undefined when there is none. */
  count: (name: string) => number | undefined;
  list: (name: string) => readonly string[];
  was: (name: string) => string;
  changed: readonly string[];
};

/** The rest of a sentence that begins with the administrator's name, without its full stop. */
type Sentence = (facts: Facts) => string;

const unitsOf = ({ count }: Facts): string => {
  const units = count("units");
  return units === undefined ? "units" : `${formatUnits(units)} units`;
};
const nairaOf = ({ count }: Facts): string => {
  const amount = count("amountDeposited");
  return amount === undefined ? "" : ` of ${formatUnits(amount)} naira`;
};
/** `the sender name ADASTORES`, `the sender names A, B` or `the IP address 192.0.2.7`. */
const nameOf = ({ get, list }: Facts): string => {
  const names = [...list("senderNames"), ...list("names"), ...[get("senderName")].filter((name) => name !== "")];
  if (names.length === 0) return get("ip") === "" ? "a sender name" : `the IP address ${get("ip")}`;
  return `the sender ${names.length === 1 ? "name" : "names"} ${names.join(", ")}`;
};
const rateOf = ({ count, get }: Facts): string => {
  const rate = count("rate");
  const price = rate === undefined ? "the standard rate" : `${formatRate(rate)} naira a page`;
  return `of +${get("code")} to ${price}${get("from") === "" ? "" : `, from ${formatDateTime(get("from"))}`}`;
};
const because = ({ get }: Facts): string => (get("reason") === "" ? "" : `, because: ${get("reason")}`);
const numbersOf = ({ count }: Facts): string => {
  const numbers = count("count") ?? 0;
  return numbers === 1 ? "1 number" : `${formatCount(numbers)} numbers`;
};
const inboundNumberOf = ({ get }: Facts): string =>
  get("keyword") === "" ? `the number ${get("number")}` : `the keyword ${get("keyword")} of ${get("number")}`;
const carrierOf = ({ get }: Facts): string => (get("name") === "" ? "a carrier" : `the carrier ${get("name")}`);
const ASK = "asked a second administrator to";

const sentences: Readonly<Record<AuditAction, Sentence>> = {
  "credit-a-user": (facts) => `credited ${unitsOf(facts)} to ${facts.whom}`,
  "propose-credit-a-user": (facts) => `${ASK} credit ${unitsOf(facts)} to ${facts.whom}`,
  "credit-user": (facts) => `accepted a deposit${nairaOf(facts)} and credited ${unitsOf(facts)} to ${facts.whom}`,
  "propose-credit-user": (facts) => `${ASK} credit ${unitsOf(facts)} to ${facts.whom} for a deposit`,
  "confirm-credit": ({ whom }) => `confirmed a credit to ${whom}`,
  "declined-transaction": (facts) => `declined a deposit${nairaOf(facts)} of ${facts.whom}${because(facts)}`,
  "edit-rate": (facts) => `changed the rate ${rateOf(facts)}`,
  "withdraw-rate": (facts) => `withdrew the planned rate ${rateOf(facts)}`,
  "set-customer-price": (facts) => `changed the price of ${facts.whom} ${rateOf(facts)}`,
  "set-tiers": ({ list }) =>
    list("tiers").length === 0 ? "ended all tiers" : `set the tiers (units: discount) ${list("tiers").join(", ")}`,
  "set-carrier-cost": (facts) =>
    `set what ${carrierOf(facts)} bills for +${facts.get("prefix")} to ${facts.get("cost") === "" ? "nothing known" : `${facts.get("cost")} naira a part`}`,
  "close-account": ({ whom }) => `closed the account ${whom}`,
  "erase-account": () => "was erased, 30 days after the account was closed",
  "export-data": ({ whom }) => `asked for the data of the account ${whom}`,
  "erase-number": ({ get }) => `had the number ${get("phoneNo")} erased everywhere`,
  approve: ({ was }) => `approved what another administrator asked for: ${was("what")}`,
  decline: ({ was }) => `declined what another administrator asked for: ${was("what")}`,
  "whitelist-user-senderID": (facts) => `gave ${nameOf(facts)} to ${facts.whom}`,
  "propose-whitelist-user-senderID": (facts) => `${ASK} give ${nameOf(facts)} to ${facts.whom}`,
  "approve-whitelist-request": (facts) => `approved ${nameOf(facts)} of ${facts.whom}`,
  "propose-approve-whitelist-request": (facts) => `${ASK} approve ${nameOf(facts)} of ${facts.whom}`,
  "decline-whitelist-request": (facts) => `declined ${nameOf(facts)} of ${facts.whom}${because(facts)}`,
  "update-user": ({ whom, changed }) => `changed ${wordsOf(changed)} of ${whom}`,
  "propose-update-user": (facts) => `${ASK} give ${nameOf(facts)} to ${facts.whom}`,
  "block-user": ({ whom }) => `blocked ${whom}`,
  "unblock-user": ({ whom }) => `unblocked ${whom}`,
  "approve-user": ({ whom }) => `gave ${whom} the Approved badge`,
  "unapprove-user": ({ whom }) => `took the Approved badge from ${whom}`,
  "set-daily-limit": ({ whom, get, count }) =>
    `set the daily limit of ${whom} for +${get("code")} to ${limitOf(count("recipientsMax"), "recipients")}`,
  "set-call-limit": ({ whom, count }) =>
    `set the API limit of ${whom} to ${limitOf(count("perSecond"), "calls a second")}`,
  "allow-transactional": ({ whom, get }) =>
    get("allowed") === "true"
      ? `allowed ${whom} to send transactional messages`
      : `no longer allows ${whom} to send transactional messages`,
  "revoke-user-api-key": ({ whom, get }) => `revoked the API key ${get("name")} of ${whom}`,
  "verify-admin": ({ get }) =>
    get("state") === "waiting"
      ? "verified their mailbox and waits for an owner"
      : "verified their mailbox and was let in",
  "invite-admin": ({ get }) => `invited ${get("email")} as ${get("role")}`,
  "approve-admin": ({ whom }) => `let ${whom} in as an administrator`,
  "block-admin": ({ whom }) => `blocked the administrator ${whom}`,
  "unblock-admin": ({ whom }) => `unblocked the administrator ${whom}`,
  "remove-admin": ({ was, whom }) => `removed the administrator ${was("email") === "" ? whom : was("email")}`,
  "set-admin-role": ({ whom, was, get }) => `made ${whom} ${get("role")} instead of ${was("role")}`,
  "propose-set-admin-role": ({ whom, get }) => `${ASK} make ${whom} ${get("role")}`,
  "update-admin-profile": ({ changed }) => `changed their own ${wordsOf(changed).replace(/^the /, "")}`,
  "change-user-password": () => "changed their own password",
  "turn-off-two-factor": ({ whom }) => `turned two-factor sign-in off for ${whom}`,
  "invite-member": ({ whom, get }) => `invited ${get("email")} as ${get("role")} to the account of ${whom}`,
  "edit-member": ({ whom, get, was }) =>
    `made ${get("email")} ${get("role")} in the account of ${whom}, who was ${was("role")}`,
  "remove-member": ({ whom, get }) => `removed ${get("email")} from the account of ${whom}`,
  "set-approval-limit": ({ whom, count }) =>
    count("recipients") === undefined
      ? `lets messages of the account of ${whom} go out without approval`
      : `has messages of the account of ${whom} to more than ${formatCount(count("recipients") ?? 0)} recipients wait for approval`,
  "make-sub-account": ({ whom, get }) => `made the sub-account ${get("email")} for ${whom}`,
  "edit-sub-account": ({ get, count }) =>
    `limited ${get("email")} to ${limitOf(count("capUnitsPerDay"), "units a day")}`,
  "move-units": (facts) => {
    const units = facts.count("units") ?? 0;
    const amount = `${formatUnits(Math.abs(units))} units`;
    return units < 0
      ? `took ${amount} back into the account of ${facts.whom}`
      : `gave ${amount} of ${facts.whom} to a sub-account`;
  },
  "confirm-two-factor": () => "turned their own two-factor sign-in on",
  "two-factor": () => "turned their own two-factor sign-in off",
  "finish-passkey": ({ get }) => `added the passkey "${get("name")}" to their own account`,
  passkey: ({ get }) => `removed the passkey "${get("name")}" from their own account`,
  "switch-to-admin": () => "switched from the customer side to the admin side",
  "act-for": ({ whom, get }) => `looked at the account of ${whom}: “${get("reason")}”`,
  "switch-to-user": () => "switched from the admin side to the customer side",
  "add-carrier": (facts) => `added ${carrierOf(facts)}`,
  "edit-carrier": (facts) => `changed ${carrierOf(facts)}`,
  "switch-carrier": (facts) => `switched ${carrierOf(facts)} ${facts.get("isEnabled") === "false" ? "off" : "on"}`,
  "remove-carrier": (facts) => `removed ${carrierOf(facts)}`,
  "test-carrier": ({ get }) => `tested the connection to ${get("host")}:${get("port")}`,
  "add-dnd-numbers": (facts) => `added ${numbersOf(facts)} to the DND list`,
  "remove-dnd-numbers": (facts) => `removed ${numbersOf(facts)} from the DND list`,
  "assign-number": (facts) => `gave ${inboundNumberOf(facts)} to ${facts.whom}`,
  "unassign-number": (facts) => `took ${inboundNumberOf(facts)} from ${facts.whom}`,
  "add-content-rule": ({ get }) => `added the content rule “${get("pattern")}” (${get("where")}, ${get("action")})`,
  "edit-content-rule": (facts) => {
    const { get, was } = facts;
    const isOff = get("isEnabled") === "false";
    if (was("isEnabled") !== get("isEnabled"))
      return `switched the content rule “${get("pattern")}” ${isOff ? "off" : "on"}`;
    return `changed the content rule “${get("pattern")}” (${get("where")}, ${get("action")})`;
  },
  "remove-content-rule": ({ get }) => `removed the content rule “${get("pattern")}”`,
  "set-quiet-hours": ({ get }) =>
    `lets promotional messages to +${get("code")} leave from ${get("opensAt")} to ${get("closesAt")} (${get("timeZone")})`,
  "remove-quiet-hours": ({ get }) => `removed the quiet hours of +${get("code")}`,
  "release-message": ({ whom }) => `released a message of ${whom}`,
  "silence-alarm": ({ get }) => `silenced the alarm “${get("kind")}” until ${get("until")}`,
  "refuse-message": (facts) => `refused a message of ${facts.whom}${because(facts)}`,
  "make-general-announcement": ({ get }) => `posted the announcement “${get("hint")}”`,
  "edit-general-announcement": ({ get }) => `changed the announcement “${get("hint")}”`,
  "clear-general-announcement": ({ get }) => `cleared the announcement “${get("hint")}”`,
  "view-any-sms": () => "read a message",
  "view-one-sms": () => "read a message",
  "view-scheduled-sms": () => "read a scheduled message",
  recipients: () => "read the recipients of a message",
  "view-all-sms-messages": () => "read the list of all messages",
  "populate-sms-history": ({ whom }) => `read the messages of ${whom}`,
  "populate-scheduled-sms": ({ whom }) => `read the scheduled messages of ${whom}`,
  "view-held-messages": () => "read the list of held messages",
  "view-reviews": () => "read the messages in review",
  "view-unassigned-inbound": () => "read the inbound messages",
  "view-any-draft": () => "read a draft",
  "view-one-draft": () => "read a draft",
  "view-all-drafts": () => "read the list of all drafts",
  "populate-drafts": ({ whom }) => `read the drafts of ${whom}`,
  "view-receipt": () => "looked at the receipt of a deposit",
  "payment-receipt": ({ whom }) => `looked at the receipt of a card payment of ${whom}`,
};

function limitOf(limit: number | undefined, unit: string): string {
  return limit === undefined ? "the usual one" : `${formatCount(limit)} ${unit}`;
}

/** The facts in the words of the pages. */
const factNames: Readonly<Record<string, string>> = {
  userName: "user name",
  fullName: "full name",
  phoneNo: "contact",
  email: "e-mail",
  senderID: "sender IDs",
  senderNames: "sender names",
  adminName: "name",
  adminFullName: "full name",
  amountDeposited: "amount deposited",
  transferId: "deposit",
  requestId: "request",
  approvalId: "approval",
  creditId: "credit",
  messageId: "message",
  askedBy: "asked for by",
  recipientsMax: "recipients a day",
  perSecond: "calls a second",
  isEnabled: "on",
};

function wordsOf(names: readonly string[]): string {
  const words = names.map((name) => factNames[name] ?? name);
  if (words.length === 0) return "the record";
  return `the ${words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`}`;
}

/**
 * What the administrator did: "Ada Obi approved the sender name ADASTORES of shop@gmail.com." begins with the name, which the
 * page writes itself.
 *
 * @returns the rest of the sentence, with its full stop; the call's own name for an action of another release.
 */
export function describeEntry(entry: Pick<AuditEntryAnswer, "action" | "before" | "after" | "subject">): string {
  const { action, before = {}, after = {}, subject } = entry;
  const sentence = (sentences as Readonly<Record<string, Sentence | undefined>>)[action];
  if (sentence === undefined) return `${action.replaceAll("-", " ")}.`;
  const both: Record<string, unknown> = { ...before, ...after };
  const text = sentence({
    whom: subject?.email ?? "somebody",
    get: (name) => textOf(both[name]),
    count: (name) => (typeof both[name] === "number" ? both[name] : undefined),
    list: (name) => (Array.isArray(both[name]) ? both[name].map(textOf) : []),
    was: (name) => textOf(before[name]),
    changed: [...new Set([...Object.keys(before), ...Object.keys(after)])],
  });
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `1 → 2` for each fact that changed; the facts alone where there is no earlier value. */
export function describeChange(before: Record<string, unknown> = {}, after: Record<string, unknown> = {}): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map((name) => {
    const [old, now] = [textOf(before[name]) || "nothing", textOf(after[name]) || "nothing"];
    const word = factNames[name] ?? name;
    if (!(name in before)) return `${word}: ${now}`;
    return name in after ? `${word}: ${old} → ${now}` : `${word}: ${old}`;
  });
}
