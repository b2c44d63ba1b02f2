import { describe, expect, test } from "vitest";
import { VirtualPhones, type PhoneMessage } from "./virtual-phones.ts";

function buildMessage(id: number, text = "Hello"): PhoneMessage {
  return { id, sender: "SHOP", text, partCount: 1, receivedAtMs: id };
}

describe("memory is bounded", () => {
  test("by number: the newest of one number push its oldest out, and nobody else's", () => {
    const phones = new VirtualPhones({ messagesPerNumberMax: 3, messagesMax: 100, charactersMax: 1000 });
    phones.receive("1", buildMessage(1));
    for (let id = 2; id <= 6; id += 1) phones.receive("2", buildMessage(id));
    expect(phones.listMessages("2").map(({ id }) => id)).toEqual([6, 5, 4]);
    expect(phones.listMessages("1")).toHaveLength(1);
    expect(phones.messageCount).toBe(4);
  });

  test("in all: the oldest of all go, and a number with none left is not listed", () => {
    const phones = new VirtualPhones({ messagesPerNumberMax: 3, messagesMax: 5, charactersMax: 1000 });
    for (let id = 1; id <= 8; id += 1) phones.receive(String(id), buildMessage(id));
    expect(phones.messageCount).toBe(5);
    expect(phones.listPhones({ limit: 10 }).map(({ number }) => number)).toEqual(["8", "7", "6", "5", "4"]);
  });

  test("by characters", () => {
    const phones = new VirtualPhones({ messagesPerNumberMax: 50, messagesMax: 100, charactersMax: 100 });
    for (let id = 1; id <= 10; id += 1) phones.receive("1", buildMessage(id, "x".repeat(30)));
    expect(phones.messageCount).toBe(3);
  });

  test("also when one number gets a hundred thousand while another keeps its first", () => {
    const phones = new VirtualPhones({ messagesPerNumberMax: 10, messagesMax: 100, charactersMax: 100_000 });
    phones.receive("old", buildMessage(0));
    for (let id = 1; id <= 100_000; id += 1) phones.receive("busy", buildMessage(id));
    expect(phones.messageCount).toBe(11);
    expect(phones.listMessages("old")).toHaveLength(1);
    expect(phones.listMessages("busy")[0]?.id).toBe(100_000);
  });
});
