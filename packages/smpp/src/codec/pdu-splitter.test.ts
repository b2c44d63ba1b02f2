import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rawPdu } from "../testing/raw-server.ts";
import { PduSplitter } from "./pdu-splitter.ts";

function collect(chunks: readonly Buffer[]): { pdus: Buffer[]; isSound: boolean } {
  const splitter = new PduSplitter();
  const pdus: Buffer[] = [];
  // One buffer for all reads, as with a socket: what was shown must not be needed afterwards.
  const readBuffer = Buffer.alloc(200_000);
  for (const chunk of chunks) {
    chunk.copy(readBuffer);
    const isSound = splitter.push(readBuffer, chunk.length, {
      onPdu(buffer, start, end) {
        pdus.push(Buffer.from(buffer.subarray(start, end)));
        return true;
      },
    });
    if (!isSound) return { pdus, isSound };
  }
  return { pdus, isSound: true };
}

describe("the splitter", () => {
  test.each([0, 1, 15, 65_537, 0xffffffff])("refuses a command_length of %i", (length) => {
    const pdu = rawPdu(4, 0, 1);
    pdu.writeUInt32BE(length, 0);
    expect(collect([pdu]).isSound).toBe(false);
    // The same when the header itself comes in two reads.
    expect(collect([pdu.subarray(0, 7), pdu.subarray(7)]).isSound).toBe(false);
  });

  test("takes 16 octets and 64 KiB, the two ends of what is allowed", () => {
    const small = rawPdu(0x15, 0, 1);
    const large = rawPdu(4, 0, 2, Buffer.alloc(65_536 - 16, 7));
    expect(collect([Buffer.concat([small, large, small])])).toEqual({ pdus: [small, large, small], isSound: true });
  });

  test("gives the same PDUs however the stream is cut", () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(bodies, cuts, (octets, sizes) => {
        const pdus = octets.map((body, index) => rawPdu(5, 0, index + 1, body));
        const stream = Buffer.concat(pdus);
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        expect(collect(chunks)).toEqual({ pdus, isSound: true });
      }),
      { numRuns: 300 },
    );
  });

  test("shows nothing more once its owner has closed", () => {
    const splitter = new PduSplitter();
    let count = 0;
    const stream = Buffer.concat([rawPdu(5, 0, 1), rawPdu(5, 0, 2)]);
    splitter.push(stream, stream.length, {
      onPdu() {
        count += 1;
        return false;
      },
    });
    expect(count).toBe(1);
  });
});
