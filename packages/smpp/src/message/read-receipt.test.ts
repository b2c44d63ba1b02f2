import { describe, expect, test } from "vitest";
import { MessageView } from "../codec/message-view.ts";
import { writeDeliver, type Deliver } from "../codec/write-deliver.ts";
import { parseReceiptDate, readReceipt } from "./read-receipt.ts";
import { capture } from "../testing/capture.ts";

function read(deliver: Partial<Deliver>, moreTlvs = ""): ReturnType<typeof readReceipt> {
  const written = capture((target) =>
    writeDeliver(target, 1, {
      source: { ton: 1, npi: 1, address: "2348031234567" },
      destination: { ton: 5, npi: 0, address: "SHOP" },
      esmClass: 4,
      dataCoding: 0,
      body: "",
      ...deliver,
    }),
  );
  const pdu = Buffer.concat([written, Buffer.from(moreTlvs.replaceAll(" ", ""), "hex")]);
  const view = new MessageView();
  expect(view.read(pdu, 16, pdu.length, false)).toBe(true);
  return readReceipt(view);
}

describe("a receipt", () => {
  test("in the form of the specification's appendix B", () => {
    const body =
      "id:0123456789 sub:001 dlvrd:001 submit date:2607011530 done date:2607011531 stat:DELIVRD err:000 text:Dear customer";
    expect(read({ body })).toEqual({
      messageId: "0123456789",
      state: "delivered",
      errorCode: "000",
      recipient: "2348031234567",
      sender: "SHOP",
      submitDate: "2607011530",
      doneDate: "2607011531",
      userMessageReference: -1,
    });
  });

  test.each<[string, string, Record<string, string>]>([
    [
      "fields in another order",
      "stat:UNDELIV err:0DC id:AB-12",
      { messageId: "AB-12", state: "undeliverable", errorCode: "0DC" },
    ],
    ["capital keys", "ID:7 SUB:001 STAT:EXPIRED ERR:12", { messageId: "7", state: "expired", errorCode: "12" }],
    [
      "a space behind the colons",
      "id: 7 stat: REJECTD err: 69",
      { messageId: "7", state: "rejected", errorCode: "69" },
    ],
    ["words spelled out", "id:7 stat:DELIVERED err:000", { state: "delivered" }],
    ["no id", "stat:DELIVRD err:000", { messageId: "", state: "delivered" }],
    ["an unknown state", "id:7 stat:WHATEVR", { state: "unknown", errorCode: "" }],
    ["no text at all", "", { messageId: "", state: "unknown" }],
    ["keys inside the message's own text", "id:7 stat:DELIVRD text:err:999 id:8", { messageId: "7", errorCode: "" }],
    [
      "an id of 36 characters",
      `id:${"0".repeat(8)}-1111-2222-3333-${"4".repeat(12)} stat:DELIVRD`,
      {
        messageId: "00000000-1111-2222-3333-444444444444",
      },
    ],
  ])("with %s", (_what, body, expected) => {
    expect(read({ body })).toMatchObject(expected);
  });

  test("that nothing but its words makes one keeps its whole text, because a phone may have written it", () => {
    const body = "id:1 stat:DELIVRD text:Is this right?";
    expect(read({ body, esmClass: 0 })).toMatchObject({ messageId: "1", wording: body });
    expect(read({ body, esmClass: 4 })?.wording).toBeUndefined();
    expect(read({ body, esmClass: 0, receipted: { messageId: "1", state: 2 } })?.wording).toBeUndefined();
  });

  test("is not what is marked as one and says neither an id nor a state", () => {
    expect(read({ body: "Where is my order? The id is 7" })).toBeUndefined();
    expect(read({ body: "Where is my order?", receipted: { messageId: "7", state: 2 } })).toMatchObject({
      messageId: "7",
    });
  });

  test("believes its TLVs before its text", () => {
    const body = "id:1 stat:UNDELIV err:005";
    expect(read({ body, receipted: { messageId: "ff", state: 2 } })).toMatchObject({
      messageId: "ff",
      state: "delivered",
      errorCode: "005",
    });
  });

  test("takes the network's error code when the text has none, and the reference that was submitted", () => {
    expect(read({ body: "" }, "0423 0003 03 0045 0204 0002 beef")).toMatchObject({
      errorCode: "3:69",
      userMessageReference: 0xbeef,
    });
  });

  test("is recognised without the mark in esm_class, by TLV or by text", () => {
    expect(read({ esmClass: 0, body: "id:7 stat:DELIVRD" })).toMatchObject({ messageId: "7" });
    expect(read({ esmClass: 0, receipted: { messageId: "9", state: 2 } })).toMatchObject({ messageId: "9" });
  });

  test("is not made of a message from a phone", () => {
    expect(read({ esmClass: 0, body: "Please stop" })).toBeUndefined();
    expect(read({ esmClass: 0, body: "id:7 is my number" })).toBeUndefined();
  });
});

test("dates of 10, 12 and 14 digits are read by the carrier's clock, and nothing else is", () => {
  expect(parseReceiptDate("2607011530", 60)?.toISOString()).toBe("2026-07-01T14:30:00.000Z");
  expect(parseReceiptDate("260701153059", 0)?.toISOString()).toBe("2026-07-01T15:30:59.000Z");
  expect(parseReceiptDate("20260701003059", 60)?.toISOString()).toBe("2026-06-30T23:30:59.000Z");
  for (const text of ["", "26070115", "2613011530", "2607321530", "260701253000", "abcdefghij"]) {
    expect(parseReceiptDate(text, 0)).toBeUndefined();
  }
});
