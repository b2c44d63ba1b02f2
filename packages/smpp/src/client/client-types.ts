import type { LookupFunction } from "node:net";
import type { ConnectionOptions as TlsOptions } from "node:tls";
import type { MessageState } from "../codec/message-state.ts";
import type { PartPlace } from "../message/read-body.ts";

/** An address as SMPP writes it: at most 20 visible ASCII characters, with its type of number and numbering plan. */
export type Address = {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
};

/** How a message that needs several parts says so. `payload` sends it whole and lets the carrier cut it. */
export type ConcatMode = "udh8" | "udh16" | "sar" | "payload";

/** One PDU's share of a text, ready to be written; the same object may be submitted to any number of people. */
export type MessagePart = {
  readonly dataCoding: number;
  /** The text in octets, without user data header: at most 254 with it, or 60,000 when `inPayload`. */
  readonly body: Uint8Array;
  /** Carry the body in the TLV message_payload. */
  readonly inPayload: boolean;
  /** Absent when the message is one part. `partNumber` counts from 1. */
  readonly concat?: {
    readonly mode: "udh8" | "udh16" | "sar";
    readonly partNumber: number;
    readonly partCount: number;
  };
};

/** One submit_sm. */
export type Submit = {
  readonly source: Address;
  /** Digits with country code, without plus sign, at most 20; its type of number is the client's `destinationTon`. */
  readonly destination: string;
  readonly part: MessagePart;
  /**
   * What the parts of one message have in common: `client.nextReference(destination)`, taken once a message. Needed
   * when the part has `concat`. A part that is sent again keeps the reference of its message.
   */
  readonly reference?: number;
  /** 1 asks for a receipt whatever happens (the default, also for every part of a long message), 0 for none. */
  readonly registeredDelivery?: number;
  /** Empty (the carrier's own), or 16 characters as in section 7.1.1, e.g. `000002000000000R` for two days. */
  readonly validityPeriod?: string;
  /** 0 (bulk) to 3 (most urgent), as the carrier reads it. */
  readonly priority?: number;
  /** 0 to 65535; some carriers repeat it in the receipt. */
  readonly userMessageReference?: number;
};

/**
 * What became of one submit; every submit that was taken gets exactly one.
 *
 * accepted: the carrier has it. `messageId` is as the carrier wrote it, and empty with carriers that give none.
 * refused: the carrier does not have it; `status` is its command status.
 * unknown: it was written, and the answer never came. The carrier may or may not have it; a receipt may settle it.
 * notSent: not one octet of it left this process. It may be sent again anywhere.
 */
export type SubmitOutcome =
  | { readonly kind: "accepted"; readonly messageId: string }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "unknown"; readonly reason: "connectionLost" | "timedOut" }
  | { readonly kind: "notSent" };

/** What the taker of a delivery owes the carrier; the first of the two counts. */
export type DeliveryAnswer = {
  /**
   * Tells the carrier that it may forget this. Call after it is stored; many in one turn make one write.
   *
   * @returns false when the connection has ended meanwhile: the carrier will send it again.
   */
  acknowledge(): boolean;
  /**
   * Tells the carrier to keep it and send it again later (ESME_RX_T_APPN), or `status`.
   *
   * @returns false when the connection has ended meanwhile.
   */
  refuse(status?: number): boolean;
};

/** A delivery receipt. All strings are as the carrier wrote them. */
export type Receipt = {
  readonly kind: "receipt";
  /** Empty when the carrier named none: match by recipient, sender and time. */
  readonly messageId: string;
  readonly state: MessageState;
  /** The carrier's own code behind `err:`, or the TLV network_error_code as `network:code`; empty when there is none. */
  readonly errorCode: string;
  /** Whom the message was for: the receipt's source address. */
  readonly recipient: string;
  /** Whom the message was from: the receipt's destination address. */
  readonly sender: string;
  /** Behind `submit date:` and `done date:`, in the carrier's own time zone; empty when absent. See `parseReceiptDate`. */
  readonly submitDate: string;
  readonly doneDate: string;
  /** -1 when absent. */
  readonly userMessageReference: number;
  /**
   * The whole text, when nothing but its words says that this is a receipt: neither `esm_class` nor a TLV does. A phone may have written it, so
   * where its id names no message of ours it may be somebody's text.
   */
  readonly wording: string | undefined;
} & DeliveryAnswer;

/** A message from a phone. */
export type InboundMessage = {
  readonly kind: "message";
  readonly source: Address;
  readonly destination: Address;
  readonly dataCoding: number;
  readonly esmClass: number;
  /** The SAR TLVs; undefined unless all three are there. */
  readonly sar: PartPlace | undefined;
  /** A copy of its octets, user data header included; at most 64 KiB. */
  readonly body: Buffer;
} & DeliveryAnswer;

