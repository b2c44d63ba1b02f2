import { encodeGsm7Unpacked } from "@ewebal/gsm";
import { expect, test } from "vitest";
import { buildReceipt } from "./build-receipt.ts";
import { decodeSubmittedText } from "./read-body.ts";
import { readSmppTime } from "./smpp-time.ts";

test("a text is read in the alphabet that its data coding names", () => {
  expect(decodeSubmittedText(Buffer.from(encodeGsm7Unpacked("@£$ Ä {x} €")), 0)).toBe("@£$ Ä {x} €");
  expect(decodeSubmittedText(Buffer.from("@$_[]{}~ plain\r\nline"), 1)).toBe("@$_[]{}~ plain\r\nline");
  expect(decodeSubmittedText(Buffer.from("Ä£ñ", "latin1"), 3)).toBe("Ä£ñ");
  expect(decodeSubmittedText(Buffer.from("Ẹ káàbọ̀ 🎉", "utf16le").swap16(), 8)).toBe("Ẹ káàbọ̀ 🎉");
  for (const coding of [2, 4, 5, 9, 0xf4]) expect(decodeSubmittedText(Buffer.from("x"), coding)).toBeUndefined();
});

test("under data coding 1 the octets that the npm package writes are what was meant", () => {
  // Its encoder writes @ as 0x00, $ as 0x02, _ as 0x11, and [ and ] as 0x1b with 0x3c and 0x3e.
  const octets = Buffer.from([0x00, 0x02, 0x11, 0x1b, 0x3c, 0x41, 0x1b, 0x3e, 0x0a, 0x0d]);
  expect(decodeSubmittedText(octets, 1)).toBe("@$_[A]\n\r");
  expect(decodeSubmittedText(Buffer.from([0x41, 0x1b]), 1)).toHaveLength(2);
});

test("times are read, absolute with their quarters of an hour, and relative", () => {
  const now = new Date("2026-11-25T10:00:00.000Z");
  const read = (text: string): unknown => {
    const time = readSmppTime(text, now);
    return time instanceof Date ? time.toISOString() : time;
  };
  expect(read("")).toBeUndefined();
  expect(read("261125120000004+")).toBe("2026-11-25T11:00:00.000Z");
  expect(read("261125120000504-")).toBe("2026-11-25T13:00:00.500Z");
  expect(read("000000000500000R")).toBe("2026-11-25T10:05:00.000Z");
  expect(read("000102030405000R")).toBe("2026-12-27T13:04:05.000Z");
  for (const wrong of [
    "261325120000004+",
    "260230120000000+",
    "26112512000000",
    "261125240000000+",
    "261125120000049+",
    "x",
  ])
    expect(read(wrong)).toBe("wrong");
});

test("a receipt goes the other way, in text and TLVs, and keeps to ASCII", () => {
  const receipt = buildReceipt({
    messageId: "0af1",
    state: "delivered",
    source: { ton: 5, npi: 0, address: "SHOP" },
    destination: { ton: 1, npi: 1, address: "2348030000001" },
    submittedAt: new Date("2026-11-25T10:00:00Z"),
    doneAt: new Date("2026-11-25T10:01:30Z"),
    errorCode: "000",
    text: "Ẹ káàbọ̀ to a shop that is far",
  });
  expect(receipt).toMatchObject({
    source: { address: "2348030000001" },
    destination: { address: "SHOP" },
    esmClass: 4,
    body: "id:0af1 sub:001 dlvrd:001 submit date:2611251000 done date:2611251001 stat:DELIVRD err:000 text:? k??b?? to a shop t",
    receipted: { messageId: "0af1", state: 2 },
  });
});
