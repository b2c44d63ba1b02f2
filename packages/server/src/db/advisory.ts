/**
 * Every advisory lock of this program, in one place: PostgreSQL knows them by number only, and two uses of one
 * number would wait for each other. The numbers are arbitrary and stay as they are: old and new versions run side by side.
 */
export const ADVISORY_LOCK = {
  /** Held by the process that applies migrations. */
  migrate: 4_217_001,
  // 4_217_002 belongs to `@ewebal/embedded-postgres`.
  /** Held while the delivery partitions of the next months are made. */
  deliveryPartitions: 4_217_003,
  /** Held while months that are no longer kept are removed. */
  oldMonths: 4_217_050,
  /** Held while somebody becomes or stops being an owner. */
  adminOwners: 4_217_004,
  /** Held while a worker judges whether the database is the one it has sent from. */
  sendMark: 4_217_028,
  /** Held by `npm run move` in the database that it moves. */
  move: 4_217_052,
  /** Held while alarms open and close. */
  alarms: 4_217_051,
  /** Held while messages from phones are joined from their parts. */
  inbound: 4_217_029,
} as const;

/** First key of the two-key locks, whose second key names one of many. */
export const ADVISORY_LOCK_CLASS = {
  /** A test run: its databases may be dropped by others once nobody holds it. */
  testRun: 4_217,
  /** Held by a delivery worker's session for as long as it lives; the second key stands in `delivery_worker`. */
  deliveryWorker: 4_218,
  /** Held while a deposit is compared with others of the same receipt or teller id; the second key is a hash of either. */
  depositDuplicate: 4_219,
  /** Held while the rate of a code is changed; the second key is the code. */
  rateEdit: 4_220,
  /** Held while a follower reads the report feed; the second key is the follower's number. */
  reportFeed: 4_221,
  /** Held by a process that SMPP clients bind to, for as long as it lives; the second key stands in `smpp_host`. */
  smppHost: 4_226,
  /** Held while binds of a key are counted and one is added; the second key is a hash of the key. */
  smppKey: 4_227,
  /** Held while a code to a number is started; the second key is a hash of the customer and the number's neighbours. */
  codeNeighbours: 4_228,
} as const;
