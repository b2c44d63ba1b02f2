/**
 * Compares what the product says with what the carriers saw. Nothing here asks anybody: what was observed comes in, what is wrong goes
 * out, so that each rule can be shown to notice when it is broken.
 */
import type { MessageCounts, MessageUnits, RecipientAnswer } from "@ewebal/contract";
import type { Plan, PlannedSend } from "./plan.ts";
import type { CarriedPart, Witness } from "./witness.ts";

export type ObservedMessage = {
  tag: string;
  state: string;
  counts: MessageCounts;
  /** Units for one recipient. */
  price: number;
  units: MessageUnits;
  recipients: Pick<RecipientAnswer, "phoneNo" | "state" | "carrierCode">[];
};

export type ObservedCustomer = {
  creditedUnits: number;
  availableUnits: number;
  messages: ObservedMessage[];
};

export type Observed = {
  /** In the order of the plan's customers. */
  customers: ObservedCustomer[];
  ledger: { name: string; violations: number }[];
  /** Who registered during the run, and did not get the mail that was promised. */
  missingMails: string[];
};

type Settings = {
  plan: Plan;
  /** The numbers of the run; a send has those from its first one on. */
  numbers: readonly string[];
  witness: Witness;
  /** How many recipients that no carrier has heard of may be unknown: what the crashes of the plan allow. */
  unheardMax: number;
};

/** @returns what is wrong, in sentences; empty when everything is right. */
export function judge(observed: Observed, settings: Settings): string[] {
  const { plan, witness } = settings;
  return [
    ...observed.customers.flatMap((customer, index) => judgeCustomer(customer, index, settings)),
    ...judgeCarried(observed, settings),
    ...observed.ledger
      .filter(({ violations }) => violations !== 0)
      .map(({ name, violations }) => `the ledger's invariant ${name} is broken ${violations} times`),
    ...(observed.ledger.length > 5 ? [] : ["the ledger's invariants were not told"]),
    ...observed.missingMails.map((address) => `the mail to ${address} never came`),
    ...witness.faults.map((fault) => `a carrier was sent ${fault}`),
    ...(observed.customers.length === Math.max(...plan.sends.map(({ customer }) => customer)) + 1
      ? []
      : ["a customer was not observed"]),
  ];
}

function judgeCustomer(customer: ObservedCustomer, index: number, settings: Settings): string[] {
  const planned = settings.plan.sends.filter((send) => send.customer === index);
  const faults = planned.flatMap((send) => {
    const messages = customer.messages.filter(({ tag }) => tag === send.tag);
    const [message] = messages;
    if (message === undefined || messages.length > 1) return [`${send.tag} was accepted ${messages.length} times`];
    return judgeMessage(message, send, settings);
  });
  const extra = customer.messages.filter(({ tag }) => planned.every((send) => send.tag !== tag));
  faults.push(...extra.map(({ tag }) => `${tag} is nobody's plan`));
  const usedUnits = customer.messages.reduce((sum, { units }) => sum + units.charged + units.reserved, 0);
  if (!isSame(customer.availableUnits, customer.creditedUnits - usedUnits))
    faults.push(
      `customer ${index} has ${customer.availableUnits} units of ${customer.creditedUnits}, and ${usedUnits} are charged or reserved`,
    );
  return faults;
}

function judgeMessage(message: ObservedMessage, send: PlannedSend, settings: Settings): string[] {
  const { tag, counts, price, units, recipients } = message;
  const faults: string[] = [];
  const planned = settings.numbers.slice(send.firstNumber, send.firstNumber + send.numberCount);
  const listed = recipients.map(({ phoneNo }) => phoneNo);
  if (listed.toSorted().join() !== planned.toSorted().join())
    faults.push(`${tag} lists ${listed.length} numbers that are not its ${planned.length}`);
  const byState = new Map<string, number>();
  let returned = 0;
  for (const recipient of recipients) {
    byState.set(recipient.state, (byState.get(recipient.state) ?? 0) + 1);
    const parts = settings.witness.partsOf({ number: recipient.phoneNo, tag });
    if (recipient.state === "failed" && !isReported(recipient)) returned += 1;
    const fault = judgeRecipient(recipient, parts, send.pages);
    if (fault !== undefined) faults.push(`${tag} to ${recipient.phoneNo} is ${recipient.state}, ${fault}`);
  }
  for (const [state, count] of Object.entries(counts)) {
    if (count !== (byState.get(state) ?? 0))
      faults.push(`${tag} counts ${count} ${state} and lists ${byState.get(state) ?? 0}`);
  }
  const unknown = byState.get("unknown") ?? 0;
  const expected = {
    charged: price * (recipients.length - unknown - returned),
    reserved: price * unknown,
    returned: price * returned,
  };
  for (const name of ["charged", "reserved", "returned"] as const) {
    if (!isSame(units[name], expected[name]))
      faults.push(`${tag} has ${units[name]} units ${name}, and its recipients make ${expected[name]}`);
  }
  return faults;
}

