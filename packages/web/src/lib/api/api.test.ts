import { accountCalls, messageCalls, siteCalls } from "@ewebal/contract/calls";
import { describe, expect, test, vi } from "vitest";
import { fakeServer, userAnswer, userId } from "../../testing/fake-server.ts";
import { forgetActivity, noteActivity } from "../session/activity.ts";
import { ApiError, call, fillAddress, NetworkError } from "./api.ts";

const body = { senderName: "AdaStores", message: "Hello", phoneNo: "2348000000001", code: "234" };
const sent = {
  message: "Message Sent",
  data: { _id: userId },
  unitDetails: { received: 2, recipients: 1, duplicates: 0, dnd: 1, pages: 1, rate: 3, charged: 3, available: 97 },
};

describe("refusals", () => {
  test("a refusal is thrown with its status, code, message, fields and request id", async () => {
    const refusal = {
      message: "Some fields are missing or incorrect",
      code: "VALIDATION",
      fields: { email: "is required" },
      requestId: "r-1",
    };
    fakeServer({ "POST /api/sign-in-user": { status: 400, body: refusal } });
    const thrown = await call(accountCalls.signInUser, { body: { email: "", password: "x" } }).catch(
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({ status: 400, ...refusal });
  });

  test("no answer is a NetworkError", async () => {
    fakeServer({ "GET /api/brand": "offline" });
    await expect(call(siteCalls.brand)).rejects.toBeInstanceOf(NetworkError);
  });

  test("an answer that broke off is a NetworkError", async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError("network error")) });
    vi.stubGlobal("fetch", async () => await Promise.resolve(new Response(broken)));
    await expect(call(siteCalls.brand)).rejects.toBeInstanceOf(NetworkError);
  });

  test("a proxy's page in place of an answer is UNAVAILABLE, not a crash", async () => {
    vi.stubGlobal("fetch", async () => await Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 })));
    await expect(call(siteCalls.brand)).rejects.toMatchObject({ status: 502, code: "UNAVAILABLE" });
  });

  test("a 503 without dnd is a failure", async () => {
    fakeServer({
      [`POST /api/${userId}/send-bulk-sms`]: { status: 503, body: { message: "Not ready", code: "UNAVAILABLE" } },
    });
    await expect(call(messageCalls.sendBulkSms, { params: { userId }, body })).rejects.toMatchObject({
      status: 503,
      code: "UNAVAILABLE",
    });
  });

  test("a cancelled call is not taken for a lost network", async () => {
    const controller = new AbortController();
    controller.abort();
    vi.stubGlobal("fetch", async () => await Promise.reject(new DOMException("Aborted", "AbortError")));
    await expect(call(siteCalls.brand, { signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("answers", () => {
  test("a 503 with dnd is the answer that the contract lists", async () => {
    fakeServer({ [`POST /api/${userId}/send-bulk-sms`]: { status: 503, body: { ...sent, dnd: true } } });
    const answer = await call(messageCalls.sendBulkSms, { params: { userId }, body });
    expect(answer).toMatchObject({ dnd: true, unitDetails: { charged: 3 } });
  });

  test("parameters are escaped, and the body and headers are sent", async () => {
    const requests = fakeServer({ [`POST /api/${userId}/send-bulk-sms`]: { body: sent } });
    await call(messageCalls.sendBulkSms, { params: { userId }, body, headers: { "idempotency-key": "k-1" } });
    expect(requests[0]?.body).toEqual(body);
    expect(requests[0]?.headers.get("idempotency-key")).toBe("k-1");
    expect(requests[0]?.headers.get("content-type")).toBe("application/json");
    expect(fillAddress("/api/:token/verify-user", { token: "a/b?c" })).toBe("/api/a%2Fb%3Fc/verify-user");
    expect(fillAddress("/api/view-all-users", {}, { limit: "5", after: undefined })).toBe(
      "/api/view-all-users?limit=5",
    );
  });

  test("a read while the person is away is marked as background; a change never is", async () => {
    const requests = fakeServer({
      [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
      [`POST /api/${userId}/sign-out`]: { body: { message: "Bye" } },
    });
    const readMark = async (): Promise<string | null | undefined> => {
      await call(accountCalls.viewOneUser, { params: { userId } });
      return requests.at(-1)?.headers.get("x-background");
    };
    expect(await readMark()).toBeNull();
    noteActivity(Date.now() - 60_000);
    expect(await readMark()).toBe("1");
    await call(accountCalls.signOut, { params: { id: userId } });
    expect(requests.at(-1)?.headers.get("x-background")).toBeNull();
    noteActivity(Date.now());
    expect(await readMark()).toBeNull();
    forgetActivity();
  });
});
