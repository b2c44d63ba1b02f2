import { expect, test } from "vitest";
import { normalErrorCode, readReportState } from "./read-report.ts";

const dnd = new Set(["88", "dnd"].map(normalErrorCode));

test.for([
  [
    { state: "delivered", errorCode: "000" },
    { state: "delivered", errorCode: "" },
  ],
  [
    { state: "delivered", errorCode: "088" },
    { state: "delivered", errorCode: "" },
  ],
  [
    { state: "enroute", errorCode: "" },
    { state: "waiting", errorCode: "" },
  ],
  [
    { state: "accepted", errorCode: "000" },
    { state: "waiting", errorCode: "" },
  ],
  [
    { state: "scheduled", errorCode: "" },
    { state: "waiting", errorCode: "" },
  ],
  [
    { state: "unknown", errorCode: "000" },
    { state: "lost", errorCode: "" },
  ],
  [
    { state: "expired", errorCode: "000" },
    { state: "failed", errorCode: "report:expired" },
  ],
  [
    { state: "undeliverable", errorCode: "01B" },
    { state: "failed", errorCode: "report:undeliverable:01B" },
  ],
  [
    { state: "rejected", errorCode: "0088" },
    { state: "dnd", errorCode: "report:rejected:0088" },
  ],
  [
    { state: "rejected", errorCode: " DND " },
    { state: "dnd", errorCode: "report:rejected:DND" },
  ],
  [
    { state: "rejected", errorCode: "x".repeat(200) },
    { state: "failed", errorCode: `report:rejected:${"x".repeat(40)}` },
  ],
] as const)("%o", ([receipt, expected]) => {
  expect(readReportState(receipt, dnd)).toEqual(expected);
});
