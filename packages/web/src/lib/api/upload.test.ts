import { beforeEach, expect, test } from "vitest";
import { fakeServer, userId } from "../../testing/fake-server.ts";
import { fakeUpload } from "../../testing/fake-upload.ts";
import { ApiError, NetworkError } from "./api.ts";
import { upload } from "./upload.ts";

const route = { method: "POST", url: "/api/:userId/upload-to-new-tel" } as const;
const address = `POST /api/${userId}/upload-to-new-tel`;
const params = { userId };

function form(): FormData {
  const data = new FormData();
  data.set("csv", new File(["08030000001"], "numbers.csv"));
  return data;
}

beforeEach(fakeUpload);

test("a refusal is thrown with its status, code and fields", async () => {
  fakeServer({
    [address]: {
      status: 400,
      body: { message: "Some fields are missing or incorrect", code: "VALIDATION", fields: { csv: "is required" } },
    },
  });
  const thrown = await upload(route, { params, form: form() }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toMatchObject({ status: 400, code: "VALIDATION", fields: { csv: "is required" } });
});

test("no answer is a NetworkError", async () => {
  fakeServer({ [address]: "offline" });
  await expect(upload(route, { params, form: form() })).rejects.toBeInstanceOf(NetworkError);
});

test("an upload that is ended throws an AbortError, before it began and while it runs", async () => {
  fakeServer({ [address]: async () => await new Promise(() => undefined) });
  await expect(upload(route, { params, form: form(), signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  const ending = new AbortController();
  const running = upload(route, { params, form: form(), signal: ending.signal });
  ending.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
});

test("the file is sent whole, with its progress, and the answer comes back", async () => {
  const requests = fakeServer({ [address]: { status: 201, body: { message: "Uploaded", data: { added: 1 } } } });
  const shares: number[] = [];
  const answer = await upload(route, {
    params,
    form: form(),
    headers: { "idempotency-key": "key-1" },
    onProgress: (share) => shares.push(share),
  });
  expect(answer).toEqual({ message: "Uploaded", data: { added: 1 } });
  expect(shares).toEqual([0.5, 1]);
  expect(requests[0]?.headers.get("idempotency-key")).toBe("key-1");
  const sent = requests[0]?.body as FormData;
  expect(await (sent.get("csv") as File).text()).toBe("08030000001");
});
