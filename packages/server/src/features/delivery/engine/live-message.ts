import type { PreparedText } from "../carriers/carrier.ts";

/** One message's facts, shared by its batches. */
export class LiveMessage {
  readonly userId: string;
  readonly messageId: string;
  readonly senderName: string;
  readonly body: string;
  readonly priceMilli: number;
  readonly holdId: string | null;
  /** False for what goes to people who have opted out: the answer that tells them so. */
  readonly honoursOptOuts: boolean;
  /** Who is told what becomes of its recipients; see report-feed.ts. */
  readonly followers: number;
  /** Its text is sealed, and no key of this installation opens it. */
  readonly isUnreadable: boolean;
  /** When it began to be sent, by this process's clock of milliseconds (`performance.now`). */
  readonly startedAtMs: number;
  readonly #validUntilMs: number;
  /** By the link, not its name: a carrier that was changed may cut texts in another way. */
  readonly #texts = new Map<object, PreparedText>();

  constructor({
    honoursOptOuts = true,
    followers = 0,
    validUntil = null,
    isUnreadable = false,
    startedAt = new Date(),
    ...facts
  }: Pick<LiveMessage, "userId" | "messageId" | "senderName" | "body" | "priceMilli" | "holdId"> & {
    honoursOptOuts?: boolean;
    followers?: number;
    /** Nothing is handed over from then on. */
    validUntil?: Date | null;
    isUnreadable?: boolean;
    startedAt?: Date;
  }) {
    this.startedAtMs = performance.now() - (Date.now() - startedAt.getTime());
    this.#validUntilMs = validUntil?.getTime() ?? Infinity;
    this.honoursOptOuts = honoursOptOuts;
    this.followers = followers;
    this.isUnreadable = isUnreadable;
    this.userId = facts.userId;
    this.messageId = facts.messageId;
    this.senderName = facts.senderName;
    this.body = facts.body;
    this.priceMilli = facts.priceMilli;
    this.holdId = facts.holdId;
  }

  /** By this machine's clock; the database's ends the message (`expire-messages.ts`). */
  isOver(): boolean {
    return this.#validUntilMs !== Infinity && this.#validUntilMs <= Date.now();
  }

  textFor(link: { prepare: (text: string) => PreparedText }): PreparedText {
    const text = this.#texts.get(link) ?? link.prepare(this.body);
    this.#texts.set(link, text);
    return text;
  }
}
