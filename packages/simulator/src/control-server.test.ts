import { countParts } from "@ewebal/gsm";
import { describe, expect, test } from "vitest";
import { ask, openSender, openSimulator } from "./testing/setup.ts";
import { until } from "./testing/until.ts";

const phone = "2348031234567";

type Phone = {
  readonly number: string;
  readonly messageCount: number;
  readonly newest: {
    readonly text: string;
    readonly sender: string;
    readonly partCount: number;
    readonly receivedAt: string;
  };
};

describe("the control port refuses", () => {
  test("whoever does not bring the token", async () => {
    const { controlPort } = await openSimulator();
    expect(await ask(controlPort, "/phones", "guess")).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
    const bare = await fetch(`http://127.0.0.1:${controlPort}/phones`);
    expect(bare.status).toBe(401);
  });

  test.each([
    ["/phones?limit=0", 400],
    ["/phones?limit=101", 400],
    ["/phones?limit=many", 400],
    ["/phones?after=yesterday", 400],
    ["/phones/12ab", 404],
    ["/phones/2348039999999", 404],
    ["/elsewhere", 404],
    ["//", 404],
  ])("%s with %i", async (path, status) => {
    const { controlPort } = await openSimulator();
    expect((await ask(controlPort, path)).status).toBe(status);
  });

  test("to change anything", async () => {
    const { controlPort } = await openSimulator();
    const response = await fetch(`http://127.0.0.1:${controlPort}/phones`, {
      method: "POST",
      headers: { authorization: "Bearer token" },
    });
    expect(response.status).toBe(405);
  });
});

describe("the virtual phones", () => {
  test("show what arrived, newest first, long messages whole, and nothing that failed", async () => {
    const { smppPort, controlPort } = await openSimulator();
    const { send, receipts } = openSender({ port: smppPort });
    const long = "Ẹ káàbọ̀ 😀 ₦500 ".repeat(20);
    send("a", phone, "First {€}");
    await until(() => receipts.length === 1, "the first receipt");
    send("b", phone, long);
    send("c", "2348030009901", "To a DND number");
    const partCount = countParts(long);
    await until(() => receipts.length === 2 + partCount, "all receipts");
    const { body } = await ask(controlPort, `/phones/${phone}`);
    expect(body.data).toMatchObject({
      number: phone,
      messages: [
        { sender: "SHOP", text: long, partCount },
        { sender: "SHOP", text: "First {€}", partCount: 1 },
      ],
    });
    expect((await ask(controlPort, "/phones/2348030009901")).status).toBe(404);
  });

  test("are listed by their newest message, page by page, each once", async () => {
    const { smppPort, controlPort } = await openSimulator();
    const { send, receipts } = openSender({ port: smppPort, window: 50 });
    for (let index = 0; index < 25; index += 1) send(`m${index}`, `23480300000${10 + index}`, `Hello ${index}`);
    await until(() => receipts.length === 25, "all receipts");
    send("again", "2348030000010", "Hello again");
    await until(() => receipts.length === 26, "the last receipt");
    const numbers: string[] = [];
    let after = "";
    do {
      // oxlint-disable-next-line no-await-in-loop
      const { body } = await ask(controlPort, `/phones?limit=10${after}`);
      numbers.push(...(body.data as Phone[]).map(({ number }) => number));
      after = typeof body.next === "string" ? `&after=${body.next}` : "";
    } while (after !== "");
    expect(numbers[0]).toBe("2348030000010");
    expect(numbers).toHaveLength(25);
    expect(new Set(numbers).size).toBe(25);
  });
});