/** @returns what the carriers know better, or undefined. */
function judgeRecipient(
  { state, carrierCode }: Pick<RecipientAnswer, "state" | "carrierCode">,
  parts: readonly CarriedPart[],
  pages: number,
): string | undefined {
  const reported = new Set(parts.flatMap((part) => part.reported));
  const isTaken = parts.some(({ takenCount }) => takenCount > 0);
  switch (state) {
    case "delivered":
      return reported.has("DELIVRD") ? undefined : "and no carrier said so";
    case "failed":
      if (isReported({ carrierCode })) return reported.has("UNDELIV") ? undefined : "and no carrier reported it";
      if (isTaken) return `by ${carrierCode}, and a carrier took it`;
      return parts.some(({ isRefused }) => isRefused) ? undefined : `by ${carrierCode}, and no carrier refused it`;
    case "sent":
      if (!isTaken) return "and no carrier took it";
      return isSettledBy(parts, pages) ? "and its reports were acknowledged" : undefined;
    case "unknown":
      return parts.some(({ acknowledged }) => acknowledged.some(isFinal))
        ? "and a report of it was acknowledged"
        : undefined;
    case "waiting":
    case "cancelled":
    case "dnd":
    case "optedOut":
    case "expired":
    case "notKept":
      return "at the end of everything";
    default:
      return "which is no state";
  }
}

/** Whether what was acknowledged makes a final state: a failed part, or all parts delivered. */
function isSettledBy(parts: readonly CarriedPart[], pages: number): boolean {
  if (parts.some(({ acknowledged }) => acknowledged.includes("UNDELIV"))) return true;
  return parts.length === pages && parts.every(({ acknowledged }) => acknowledged.includes("DELIVRD"));
}

function isFinal(state: CarriedPart["acknowledged"][number]): boolean {
  return state !== "ENROUTE";
}

/** By a report, not by an answer: those are told by their names in SMPP, `ESME_...`. */
function isReported({ carrierCode }: Pick<RecipientAnswer, "carrierCode">): boolean {
  return carrierCode === "undeliverable";
}

/** Nothing reaches a phone twice, nothing that nobody sent, and only what a crash explains is unknown. */
function judgeCarried(observed: Observed, { plan, numbers, witness, unheardMax }: Settings): string[] {
  const faults: string[] = [];
  const planned = new Set(
    plan.sends.flatMap(({ tag, firstNumber, numberCount }) =>
      numbers.slice(firstNumber, firstNumber + numberCount).map((number) => `${number} ${tag}`),
    ),
  );
  for (const carried of witness.carried) {
    if (!planned.has(carried)) faults.push(`a carrier was sent ${carried}, which nobody asked for`);
    const [number = "", tag = ""] = carried.split(" ");
    for (const { takenCount } of witness.partsOf({ number, tag })) {
      if (takenCount > 1) faults.push(`${tag} to ${number} was taken ${takenCount} times`);
    }
  }
  const unheard = observed.customers.flatMap(({ messages }) =>
    messages.flatMap(({ tag, recipients }) =>
      recipients.filter(
        ({ phoneNo, state }) =>
          state === "unknown" && witness.partsOf({ number: phoneNo, tag }).every(({ takenCount }) => takenCount === 0),
      ),
    ),
  );
  if (unheard.length > unheardMax)
    faults.push(`${unheard.length} are unknown that no carrier has, and the crashes explain ${unheardMax}`);
  return faults;
}

/** Units have three decimals. */
function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.000_5;
}
