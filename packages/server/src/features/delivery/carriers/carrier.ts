/** What the delivery engine asks of a carrier, whatever protocol it speaks. */

/** A text made ready for one carrier; the same for every recipient. */
export type PreparedText = { readonly partCount: number };

export type CarrierMessage = {
  /** Together with `position` the same at every try, and of no other recipient. */
  readonly messageId: string;
  readonly position: number;
  readonly senderName: string;
  /** Digits with country code. */
  readonly phoneNo: string;
  readonly text: PreparedText;
};

/**
 * What became of one message that was taken; each gets exactly one, and `deferred` ends it too: it may be taken again.
 *
 * accepted: the carrier has all of it. `keys` are its ids as its receipts name them, one a part; empty when it gives none.
 * refused: the carrier does not have it and will not take it.
 * deferred: the carrier does not have it now, for certain. `isPartial`: it has some of the parts, and only this carrier
 *   object can send the others; `isFault`: the carrier failed, rather than asked for less.
 * unknown: it was handed over and the answer never came.
 */
export type CarrierOutcome =
  | { readonly kind: "accepted"; readonly keys: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string }
  | {
      readonly kind: "deferred";
      readonly afterMs: number;
      readonly isPartial: boolean;
      readonly isFault: boolean;
      readonly reason: string;
    }
  | { readonly kind: "unknown" };

/** `waiting`: not final; the carrier has it. `lost`: the carrier itself does not know. */
export type ReportState = "waiting" | "lost" | "delivered" | "failed" | "dnd";

/** A delivery report. */
export type CarrierReport = {
  /** The form in which `accepted` gave it; empty when the carrier named none. */
  readonly key: string;
  readonly state: ReportState;
  /** For `failed` and `dnd`: see reasons.ts. Empty otherwise. */
  readonly errorCode: string;
  /** Whom the message was for; undefined when the carrier did not say it in digits. */
  readonly phoneNo: number | undefined;
  readonly senderName: string;
  /** What may as well be a text from a phone, because nothing but its words says that it is a report. */
  readonly possibleText: PossibleText | undefined;
  /** The carrier may forget it: it is stored. */
  acknowledge(): void;
  /** The carrier is to keep it and send it again. */
  refuse(): void;
};

/** Addresses as in `InboundText`. */
export type PossibleText = { readonly from: string; readonly to: string; readonly body: string };

/** A message from a phone, or one part of it. Addresses are digits with the country code and no plus, a short code, or a name. */
export type InboundText = {
  readonly from: string;
  readonly to: string;
  /** As the carrier says what alphabet the octets are in. */
  readonly dataCoding: number;
  readonly octets: Buffer;
  readonly place: { readonly reference: number; readonly partCount: number; readonly partNumber: number } | undefined;
  /** The carrier may forget it: it is stored. */
  acknowledge(): void;
  /** The carrier is to keep it and send it again. */
  refuse(): void;
};

export type CarrierHandlers<Context> = {
  onOutcome: (context: Context, outcome: CarrierOutcome) => void;
  onReport: (report: CarrierReport) => void;
  onInbound: (text: InboundText) => void;
  /** `canTake()` may be true again. */
  onReady: () => void;
  /** A bind came up, went down or was refused. */
  onLinkChange: () => void;
};

/** How the binds of one process do. */
export type LinkHealth = {
  readonly boundCount: number;
  /** Messages without an answer. */
  readonly openCount: number;
  /** Why a bind was refused or lost last. */
  readonly lastError: { readonly text: string; readonly at: Date } | undefined;
};

export type Carrier<Context> = {
  readonly name: string;
  /** It reports by calling us back, so that its reports come out of the database and not through `onReport`. */
  readonly isCallingBack?: true;
  /** Messages that may be open at one time with the binds held now. */
  readonly windowSize: number;
  /** At least one bind stands. */
  readonly isUp: boolean;
  readonly health: LinkHealth;
  /** Which binds (0 to bindCount - 1) this process holds now; the others are drained and closed. */
  holdBinds: (bindIndexes: readonly number[]) => Promise<void>;
  prepare: (text: string) => PreparedText;
  canTake: () => boolean;
  /** Called while `canTake()`. The context comes back with the outcome, never before this returns. */
  take: (context: Context, message: CarrierMessage) => void;
  /** Takes no more, waits for open answers at most `drainMs`, and closes. Calling it again changes nothing. */
  close: (drainMs: number) => Promise<void>;
};
