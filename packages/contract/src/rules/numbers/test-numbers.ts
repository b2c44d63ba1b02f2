/**
 * Numbers that force an outcome in test mode: 234 800 000 0001 to 0011. They are of the toll-free range 0800, which is no mobile number, so that
 * nothing live is ever sent to them. Any other number is delivered after about a second.
 */
const FIRST_TEST_NUMBER = 2_348_000_000_001;
const LAST_TEST_NUMBER = 2_348_000_000_011;

/** The numbers whose call is refused, or that are left out; the others are `testOutcomeOf`'s. */
export const testNumbers = {
  dnd: 2_348_000_000_004,
  optedOut: 2_348_000_000_008,
  limitReached: 2_348_000_000_009,
  rateLimited: 2_348_000_000_010,
  notSendable: 2_348_000_000_011,
} as const;

export function isTestNumber(phoneNo: number): boolean {
  return phoneNo >= FIRST_TEST_NUMBER && phoneNo <= LAST_TEST_NUMBER;
}

/** What the carrier of tests reports, and when; `silent` reports nothing. `errorCode` is as a carrier's report has it. */
export type TestOutcome =
  | { kind: "delivered"; afterMs: number }
  | { kind: "failed"; afterMs: number; errorCode: string }
  | { kind: "silent"; afterMs: number };

const SOON_MS = 1_000;
const LATE_MS = 60_000;

const DELIVERED: TestOutcome = { kind: "delivered", afterMs: SOON_MS };

/** Errors as GSM networks number them: 27 is an absent subscriber, 1 an unknown one. */
const OUTCOMES: ReadonlyMap<string, TestOutcome> = new Map([
  ["2348000000002", { kind: "failed", afterMs: SOON_MS, errorCode: "report:undeliverable:27" }],
  ["2348000000003", { kind: "failed", afterMs: SOON_MS, errorCode: "report:undeliverable:1" }],
  ["2348000000005", { kind: "failed", afterMs: SOON_MS, errorCode: "validity-over" }],
  ["2348000000006", { kind: "delivered", afterMs: LATE_MS }],
  ["2348000000007", { kind: "silent", afterMs: 0 }],
]);

/** @param phoneNo digits with the country code. */
export function testOutcomeOf(phoneNo: string): TestOutcome {
  return OUTCOMES.get(phoneNo) ?? DELIVERED;
}
