/** What the calls take and answer. A test compares these with the contract that the server checks by. */
export type MessageClass = "promotional" | "transactional";
export type RecipientState =
  | "waiting"
  | "sent"
  | "delivered"
  | "failed"
  | "dnd"
  | "unknown"
  | "cancelled"
  | "optedOut"
  | "expired";
export type MessageState = "scheduled" | "sending" | "paused" | "held" | "cancelled" | "done" | "review" | "deferred";

export type Repeat = { every: "day" | "week" | "month"; on?: number[] | undefined; until?: string | undefined };

export type SendRecipient = {
  to: string;
  /** Values for `{{key}}` in the text. */
  fields?: Record<string, string>;
  /** In place of the message. */
  text?: string;
  /** Comes back in reports and webhooks. */
  reference?: string;
};

export type Send = {
  senderName: string;
  /** May hold fields: `{{name}}`, `{{name|customer}}`. */
  message?: string;
  /** In place of the message. */
  templateId?: string;
  /** To whom: exactly one of `phoneNo`, `catalogId` and `recipients`. */
  phoneNo?: string | string[];
  catalogId?: string;
  recipients?: SendRecipient[];
  /** The country's dialling code; found from the first number when left out. */
  code?: string;
  class?: MessageClass;
  dnd?: "send" | "skip";
  /** With an offset: `2026-12-24T18:00:00+01:00`. */
  sendAt?: string;
  timeZone?: string;
  repeat?: Repeat;
  validUntil?: string;
  onMissing?: "refuse" | "skip";
  optOutLink?: boolean;
  reference?: string;
};

export type UnitDetails = {
  received: number;
  recipients: number;
  duplicates: number;
  dnd: number;
  pages: number;
  rate: number;
  charged: number;
  available: number;
  repaired?: Record<string, number | undefined> | undefined;
  pageCounts?: Record<string, number> | undefined;
  missing?: number | undefined;
  optedOut?: number | undefined;
  deferredUntil?: string | undefined;
};

export type SentMessage = {
  message: string;
  data: { _id: string; state?: "review" | undefined };
  unitDetails: UnitDetails;
  warnings?: { pattern: string; note: string }[] | undefined;
  /** Numbers on the do-not-disturb list were left out. */
  dnd?: true | undefined;
  nextTimes?: string[] | undefined;
};
/** What would become of a send. */
export type TriedMessage = Omit<SentMessage, "data">;

export type Counts = {
  waiting: number;
  sent: number;
  delivered: number;
  failed: number;
  dnd: number;
  unknown: number;
  cancelled: number;
  optedOut?: number | undefined;
  expired?: number | undefined;
};

export type Message = {
  _id: string;
  senderName: string;
  message: string;
  code: string;
  phoneNo: string;
  recipients: number;
  pages: number;
  price: number;
  state: MessageState;
  class: MessageClass;
  counts: Counts;
  createdAt: string;
  sendAt?: string | undefined;
  timeZone?: string | undefined;
  validUntil?: string | undefined;
  deferredUntil?: string | undefined;
  repeat?: Repeat | undefined;
  nextTimes?: string[] | undefined;
  reference?: string | undefined;
};

export type Recipient = {
  phoneNo: string;
  state: RecipientState | "notKept";
  network: string;
  reason: string;
  text: string;
  pages: number;
  reference?: string | undefined;
  clicks?: number | undefined;
  updatedAt: string;
};

export type Column = { key: string; label: string };
export type Catalog = {
  _id: string;
  catalogName: string;
  code: string;
  columns: Column[];
  contacts: string[];
  count: number;
  etag: string;
  createdAt: string;
};
export type Contact = { index: number; phoneNo: string; fields?: Record<string, string> | undefined };
export type Added = { _id: string; added: number; existing: number; wrong: number };
export type Template = { _id: string; name: string; message: string; createdAt: string; updatedAt: string };
export type OptOut = { phoneNo: string; source: "sms" | "link" | "page" | "api" | "import"; createdAt: string };
export type InboxMessage = {
  _id: string;
  from: string;
  to: string;
  text: string;
  keyword?: string | undefined;
  messageId?: string | undefined;
  createdAt: string;
};
export type Movement = {
  _id: string;
  createdAt: string;
  units: number;
  balance: number;
  cause: string;
  reference: string;
  final: boolean;
};
export type Rate = { country: string; code: string; rate: number; transactionalRate: number };
export type Sender = { senderName: string; state: "approved" };

/** `GET` calls of lists. */
export type ListOptions = {
  /** Rows a page, 1 to 100. */
  limit?: number;
};

type Event<Type extends string, Data> = { type: Type; timestamp: string; mode: "live" | "test"; data: Data };
export type WebhookEvent =
  | Event<"message.accepted", { messageId: string; reference?: string; unitDetails: UnitDetails }>
  | Event<"message.finished", { messageId: string; reference?: string; counts: Counts }>
  | Event<
      "recipients.updated",
      {
        recipients: {
          messageId: string;
          phoneNo: string;
          state: RecipientState;
          network: string;
          reason: string;
          reference?: string;
          updatedAt: string;
        }[];
      }
    >
  | Event<"inbox.received", InboxMessage>
  | Event<"contact.opted_out", { phoneNo: string; source: OptOut["source"] }>
  | Event<"balance.low", { units: number; below: number }>
  | Event<"sender.decided", { senderName: string; decision: "approved" | "declined" }>
  | Event<"payment.credited", { units: number; cause: string }>;
export type WebhookEventType = WebhookEvent["type"];
export type Webhook = {
  _id: string;
  url: string;
  events: WebhookEventType[];
  state: "on" | "off";
  createdAt: string;
};
export type Verification = { _id: string; to: string; state: string; expiresAt: string; triesLeft: number };
