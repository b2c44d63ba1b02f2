/**
 * Reads the fields of one PDU in place. Reading past the end never throws: it turns `ok` false and yields zeros, so
 * that a decoder reads straight through and asks once.
 */
export class PduReader {
  buffer: Buffer = Buffer.alloc(0);
  at = 0;
  end = 0;
  ok = true;
  /** Where the text of the last `skipText` lies, NUL not included. */
  textStart = 0;
  textEnd = 0;

  reset(buffer: Buffer, at: number, end: number): void {
    this.buffer = buffer;
    this.at = at;
    this.end = end;
    this.ok = at <= end && end <= buffer.length;
  }

  octet(): number {
    if (this.at >= this.end) return this.#fail();
    return this.buffer[this.at++] ?? 0;
  }

  uint16(): number {
    return this.octet() * 0x100 + this.octet();
  }

  uint32(): number {
    return this.uint16() * 0x10000 + this.uint16();
  }

  /** Passes over a C-octet string and notes where it lies. It ends at its NUL, never at the PDU's end. */
  skipText(octetsMax: number): void {
    const { buffer } = this;
    const limit = Math.min(this.end, this.at + octetsMax + 1);
    let at = this.at;
    while (at < limit && buffer[at] !== 0) at += 1;
    this.textStart = this.at;
    if (at === limit) {
      this.textEnd = this.at;
      this.#fail();
      return;
    }
    this.textEnd = at;
    this.at = at + 1;
  }

  text(octetsMax: number): string {
    this.skipText(octetsMax);
    return latin1(this.buffer, this.textStart, this.textEnd);
  }

  /** Like `text`, for the bodies of answers, where some carriers leave the NUL out or the whole body. */
  textOrRest(octetsMax: number): string {
    const { buffer } = this;
    const limit = Math.min(this.end, this.at + octetsMax);
    let end = this.at;
    while (end < limit && buffer[end] !== 0) end += 1;
    const text = latin1(buffer, this.at, end);
    this.at = Math.min(end + 1, this.end);
    return text;
  }

  #fail(): number {
    this.ok = false;
    this.at = this.end;
    return 0;
  }
}

/** Octets as characters U+0000 to U+00FF, as SMPP's text fields are ASCII and some carriers put more into them. */
export function latin1(buffer: Buffer, start: number, end: number): string {
  return start >= end ? "" : buffer.toString("latin1", start, end);
}
