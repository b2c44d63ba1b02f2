import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CarriedMessage, JournalRecord } from "./carried-message.ts";
import { Journal } from "./journal.ts";
import { makeFolder } from "./testing/setup.ts";

function buildMessage(id: number): CarriedMessage {
  return {
    id,
    sender: { ton: 5, npi: 0, address: "SHOP" },
    recipient: "2348031234567",
    text: `Ẹ káàbọ̀ "${id}"\n`,
    place: { reference: 7, partCount: 2, partNumber: 1 },
    receiptWish: 1,
    acceptedAtMs: 1,
    arrivesAtMs: 2,
    hasArrived: false,
    isLost: false,
    segment: 1,
  };
}

function open(
  folder: string,
  segmentOctetsMax = 1_000_000,
  carryOver: () => JournalRecord[] = () => [],
): { journal: Journal; records: JournalRecord[] } {
  const records: JournalRecord[] = [];
  const journal = new Journal({ folder, segmentOctetsMax, carryOver }, (record) => records.push(record));
  return { journal, records };
}

describe("the journal", () => {
  test("gives back what was flushed, and nothing of what was not", () => {
    const folder = makeFolder();
    const { journal } = open(folder);
    journal.append({ kind: "message", message: buildMessage(1) });
    journal.append({ kind: "done", ids: [1, 2] });
    expect(journal.flush()).toBe(true);
    journal.append({ kind: "message", message: buildMessage(3) });
    expect(open(folder).records).toEqual([
      { kind: "message", message: buildMessage(1) },
      { kind: "done", ids: [1, 2] },
    ]);
  });

  test("drops a line that its writer could not finish, and goes on behind it", () => {
    const folder = makeFolder();
    const first = open(folder).journal;
    first.append({ kind: "done", ids: [1] });
    first.close();
    appendFileSync(join(folder, readdirSync(folder)[0] ?? ""), '["message",2,[5,0,"SH');
    const second = open(folder).journal;
    second.append({ kind: "done", ids: [3] });
    second.close();
    expect(open(folder).records).toEqual([
      { kind: "done", ids: [1] },
      { kind: "done", ids: [3] },
    ]);
  });

  test("keeps three segments, and what must live on is carried into the newest", () => {
    const folder = makeFolder();
    const kept = buildMessage(1);
    const { journal } = open(folder, 2000, () => [{ kind: "message", message: kept }]);
    journal.append({ kind: "message", message: kept });
    for (let id = 2; id < 300; id += 1) {
      journal.append({ kind: "message", message: buildMessage(id) });
      journal.flush();
    }
    const octets = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(octets).toHaveLength(3);
    expect(Math.max(...octets)).toBeLessThan(3000);
    const ids = open(folder).records.map((record) => (record.kind === "message" ? record.message.id : 0));
    expect(ids).toContain(1);
    expect(ids).toContain(299);
    expect(ids).not.toContain(2);
  });
});
