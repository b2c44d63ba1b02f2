/** Bounds of the delivery engine. Units are in the names. */
export const deliveryLimits = {
  /** Numbers in one batch row: 4 KB. Larger batches make a crash's redo larger and the fair queue coarser. */
  batchRecipientsMax: 500,
  /** Sends up to this size go ahead of bulk: codes and alerts are one number, a staff list is some dozens. */
  expressRecipientsMax: 100,
  /** Batches written by one statement while a message is accepted (50,000 numbers, 700 KB of text). */
  queuedBatchesPerStatement: 100,
  /** Numbers of a listed message that are shown with it. */
  firstPhoneNosMax: 100,
} as const;

/** Wakes the workers when there is work; the payload says which queue. */
export const DELIVERY_CHANNEL = "delivery_ready";
