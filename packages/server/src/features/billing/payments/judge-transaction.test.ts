import { expect, test } from "vitest";
import { judgeTransaction } from "./judge-transaction.ts";
import { transactionSchema } from "./paystack/paystack-answers.ts";

const payment = { reference: "EWB-1", totalKobo: 65_750 };
const success = {
  status: "success",
  reference: "EWB-1",
  amount: 65_750,
  requested_amount: 65_750,
  currency: "NGN",
  domain: "test",
};

const judge = (facts: Record<string, unknown>, { mode }: { mode: "test" | "live" | undefined } = { mode: "test" }) =>
  judgeTransaction(payment, transactionSchema.parse({ ...success, ...facts }), mode);

test.for([
  ["another reference", { reference: "EWB-2" }],
  ["another currency", { currency: "GHS" }],
  ["a kobo less", { amount: 65_749 }],
  ["a kobo less, as text", { amount: "65749" }],
  ["less requested than we asked for", { requested_amount: 65_749, amount: 70_000 }],
  ["more requested than we asked for", { requested_amount: 65_751, amount: 65_751 }],
  ["the other world", { domain: "live" }],
] as const)("a success with %s is not ours, and credits nothing", ([, facts]) => {
  expect(judge(facts).kind).toBe("foreign");
});

test.for([
  "abandoned",
  "failed",
  "reversed",
  "pending",
  "ongoing",
  "queued",
  "processing",
  "Success",
  "SUCCESS",
  " success",
  "",
])("the status %j is unpaid", (status) => {
  expect(judge({ status })).toEqual({
    kind: "unpaid",
    status,
    isDeclined: status === "failed" || status === "reversed",
  });
});

test.for([
  ["exactly what was asked for", {}],
  ["amounts as text", { amount: "65750", requested_amount: "65750" }],
  ["fees that the payer bore on top", { amount: 66_751, requested_amount: 65_750 }],
  ["no requested amount", { requested_amount: null }],
  ["no world", { domain: undefined }],
] as const)("a success with %s is paid", ([, facts]) => {
  expect(judge(facts)).toEqual({ kind: "paid" });
});

test("a key that names no world takes both, a live key only its own", () => {
  expect(judge({ domain: "live" }, { mode: undefined })).toEqual({ kind: "paid" });
  expect(judge({}, { mode: "live" }).kind).toBe("foreign");
  expect(judge({ domain: "live" }, { mode: "live" })).toEqual({ kind: "paid" });
});
