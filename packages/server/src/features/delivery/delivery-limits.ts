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
  /** Recipients that may be between the committed intent and the recorded answer, as a multiple of the carrier's window. */
  unrecordedWindows: 2,
  /**
   * Recipients between the committed intent and the wire, in seconds of the rate of the binds held here: what a crash makes unknown although
   * the carrier never saw it. A grant, which brings the next intents, takes 1 to 3 ms, and more on a busy database.
   */
  intentSeconds: 0.05,
  /** What goes out while a grant is under way makes room in it, beyond this many: at 200 a second it is not worth one unknown recipient. */
  intentDrainMin: 20,
  /** One in this many of the intents is kept for small sends: a claim brings their intents along, without waiting for a grant. */
  intentExpressShare: 8,
  /** One hand-over in this many goes to bulk while small sends wait: those are served first, but never alone. */
  bulkShare: 8,
  /** Recipients of one queue that a worker holds ready for a carrier beyond what it has granted; more would only wait. */
  backlogRecipientsMin: 500,
  /** As above, in seconds of the carrier's rate. */
  backlogSeconds: 0.25,
  /** Batches of one claim. */
  expressClaimMax: 64,
  bulkClaimMax: 16,
  /**
   * Times that a carrier may fail on one message (not: ask for less) before the message is given up and released. The
   * pause doubles each time: 90 s in all where the carrier names one second.
   */
  faultTriesMax: 8,
  /** Keys of accepted messages that a worker remembers for each carrier, so that reports need no index: about 20 MB. */
  recentKeysMax: 100_000,
  /** With so many waiting, a flush of reports waits for no more: at 15 ms a flush a carrier with 1,000 under way brought 53,000/s at most. */
  reportsHurry: 500,
  /** Reports looked up, or stored as early, in one flush. */
  lookupsPerFlush: 1_000,
} as const;

/** How long things last, in milliseconds. */
export const deliveryTimesMs = {
  /** A worker that is not heard of for this long has lost its batches. Others see it a heartbeat later and send on within 15 s of its fall. */
  lease: 12_000,
  /** When its database session is gone as well, this is enough: a killed worker's batches go on soon. */
  leaseWithoutSession: 3_000,
  heartbeat: 1_000,
  /** Stop handing over this long before the lease ends, by our own clock. */
  leaseMargin: 3_000,
  /** How often messages that are due are looked for, and the queue while no notification is heard. */
  poll: 500,
  /** Flushes do not start more often than this: each costs the same few round trips. */
  flushGap: 5,
  /** While a carrier has room that only recorded answers let be used. */
  urgentFlushGap: 1,
  /** Flushes of reports wait for more of them, unless `reportsHurry` do: nobody waits for what they write. */
  reportGap: 15,
  /** A lane that could not be served is left to other workers for this long. */
  laneBlock: 500,
  /** The pause after a carrier's fault doubles up to this. */
  faultPauseMax: 30_000,
  /** A carrier without a link for this long is passed over. */
  linkGrace: 2_000,
  /** Changes of one message are announced at most this often. */
  changeGap: 25,
  /** A report that matches nothing is looked up again after this: another worker's flush takes some milliseconds. */
  earlyLookup: 200,
  /** How long a report that matches nothing waits in memory, unacknowledged, before it is stored. */
  earlyInMemory: 1_000,
  /** What is still open in the carriers' windows when the worker stops. */
  drain: 10_000,
  /** After this a carrier has given up on a message; what is unknown still is released. Carriers keep 24 to 72 hours. */
  unknownRelease: 72 * 3_600_000,
  /** A stored report is tried again after these pauses, then dropped: it is about no message of ours. */
  earlyRetries: [2_000, 3_000, 10_000, 20_000, 60_000, 300_000],
  /** Reports name messages handed over at most this long ago. */
  reportAge: 10 * 24 * 3_600_000,
} as const;

/** Wakes the workers when there is work; the payload says which queue. */
export const DELIVERY_CHANNEL = "delivery_ready";
/** What a notification on that channel carries when somebody opted out; of new work it carries nothing. */
export const OPT_OUT_PAYLOAD = "opt-out";
/** The same when quiet hours have changed. */
export const QUIET_HOURS_PAYLOAD = "quiet-hours";
