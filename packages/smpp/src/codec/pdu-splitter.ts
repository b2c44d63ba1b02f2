import { HEADER_OCTETS, PDU_OCTETS_MAX } from "./commands.ts";

/** Takes whole PDUs; `buffer` is only good until the call returns. Answers false to get no more of this chunk. */
export type PduSink = {
  onPdu(buffer: Buffer, start: number, end: number): boolean;
};

/**
 * Cuts a stream of octets into PDUs without copying: whole PDUs are shown where they lie in the chunk, and only one
 * that spans two chunks is put together in a buffer of our own.
 */
export class PduSplitter {
  #carry: Buffer | undefined;
  #carriedOctets = 0;

  /**
   * @param chunk its first `octets` octets are new; it may be overwritten afterwards.
   * @returns false when a command_length is below 16 or above 64 KiB: the borders are lost, close the connection.
   */
  push(chunk: Buffer, octets: number, sink: PduSink): boolean {
    let at = 0;
    if (this.#carriedOctets > 0) {
      at = this.#fillCarry(chunk, 0, octets, HEADER_OCTETS);
      if (this.#carriedOctets < HEADER_OCTETS) return true;
      const carry = this.#ownBuffer();
      const length = carry.readUInt32BE(0);
      if (length < HEADER_OCTETS || length > PDU_OCTETS_MAX) return false;
      at = this.#fillCarry(chunk, at, octets, length);
      if (this.#carriedOctets < length) return true;
      this.#carriedOctets = 0;
      if (!sink.onPdu(carry, 0, length)) return true;
    }
    while (octets - at >= HEADER_OCTETS) {
      const length = chunk.readUInt32BE(at);
      if (length < HEADER_OCTETS || length > PDU_OCTETS_MAX) return false;
      if (octets - at < length) break;
      if (!sink.onPdu(chunk, at, at + length)) return true;
      at += length;
    }
    if (at < octets) this.#fillCarry(chunk, at, octets, PDU_OCTETS_MAX);
    return true;
  }

  /** Copies until the carry holds `wanted` octets or the chunk ends; returns where the chunk goes on. */
  #fillCarry(chunk: Buffer, at: number, octets: number, wanted: number): number {
    const count = Math.min(wanted - this.#carriedOctets, octets - at);
    if (count <= 0) return at;
    chunk.copy(this.#ownBuffer(), this.#carriedOctets, at, at + count);
    this.#carriedOctets += count;
    return at + count;
  }

  #ownBuffer(): Buffer {
    this.#carry ??= Buffer.allocUnsafeSlow(PDU_OCTETS_MAX);
    return this.#carry;
  }
}
