import type { CarrierReport } from "../carriers/carrier.ts";
import type { Handover } from "../engine/in-flight.ts";
import { deliveryStates } from "../states.ts";
import type { PricedMessage } from "./apply-outcomes.ts";
import type { FoundDelivery, ReportColumns } from "./report-store.ts";

/** A message at the price of some of its recipients. */
export function priced(message: PricedMessage, priceMilli: number): PricedMessage {
  if (message.priceMilli === priceMilli) return message;
  const { userId, messageId, holdId, followers } = message;
  return { userId, messageId, holdId, priceMilli, followers };
}

type ReportedMessage = {
  number: number;
  message: PricedMessage;
  carrierName: string;
  /** Where recipients pay something else than the message's first one that was reported about. */
  ownPricesMilli: Map<number, number>;
};

/** Reports as `recordReports` takes them: one row for each delivery, since an update takes only one of two rows about the same one. */
export class ReportRows {
  readonly columns: ReportColumns = {
    userIds: [],
    messageIds: [],
    areFollowed: [],
    messageNumbers: [],
    positions: [],
    deliveredParts: [],
    allParts: [],
    failures: [],
    errorCodes: [],
  };
  readonly #messages = new Map<string, ReportedMessage>();
  readonly #rowIndexes = new Map<string, number>();

  get isEmpty(): boolean {
    return this.columns.positions.length === 0;
  }

  /** The message that rows are about, and who reported about it. */
  about(messageId: string): { message: PricedMessage; carrierName: string } | undefined {
    const entry = this.#messages.get(messageId);
    if (entry === undefined) return undefined;
    const { carrierName, ownPricesMilli } = entry;
    const { userId, holdId, priceMilli, followers } = entry.message;
    return { message: { userId, messageId, holdId, priceMilli, followers, ownPricesMilli }, carrierName };
  }

  addHandover({ batch, carrier, position, deliveredParts, allParts, failure }: Handover): void {
    const message = priced(batch.message, batch.priceMilliOf(position - batch.firstPosition));
    const index = this.#rowOf(message, position, carrier.facts.name, allParts);
    this.columns.deliveredParts[index] = deliveredParts;
    this.columns.failures[index] = failure?.state ?? 0;
    this.columns.errorCodes[index] = failure?.errorCode ?? null;
  }

  addFound({ state, errorCode }: CarrierReport, delivery: FoundDelivery, carrierName: string): void {
    if (state === "waiting" || state === "lost") return;
    const index = this.#rowOf(delivery, delivery.position, carrierName, 2 ** delivery.partCount - 1);
    if (state === "delivered")
      this.columns.deliveredParts[index] = (this.columns.deliveredParts[index] ?? 0) | (1 << delivery.partIndex);
    else if (this.columns.failures[index] === 0) {
      this.columns.failures[index] = deliveryStates[state];
      this.columns.errorCodes[index] = errorCode;
    }
  }

  #rowOf(message: PricedMessage, position: number, carrierName: string, allParts: number): number {
    const { number, ownPricesMilli, message: first } = this.#entryOf(message, carrierName);
    if (message.priceMilli !== first.priceMilli) ownPricesMilli.set(position, message.priceMilli);
    const key = `${number}:${position}`;
    let index = this.#rowIndexes.get(key);
    if (index === undefined) {
      index = this.columns.positions.length;
      this.#rowIndexes.set(key, index);
      this.columns.messageNumbers.push(number);
      this.columns.positions.push(position);
      this.columns.deliveredParts.push(0);
      this.columns.allParts.push(allParts);
      this.columns.failures.push(0);
      this.columns.errorCodes.push(null);
    }
    return index;
  }

  #entryOf(message: PricedMessage, carrierName: string): ReportedMessage {
    let entry = this.#messages.get(message.messageId);
    if (entry === undefined) {
      const number = this.columns.messageIds.push(message.messageId);
      this.columns.userIds.push(message.userId);
      this.columns.areFollowed.push(message.followers !== 0);
      entry = { number, message, carrierName, ownPricesMilli: new Map() };
      this.#messages.set(message.messageId, entry);
    }
    return entry;
  }
}
