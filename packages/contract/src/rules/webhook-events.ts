/** What programs can be told of. The order is for people; new kinds go to the end, because the place of each is its bit in the database. */
export const webhookEventTypes = [
  "message.accepted",
  "message.finished",
  "recipients.updated",
  "inbox.received",
  "contact.opted_out",
  "balance.low",
  "sender.decided",
  "payment.credited",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

export const webhookLimits = {
  /** Of one customer. */
  endpointsMax: 10,
  urlCharactersMax: 2_000,
  /** Of what an endpoint answers, kept to be looked at. */
  answerBytesMax: 1_024,
  /** In one delivery. */
  reportsPerEventMax: 500,
  /** How long events and attempts are kept, to be looked at and replayed. */
  keptDays: 14,
  /** How long a replaced secret still signs, beside the new one. */
  oldSecretHours: 24,
  /** An endpoint at which nothing arrives for this long is switched off. */
  retryHours: 72,
} as const;
