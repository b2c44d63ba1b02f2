import { describe } from "vitest";
import { signBody } from "./paystack/paystack-client.ts";
import { FAKE_SECRET_KEY } from "./testing/fake-paystack.ts";
import { expect, test } from "./testing/payment-test.ts";

const url = "/api/paystack-webhook";

describe("refused without effect", () => {
  test.for([
    ["no signature", {}],
    ["an empty one", { "x-paystack-signature": "" }],
    ["one of another key", { "x-paystack-signature": signBody("sk_test_other", Buffer.from("{}")) }],
    ["one of another body", { "x-paystack-signature": signBody(FAKE_SECRET_KEY, Buffer.from("{}")) }],
    ["half of one", { "x-paystack-signature": signBody(FAKE_SECRET_KEY, Buffer.from("{}")).slice(0, 64) }],
  ] as const)("%s", async ([, headers], { app, deps, begin, paystack, freeMilli }) => {
    const reference = await begin();
    paystack.pay(reference);
    const payload = JSON.stringify({ event: "charge.success", data: { reference } });
    const answer = await app.inject({
      method: "POST",
      url,
      payload,
      headers: { "content-type": "application/json", ...headers },
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: "SIGNATURE_WRONG" }]);
    expect(deps.jobs.enqueued).toEqual([]);
    expect(await freeMilli()).toBe(0);
  });

  test("5 MB, signed or not", async ({ app }) => {
    const payload = Buffer.alloc(5 * 1024 * 1024, 32);
    const headers = { "content-type": "application/json", "x-paystack-signature": signBody(FAKE_SECRET_KEY, payload) };
    expect((await app.inject({ method: "POST", url, payload, headers })).statusCode).toBe(413);
  });
});

test("the signature is over the bytes: a body that reads differently when written again is taken", async ({
  deps,
  begin,
  post,
}) => {
  const reference = await begin();
  // The fake sends spaces, line ends and `0.0`.
  expect((await post("charge.success", { reference, fees: 0 })).status).toBe(200);
  expect(deps.jobs.enqueued.filter(({ name }) => name === "settle-payment")).toEqual([
    { name: "settle-payment", ids: { reference } },
  ]);
});

test("the signature may be in capitals", async ({ begin, post, paystack, freeMilli, work }) => {
  const reference = await begin();
  paystack.pay(reference);
  const signature =
    paystack.event("charge.success", { reference }).headers["x-paystack-signature"]?.toUpperCase() ?? "";
  expect((await post("charge.success", { reference }, { "x-paystack-signature": signature })).status).toBe(200);
  await work();
  expect(await freeMilli()).toBe(500_000);
});

test("an event that says paid credits nothing while the provider, when asked, says no", async ({
  begin,
  post,
  work,
  freeMilli,
}) => {
  const reference = await begin();
  expect((await post("charge.success", { reference, status: "success", amount: 65_750, currency: "NGN" })).status).toBe(
    200,
  );
  await work();
  expect(await freeMilli()).toBe(0);
});

test("a true event credits, without any browser; its repetitions do nothing", async ({
  begin,
  post,
  paystack,
  work,
  freeMilli,
}) => {
  const reference = await begin();
  paystack.pay(reference);
  for (let times = 0; times < 3; times += 1) {
    expect((await post("charge.success", { reference })).status).toBe(200);
    await work();
  }
  expect(await freeMilli()).toBe(500_000);
});

test("while the provider does not answer, the event is taken and its job is tried again", async ({
  begin,
  post,
  paystack,
  work,
}) => {
  const reference = await begin();
  paystack.misbehave((_, response) => response.writeHead(500).end());
  expect((await post("charge.success", { reference })).status).toBe(200);
  await expect(work()).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test.for([
  ["charge.success", { reference: "somebody-else" }],
  ["charge.success", {}],
  ["charge.failed", { reference: "x" }],
  ["transfer.success", { id: 1 }],
  ["refund.processed", { transaction_reference: "somebody-else", amount: "100" }],
  ["refund.processed", { nonsense: true }],
  ["charge.dispute.create", { id: 5 }],
] as const)("%s with %j says nothing to us and is taken", async ([event, data], { post, deps }) => {
  expect((await post(event, data)).status).toBe(200);
  expect(deps.jobs.enqueued).toEqual([]);
});

test("signed nonsense is taken, too: it would be repeated for days", async ({ app }) => {
  for (const payload of ["", "{", "[]", "null", `{"event":5}`]) {
    const headers = {
      "content-type": "application/json",
      "x-paystack-signature": signBody(FAKE_SECRET_KEY, Buffer.from(payload)),
    };
    expect((await app.inject({ method: "POST", url, payload, headers })).statusCode, payload).toBe(200);
  }
});
