/** A duration drawn anew each time, evenly between the two ends, in milliseconds. */
export type SpanMs = {
  readonly min: number;
  readonly max: number;
};

export type SimulatorSettings = {
  /** Loopback, e.g. `127.0.0.1`: neither port is meant for strangers. */
  readonly host: string;
  /** 0 takes a free port; `Simulator` says which. */
  readonly smppPort: number;
  readonly controlPort: number;
  /** The only account. At most 15 ASCII characters each. */
  readonly systemId: string;
  readonly password: string;
  /** The bearer token of the control port. */
  readonly controlToken: string;
  /** Where the journal is kept; made when it is not there. */
  readonly dataDir: string;
  /** From submit_sm to its answer. Default 1 to 5. */
  readonly answerDelayMs?: SpanMs;
  /** From the answer to the phone and its receipt. Default 500 to 2,000. */
  readonly receiptDelayMs?: SpanMs;
  /**
   * Messages on their way, receipts that nobody has acknowledged included. More are refused with ESME_RMSGQFUL.
   * Default 100,000: what 30,000 submits a second need, three times over.
   */
  readonly openMessagesMax?: number;
  readonly phoneLimits?: PhoneLimits;
};

/** Whatever is beyond a limit goes oldest first. */
export type PhoneLimits = {
  /** Default 50. */
  readonly messagesPerNumberMax: number;
  /** Default 20,000. */
  readonly messagesMax: number;
  /** Default 4,000,000, which is 8 MB at most. */
  readonly charactersMax: number;
};