export type Delivery = Receipt | InboundMessage;

/** A phone that was out of reach can be reached again. */
export type Alert = {
  readonly source: Address;
  /** The address that asked to hear of it. */
  readonly esme: Address;
  /** 0 available, 1 denied, 2 unavailable; undefined when the carrier does not say. */
  readonly availability: number | undefined;
};

export type BindRole = "transceiver" | "transmitter" | "receiver";

export type ClientEvent =
  | { readonly kind: "bound"; readonly role: BindRole; readonly peerSystemId: string }
  /** `isCredentialProblem`: the name or password is wrong; tried again at the long end only, tell a person. */
  | {
      readonly kind: "bindRefused";
      readonly role: BindRole;
      readonly status: number;
      readonly isCredentialProblem: boolean;
      readonly retryInMs: number;
    }
  | { readonly kind: "connectionLost"; readonly role: BindRole; readonly reason: string; readonly retryInMs: number }
  /** After `close`: this bind is gone and stays so. `reason` is `unbound` when the peer agreed. */
  | { readonly kind: "closed"; readonly role: BindRole; readonly reason: string }
  /** The carrier asked for less; `messagesPerSecond` is the rate from now on. At most one in 200 ms. */
  | { readonly kind: "throttled"; readonly status: number; readonly messagesPerSecond: number }
  /** A phone that was out of reach can be reached again (alert_notification). */
  | { readonly kind: "alert"; readonly alert: Alert }
  /** A PDU that could not be read was answered with an error. At most one event a second. */
  | { readonly kind: "malformed"; readonly role: BindRole; readonly commandId: number };

/** What the owner of a client is told. All are called from the event loop, never from inside `submit`. */
export type ClientHandlers<Context> = {
  onOutcome(context: Context, outcome: SubmitOutcome): void;
  /** Answer it once, now or later, by `acknowledge` or `refuse`. */
  onDelivery(delivery: Delivery): void;
  /** `canSubmit()` is true and was not, or slots became free. Submit until it is false. */
  onReady(): void;
  onEvent(event: ClientEvent): void;
};

export type ClientOptions = {
  readonly host: string;
  readonly port: number;
  readonly systemId: string;
  readonly password: string;
  readonly systemType?: string;
  /** `transmitterReceiver` makes two connections. Default `transceiver`. */
  readonly bindMode?: "transceiver" | "transmitterReceiver";
  /** `true` checks the certificate against the usual authorities. */
  readonly tls?: boolean | TlsOptions;
  /** How the host's name becomes an address at every connection; its error is why there is none. Default: as the system does. */
  readonly lookup?: LookupFunction | undefined;
  /** Submits without an answer at one time, 1 to 10,000. Every open one is a possible duplicate after a drop. Default 10. */
  readonly window?: number;
  /** The contract rate. There is no default: a client without a ceiling gets half of its submits refused. */
  readonly messagesPerSecond: number;
  /** `dataSm` is for carriers that want every message in message_payload of a data_sm. Default `submitSm`. */
  readonly submitWith?: "submitSm" | "dataSm";
  /** Type of number and numbering plan of destinations. Default 1 and 1 (international, ISDN). */
  readonly destinationTon?: number;
  readonly destinationNpi?: number;
  /** Silence after which the link is asked whether it lives. Default 30,000. */
  readonly enquireAfterMs?: number;
  /** How long an enquire_link, a bind or a connect may take. Default 10,000. */
  readonly deadlineMs?: number;
  /** How long a submit may stay without an answer before it is `unknown`. Default 60,000. */
  readonly responseTimeoutMs?: number;
  /** Deliveries that wait for `acknowledge`; beyond it the client refuses new ones by itself. Default 5,000. */
  readonly openDeliveriesMax?: number;
  /** First and longest pause of the reconnect back-off. Defaults 100 and 30,000. */
  readonly reconnectBaseMs?: number;
  readonly reconnectMaxMs?: number;
  /** A bind that lasted this long starts the back-off afresh. Default 10,000. */
  readonly steadyAfterMs?: number;
};

export type ClientStats = {
  readonly state: ClientState;
  readonly openSubmits: number;
  readonly openDeliveries: number;
  /** The rate in force: the contract rate, or less after throttling. */
  readonly messagesPerSecond: number;
  readonly submitted: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly receipts: number;
  readonly binds: number;
  /** Answers that came after their submit had been given up. */
  readonly lateAnswers: number;
};

/**
 * idle -> start -> connecting -> bound -> (drop) connecting ... ; any -> close -> closing -> closed.
 * `bound` means that submits can be taken: the transmitter's bind counts.
 */
export type ClientState = "idle" | "connecting" | "bound" | "closing" | "closed";
