import type { Socket } from "node:net";
import type { PduTarget } from "../codec/write-pdu.ts";
import { PDU_OCTETS_MAX } from "../codec/commands.ts";

/** Below this a batch is copied when the socket is backed up, so that small answers do not cost 64 KiB each. */
const COPY_BELOW_OCTETS = 4096;

/**
 * Collects the PDUs of one turn in one buffer and writes them at once. Measured (window 100, 2 cores): one write a PDU
 * 165,000 submits/s, one write a batch 787,000.
 */
export class BatchWriter implements PduTarget {
  readonly #socket: Socket;
  readonly #onHandedOver: () => void;
  buffer: Buffer = Buffer.allocUnsafeSlow(PDU_OCTETS_MAX);
  at = 0;
  /** The socket holds more than it should: write nothing that can wait until it drains. */
  isBackedUp = false;

  /** @param onHandedOver called when everything so far is out of our hands: from then on it may reach the peer. */
  constructor(socket: Socket, onHandedOver: () => void) {
    this.#socket = socket;
    this.#onHandedOver = onHandedOver;
    socket.on("drain", () => {
      this.isBackedUp = false;
    });
  }

  reserve(octets: number): void {
    if (this.at + octets > this.buffer.length) this.flush();
  }

  flush(): void {
    const octets = this.at;
    this.at = 0;
    // What cannot be written any more is dropped without `onHandedOver`: it never left.
    if (octets === 0 || this.#socket.destroyed || !this.#socket.writable) return;
    this.#onHandedOver();
    const batch = this.buffer.subarray(0, octets);
    if (octets < COPY_BELOW_OCTETS && this.#socket.writableLength > 0) {
      this.#write(Buffer.from(batch));
      return;
    }
    this.#write(batch);
    // Still queued: the socket keeps this buffer until it is gone, so go on in another.
    if (this.#socket.writableLength > 0) this.buffer = Buffer.allocUnsafeSlow(PDU_OCTETS_MAX);
  }

  #write(batch: Buffer): void {
    const hasRoom = this.#socket.write(batch);
    // A batch above the high-water mark answers false even when the kernel took it all at once.
    this.isBackedUp = !hasRoom && this.#socket.writableLength > 0;
  }
}
