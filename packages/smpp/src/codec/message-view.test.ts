import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capture } from "../testing/capture.ts";
import { MessageView } from "./message-view.ts";
import { writeDeliver } from "./write-deliver.ts";

const head = "00 0101 32333400 0500 53484f5000"; // service_type, source 234, destination SHOP
const tail = "04 00 00 00 00 00 00 00 00 02 4869"; // receipt, all else empty, "Hi"

function octets(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}

describe("reading a deliver_sm", () => {
  test("finds every field where it lies", () => {
    const buffer = octets(`${head} ${tail} 001e 0003 413100 0427 0001 02 0204 0002 beef 0423 0003 030045`);
    const view = new MessageView();
    expect(view.read(buffer, 0, buffer.length, false)).toBe(true);
    expect(view).toMatchObject({
      source: "234",
      destination: "SHOP",
      sourceTon: 1,
      destinationTon: 5,
      esmClass: 4,
      messageState: 2,
      userMessageReference: 0xbeef,
      receiptedId: "A1",
      isTlvBroken: false,
    });
    expect(buffer.toString("latin1", view.bodyStart, view.bodyEnd)).toBe("Hi");
  });

  test("passes over TLVs that it does not know, and those of a wrong length", () => {
    const buffer = octets(`${head} ${tail} 1400 0004 01020304 0427 0002 0202 0427 0001 05`);
    const view = new MessageView();
    expect(view.read(buffer, 0, buffer.length, false)).toBe(true);
    expect(view.messageState).toBe(5);
  });

  test("keeps the TLVs of operators, each with its octets, and forgets them with the next PDU", () => {
    const buffer = octets(`${head} ${tail} 13ff 0001 01 1400 0004 01020304 1401 0000 3fff 0001 07 4000 0001 08`);
    const view = new MessageView();
    view.read(buffer, 0, buffer.length, false);
    buffer.fill(0);
    expect([...(view.vendorTlvs ?? [])].map(([tag, value]) => [tag, value.toString("hex")])).toEqual([
      [0x1400, "01020304"],
      [0x1401, ""],
      [0x3fff, "07"],
    ]);
    const next = octets(`54524e5300 ${head.slice(3)} ${tail}`);
    expect(view.read(next, 0, next.length, false)).toBe(true);
    expect(view).toMatchObject({ serviceType: "TRNS", vendorTlvs: undefined });
  });

  test("keeps what came before a TLV that runs over the end", () => {
    const buffer = octets(`${head} ${tail} 0427 0001 02 001e 0040 4131`);
    const view = new MessageView();
    expect(view.read(buffer, 0, buffer.length, false)).toBe(true);
    expect(view).toMatchObject({ isTlvBroken: true, messageState: 2, receiptedIdStart: -1 });
  });

  test("takes a receipted_message_id with and without NUL", () => {
    for (const id of ["001e 0002 4131", "001e 0003 413100"]) {
      const buffer = octets(`${head} ${tail} ${id}`);
      const view = new MessageView();
      view.read(buffer, 0, buffer.length, false);
      expect(view.receiptedId).toBe("A1");
    }
  });

  test("says no wherever the mandatory fields are cut off", () => {
    const buffer = octets(`${head} ${tail}`);
    const view = new MessageView();
    for (let end = 0; end < buffer.length; end += 1) expect(view.read(buffer, 0, end, false)).toBe(false);
    expect(view.read(buffer, 0, buffer.length, false)).toBe(true);
  });

  test("reads a data_sm, whose text is in message_payload", () => {
    const buffer = octets(`${head} 04 00 00 0424 0002 4869`);
    const view = new MessageView();
    expect(view.read(buffer, 0, buffer.length, true)).toBe(true);
    expect(buffer.toString("latin1", view.bodyStart, view.bodyEnd)).toBe("Hi");
  });

  test("gives back whatever was written", () => {
    const text = fc.string({
      unit: fc.integer({ min: 1, max: 127 }).map((code) => String.fromCharCode(code)),
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, text, text, fc.uint8Array({ maxLength: 254 }), (source, destination, messageId, body) => {
        const pdu = capture((target) =>
          writeDeliver(target, 1, {
            source: { ton: 1, npi: 1, address: source },
            destination: { ton: 5, npi: 0, address: destination },
            esmClass: 4,
            dataCoding: 8,
            body,
            receipted: { messageId, state: 2 },
          }),
        );
        const view = new MessageView();
        expect(pdu.readUInt32BE(0)).toBe(pdu.length);
        expect(view.read(pdu, 16, pdu.length, false)).toBe(true);
        expect(view).toMatchObject({ source, destination, receiptedId: messageId, messageState: 2, dataCoding: 8 });
        expect(Buffer.from(pdu.subarray(view.bodyStart, view.bodyEnd))).toEqual(Buffer.from(body));
      }),
      { numRuns: 300 },
    );
  });
});
