import { expect, test } from "vitest";
import {
  commandStatus,
  commandStatusName,
  isCredentialStatus,
  isTemporaryStatus,
  isThrottleStatus,
} from "./command-status.ts";

test("every status is named, a carrier's own by its number", () => {
  expect(commandStatusName(0x58)).toBe("ESME_RTHROTTLED");
  expect(commandStatusName(0x410)).toBe("0x00000410");
  const numbers = Object.values(commandStatus);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("statuses fall into throttling, temporary and final, and credentials", () => {
  const throttling = Object.entries(commandStatus).filter(([, status]) => isThrottleStatus(status));
  expect(throttling.map(([name]) => name)).toEqual(["ESME_RMSGQFUL", "ESME_RTHROTTLED"]);
  expect(isTemporaryStatus(commandStatus.ESME_RTHROTTLED)).toBe(true);
  expect(isTemporaryStatus(commandStatus.ESME_RSYSERR)).toBe(true);
  expect(isTemporaryStatus(commandStatus.ESME_RINVBNDSTS)).toBe(true);
  expect(isTemporaryStatus(commandStatus.ESME_RINVDSTADR)).toBe(false);
  expect(isCredentialStatus(commandStatus.ESME_RINVPASWD)).toBe(true);
  expect(isCredentialStatus(commandStatus.ESME_RBINDFAIL)).toBe(false);
});
