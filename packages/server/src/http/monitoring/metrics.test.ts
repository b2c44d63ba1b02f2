import { describe } from "vitest";
import { expect, test } from "../../testing/app.ts";

const elsewhere = { remoteAddress: "203.0.113.7" };

describe("who may read the metrics", () => {
  test("without a token only this machine", async ({ app }) => {
    expect((await app.inject({ method: "GET", url: "/metrics", ...elsewhere })).statusCode).toBe(404);
    expect(
      (await app.inject({ method: "GET", url: "/metrics", headers: { "x-forwarded-for": "203.0.113.7" } })).statusCode,
    ).toBe(404);
    expect((await app.inject({ method: "GET", url: "/metrics" })).statusCode).toBe(200);
  });

  const withToken = test.extend({ environment: { METRICS_TOKEN: "a-long-secret" } });
  withToken("with a token only who knows it, from anywhere", async ({ app }) => {
    for (const authorization of ["", "Bearer ", "Bearer a-long-secre", "a-long-secret"]) {
      expect((await app.inject({ method: "GET", url: "/metrics", headers: { authorization } })).statusCode).toBe(404);
    }
    const answer = await app.inject({
      method: "GET",
      url: "/metrics",
      headers: { authorization: "Bearer a-long-secret" },
      ...elsewhere,
    });
    expect(answer.statusCode).toBe(200);
  });
});

test("the metrics show what is watched, and routes without the ids and tokens in addresses", async ({ app }) => {
  await app.inject({ method: "GET", url: "/api/a-secret-token/verify-user" });
  const { body, headers } = await app.inject({ method: "GET", url: "/metrics" });
  expect(headers["content-type"]).toContain("text/plain");
  for (const line of [
    "ewebal_batches_ready 0",
    "ewebal_mails_waiting 0",
    "ewebal_workers_alive 0",
    "ewebal_ledger_violations 0",
  ]) {
    expect(body.split("\n")).toContain(line);
  }
  expect(body).toContain(`route="/api/:token/verify-user"`);
  expect(body).not.toContain("a-secret-token");
});
