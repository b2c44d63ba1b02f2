import type { TlsOptions } from "node:tls";
import type { Address, BindRole } from "../client/client-types.ts";
import type { MessageRequest, MessageStatus } from "../codec/message-requests.ts";
import type { MessageState } from "../codec/message-state.ts";
import type { PartPlace } from "../message/read-body.ts";

export type BindRequest = {
  readonly role: BindRole;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** Where it comes from; an IPv4 address stands as one. */
  readonly remoteAddress: string;
};

/** A query_sm, cancel_sm or replace_sm. Answer it once, now or later. */
export type IncomingRequest = {
  readonly request: MessageRequest;
  /**
   * Says that it is done; a query needs `found`.
   *
   * @returns false when the connection has ended meanwhile, or the answer was given before.
   * @throws RangeError when a field of `found` does not fit SMPP.
   */
  accept(found?: Omit<MessageStatus, "state"> & { readonly state: MessageState }): boolean;
  refuse(status: number): boolean;
};

/** One submit_sm or data_sm that a server took. Answer it once, in any order, by `accept` or `refuse`. */
export type IncomingSubmit = {
  /** Empty in most; what else it may be is the operator's to say. */
  readonly serviceType: string;
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly priority: number;
  /** As they were written, see `readSmppTime`; empty when absent. */
  readonly scheduleDeliveryTime: string;
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  /** The SAR TLVs; undefined unless all three are there. */
  readonly sar: PartPlace | undefined;
  /** -1 when absent. */
  readonly userMessageReference: number;
  /** The values of operators' own TLVs (tags 0x1400 to 0x3fff), by tag; undefined when there is none. */
  readonly vendorTlvs: ReadonlyMap<number, Buffer> | undefined;
  /** A copy of short_message or message_payload, user data header included. */
  readonly body: Buffer;
  readonly isInPayload: boolean;
  /**
   * @param messageId ASCII, at most 64 characters.
   * @returns false when the connection has ended meanwhile, or the answer was given before.
   */
  accept(messageId: string): boolean;
  refuse(status: number): boolean;
};

/** What became of a delivery; `unanswered` (a drop or a timeout) means that it is to be sent again. */
export type DeliverOutcome =
  | { readonly kind: "acknowledged" }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "unanswered" };

export type ServerOptions = {
  readonly host: string;
  /** 0 takes a free one: see the result of `listen`. */
  readonly port: number;
  /** Named in the answer to a bind; at most 15 characters. */
  readonly systemId: string;
  readonly tls?: TlsOptions;
  /** Connections at one time, bound or not. Default 100. */
  readonly connectionsMax?: number;
  /** Those of them that have not bound; of more the oldest is closed. Default: as many as `connectionsMax`. */
  readonly unboundMax?: number;
  /** Deliveries without an answer at one time and connection, 1 to 10,000. Default 100. */
  readonly deliverWindow?: number;
  /** Submits of a connection that wait for `accept` or `refuse`; more are throttled. Default 10,000. */
  readonly openSubmitsMax?: number;
  /** Submits that wait at which no more are read, until half of them are answered. Default: `openSubmitsMax`, so that they are throttled. */
  readonly readPauseAtSubmits?: number;
  /** Silence after which a bound client is asked whether it lives. Default 60,000. */
  readonly enquireAfterMs?: number;
  /** How long a bind, an enquire_link or an unbind may take. Default 10,000. */
  readonly deadlineMs?: number;
  /** How long a delivery may stay without an answer. Default 60,000. */
  readonly responseTimeoutMs?: number;
};
