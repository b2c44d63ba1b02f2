import type { PduTarget } from "../codec/write-pdu.ts";

/** Collects what an encoder writes. */
export function capture(write: (target: PduTarget) => void): Buffer {
  const target: PduTarget = {
    buffer: Buffer.alloc(70_000, 0xee),
    at: 0,
    reserve() {
      // There is room for everything that a test writes.
    },
  };
  write(target);
  return Buffer.from(target.buffer.subarray(0, target.at));
}
