import { describe, expect, test } from "vitest";
import { buildParts } from "../message/build-parts.ts";
import type { Submit } from "../client/client-types.ts";
import { capture } from "../testing/capture.ts";
import { buildSubmit } from "../testing/recording-client.ts";
import { MessageView } from "./message-view.ts";
import { writeSubmit } from "./write-submit.ts";

const kind = { ton: 1, npi: 1, isDataSm: false };

function encode(submit: Submit): Buffer {
  return capture((target) => writeSubmit(target, 7, submit, kind));
}

function read(pdu: Buffer): MessageView {
  const view = new MessageView();
  expect(view.read(pdu, 16, pdu.length, false)).toBe(true);
  expect(view.isTlvBroken).toBe(false);
  return view;
}

function bodyOf(view: MessageView): Buffer {
  return Buffer.from(view.buffer.subarray(view.bodyStart, view.bodyEnd));
}

describe("writing a submit_sm", () => {
  test("gives these octets", () => {
    const pdu = encode(buildSubmit({ text: "Hi @", destination: "234803", priority: 1, userMessageReference: 258 }));
    const expected = [
      "00000035 00000004 00000000 00000007", // length, command, status, sequence
      "00 05 00 53484f5000", // service_type, source
      "01 01 32333438303300", // destination
      "00 00 01 00 00", // esm_class, protocol_id, priority, schedule, validity
      "01 00 00 00", // registered_delivery, replace, data_coding, default message
      "04 48692000", // short_message: @ is 0x00 in GSM 03.38
      "0204 0002 0102", // user_message_reference
    ];
    expect(pdu.toString("hex")).toBe(expected.join("").replaceAll(" ", ""));
  });

  test.each([
    ["udh8", [5, 0, 3, 0x34, 2, 1], 153],
    ["udh16", [6, 8, 4, 0x12, 0x34, 2, 1], 152],
  ] as const)("with %s puts the header before the part and sets UDHI", (mode, header, septets) => {
    const [part] = buildParts("x".repeat(200), { mode });
    if (part === undefined) throw new Error("no part");
    const view = read(encode({ ...buildSubmit(), part, reference: 0x1234 }));
    expect(view.esmClass).toBe(0x40);
    expect([...bodyOf(view).subarray(0, header.length)]).toEqual(header);
    expect(bodyOf(view).length).toBe(header.length + septets);
  });

  test("with sar writes the three TLVs and no header", () => {
    const part = buildParts("x".repeat(200), { mode: "sar" })[1];
    if (part === undefined) throw new Error("no part");
    const view = read(encode({ ...buildSubmit(), part, reference: 0x1234 }));
    expect(view).toMatchObject({ esmClass: 0, sarReference: 0x1234, sarPartCount: 2, sarPartNumber: 2 });
    expect(bodyOf(view).toString()).toBe("x".repeat(47));
  });

  test("with payload writes the whole text in message_payload and an empty short_message", () => {
    const parts = buildParts("€".repeat(5000), { mode: "payload" });
    expect(parts).toHaveLength(1);
    const [part] = parts;
    if (part === undefined) throw new Error("no part");
    const view = read(encode({ ...buildSubmit(), part }));
    expect(view.hasPayload).toBe(true);
    expect(bodyOf(view).length).toBe(10_000);
  });

  const [longPart] = buildParts("x".repeat(200));
  const part = (body: Uint8Array): Submit["part"] => ({ dataCoding: 0, body, inPayload: false });
  test.each<[string, Partial<Submit>]>([
    ["a source of 21 characters", { source: { ton: 1, npi: 1, address: "1".repeat(21) } }],
    ["a source with a NUL", { source: { ton: 5, npi: 0, address: "A\0B" } }],
    ["a validity of 17 characters", { validityPeriod: "0".repeat(17) }],
    ["255 octets of text", { part: part(new Uint8Array(255)) }],
    ["60,001 octets of payload", { part: { ...part(new Uint8Array(60_001)), inPayload: true } }],
    ["a part of a long message without reference", longPart === undefined ? {} : { part: longPart }],
  ])("refuses %s and writes nothing", (_what, overrides) => {
    const written = capture((target) => {
      expect(() => writeSubmit(target, 7, buildSubmit(overrides), kind)).toThrow(RangeError);
    });
    expect(written.length).toBe(0);
  });
});
