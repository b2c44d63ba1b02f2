/** The bounds of the SMPP server for customers. What a key may do (binds, pace) stands in the key. */
export const accessLimits = {
  /** Connections of one process, bound or not. Each that is idle costs some 20 kB. */
  connectionsMax: 1_000,
  /** Of those, without a bind; the oldest of more is closed. */
  unboundMax: 200,
  /** Submits of one connection that wait for their commit; then it is not read. Half a second of the fastest client. */
  openSubmitsPerBind: 2_000,
  /** Read chunks bring more than that at once; beyond this they are throttled. */
  openSubmitsPerBindMax: 6_000,
  /** One transaction's: about 50 ms of work, for which others of the customer wait. */
  submitsPerGroup: 500,
  /** Customers whose groups are in work at once: leaves connections to everything else of the process. */
  groupsAtOnce: 5,
  /** Tries of a group whose units were spent meanwhile, before its submits go one by one. */
  groupTriesMax: 3,
  /** Deliveries without an answer on one connection. */
  deliverWindow: 100,
  /** Deliveries that one look takes for one key. */
  deliveriesPerClaim: 500,
  /** Rows of the report feed that one transaction turns into receipts. */
  feedRowsPerRead: 200,
  /** Messages that one cancel_sm without an id ends. */
  cancelledPerRequest: 100,
  /** Of the text of a long message, in octets: 255 parts are no text that we send. */
  partsMax: 32,
} as const;

export const accessTimesMs = {
  /** A long message is complete by then, or has expired. */
  partsWait: 5 * 60_000,
  /** How long a client may take to bind, to answer an unbind or enquire_link, or to shake hands. */
  deadline: 10_000,
  enquireAfter: 60_000,
  /** How long a deliver_sm may stay without an answer; then it is given to another bind. */
  deliverAnswer: 30_000,
  /** Longer than `deliverAnswer`: the lease of a delivery ends with its host, or after this. */
  deliveryLease: 60_000,
  /** A delivery that the client refused comes again after this, doubled up to the longest. */
  deliverRetry: 5_000,
  deliverRetryMax: 5 * 60_000,
  deliveryPoll: 200,
  feedPoll: 100,
  expiryPoll: 5_000,
  /** Keys are looked at again: one that was revoked, has expired or whose owner is blocked is unbound. */
  keyPoll: 2_000,
  hostBeat: 2_000,
  /** A host that was not seen for this long is gone, whatever its lock says. */
  hostGone: 30_000,
  cleanUp: 10 * 60_000,
  /** What nobody fetched, and what can be asked about with query_sm. */
  kept: 10 * 24 * 3_600_000,
  drain: 5_000,
  portWait: 10_000,
} as const;
