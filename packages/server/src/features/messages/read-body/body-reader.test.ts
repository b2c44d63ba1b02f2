import { DEFAULT_RATES, type Rates } from "@ewebal/contract";
import { test as base, expect, vi } from "vitest";
import { buildPhoneNos, buildSendBody } from "../../../testing/messages-factories.ts";
import { BodyReader, INLINE_BYTES_MAX } from "../../../http/bounds/body-reader.ts";
import { bodyTasks, bodyTasksUrl } from "./read-send.ts";

type Reader = BodyReader<typeof bodyTasks>;

const createReader = (rates: Rates): Reader =>
  new BodyReader(async () => await Promise.resolve(rates), bodyTasks, bodyTasksUrl);

const test = base.extend<{ reader: Reader }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  reader: async ({}, use) => {
    const reader = createReader(DEFAULT_RATES);
    await use(reader);
    await reader.close();
  },
});

const read = async (reader: Reader, text: string) => {
  const bytes = Buffer.from(text);
  const value = await reader.read("send-json", bytes, bytes.byteLength);
  if ("catalogId" in value) throw new Error("these bodies have numbers");
  return value;
};

test("small and large bodies are read alike", async ({ reader }) => {
  const small = await read(reader, JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(1_000) })));
  const text = JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(100_000) }));
  expect(text.length).toBeGreaterThan(INLINE_BYTES_MAX);
  const large = await read(reader, text);
  expect(small.recipients.valid).toHaveLength(1_000);
  expect(large.recipients.valid).toHaveLength(100_000);
  expect(large.recipients.valid.slice(0, 1_000)).toEqual(small.recipients.valid);
  expect(Buffer.from(large.fingerprint)).toHaveLength(32);
});

test("a large body that comes while the idle thread ends gets one of its own", async ({ reader }) => {
  const text = JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(50_000) }));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await read(reader, text);
    vi.advanceTimersByTime(1_000);
    expect((await read(reader, text)).recipients.valid).toHaveLength(50_000);
  } finally {
    vi.useRealTimers();
  }
});

test("a wrong large body is refused with its fields, and the next one is read", async ({ reader }) => {
  const phoneNo = buildPhoneNos(50_000);
  const refused = read(reader, JSON.stringify({ ...buildSendBody({ phoneNo }), message: "" }));
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION", fields: { message: "is required" } });
  expect((await read(reader, JSON.stringify(buildSendBody({ phoneNo })))).recipients.valid).toHaveLength(50_000);
});

test("a body made to eat all memory ends its thread alone; the ones that wait behind it are read", async ({
  reader,
}) => {
  const bomb = read(reader, "[".repeat(19_000_000));
  const waiting = [1, 2].map((first) =>
    read(reader, JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(50_000, first) }))),
  );
  await expect(bomb).rejects.toMatchObject({ code: "VALIDATION", fields: { body: expect.any(String) } });
  expect((await Promise.all(waiting)).map(({ recipients }) => recipients.valid.length)).toEqual([50_000, 50_000]);
});

test("while a million numbers are read, others are answered", async ({ reader }) => {
  const text = JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(1_000_000) }));
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  const large = await read(reader, text).finally(() => clearInterval(others));
  expect(large.recipients.valid).toHaveLength(1_000_000);
  // Read in this thread instead, the others would have no turn at all.
  expect(turns).toBeGreaterThan(20);
});

test("more large bodies than may wait are refused", async ({ reader }) => {
  const text = JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(25_000) }));
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => read(reader, text)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(3);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "UNAVAILABLE" });
});

test("after closing, large bodies are refused as unavailable", async ({ reader }) => {
  await reader.close();
  await expect(read(reader, JSON.stringify(buildSendBody({ phoneNo: buildPhoneNos(50_000) })))).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});

test("numbers that are priced apart are not the chosen code's, in either thread", async () => {
  const reader = createReader(new Map([...DEFAULT_RATES, ["1876", 60_000]] as const));
  const areaNumbers = (count: number): string =>
    Array.from({ length: count }, (_, index) => `1876${2_000_000 + index}`).join(",");
  for (const count of [10, 30_000]) {
    const { recipients } = await read(
      reader,
      JSON.stringify(buildSendBody({ code: "1", phoneNo: `12025550123,${areaNumbers(count)}` })),
    );
    expect(recipients).toMatchObject({ valid: Float64Array.of(12_025_550_123), wrongCount: count });
  }
  await reader.close();
});
