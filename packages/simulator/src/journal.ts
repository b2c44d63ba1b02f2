import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { readRecordLine, recordLine, type JournalRecord } from "./carried-message.ts";

/** The phones' newest 20,000 messages of usual length take about 5 MB; the rest is room for long ones. */
const SEGMENT_OCTETS_MAX_DEFAULT = 8 * 1024 * 1024;
/** Kept at a time, the one that is written included. */
const SEGMENT_COUNT = 3;

export type JournalOptions = {
  readonly folder: string;
  readonly segmentOctetsMax?: number;
  /** What of the segments up to one must live on: it is written into another before they are deleted. */
  readonly carryOver: (throughSegment: number, intoSegment: number) => Iterable<JournalRecord>;
};

/**
 * What the simulator must know after it was killed, in append-only segments of JSON lines. A record is safe from a
 * `kill -9` once `flush` has handed it to the kernel; nothing is synced to the disk, as a loss of power loses no more
 * than play money here.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #octetsMax: number;
  #segment = 0;
  #file = -1;
  #octets = 0;
  #lines: string[] = [];

  /** Opens the folder and gives every record of the segments that are there, oldest first. */
  constructor(options: JournalOptions, onRecord: (record: JournalRecord) => void) {
    this.#options = options;
    this.#octetsMax = options.segmentOctetsMax ?? SEGMENT_OCTETS_MAX_DEFAULT;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    for (const segment of this.#listSegments()) this.#replay(segment, onRecord);
    this.#open(Math.max(this.#segment, 1));
  }

  /** @returns the segment that will hold it. */
  append(record: JournalRecord): number {
    this.#lines.push(recordLine(record));
    return this.#segment;
  }

  /**
   * Hands what was appended to the kernel.
   *
   * @returns false when the disk did not take it (full, gone): what was appended since the last flush is not recorded.
   */
  flush(): boolean {
    if (this.#lines.length === 0) return true;
    if (!this.#writeLines()) return false;
    if (this.#octets >= this.#octetsMax) this.#rotate();
    return true;
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #writeLines(): boolean {
    const batch = Buffer.from(`${this.#lines.join("\n")}\n`);
    this.#lines = [];
    try {
      for (let at = 0; at < batch.length;) at += writeSync(this.#file, batch, at);
    } catch {
      // The first half of a batch must not come back as accepted when all of it was refused.
      ftruncateSync(this.#file, this.#octets);
      return false;
    }
    this.#octets += batch.length;
    return true;
  }

  #rotate(): void {
    closeSync(this.#file);
    this.#open(this.#segment + 1);
    const retired = this.#segment - SEGMENT_COUNT;
    for (const record of this.#options.carryOver(retired, this.#segment)) this.append(record);
    // With a full disk the old segments stay, and with them what could not be carried over.
    if (this.#lines.length > 0 && !this.#writeLines()) return;
    for (const segment of this.#listSegments()) {
      if (segment <= retired) rmSync(this.#pathOf(segment), { force: true });
    }
  }

  #open(segment: number): void {
    this.#segment = segment;
    this.#file = openSync(this.#pathOf(segment), "a", 0o600);
    this.#octets = fstatSync(this.#file).size;
  }

  #replay(segment: number, onRecord: (record: JournalRecord) => void): void {
    const path = this.#pathOf(segment);
    const content = readFileSync(path);
    const octets = content.lastIndexOf("\n") + 1;
    // Whoever was killed in the middle of a line had not answered for it yet.
    if (octets < content.length) truncateSync(path, octets);
    for (const line of content.toString("utf8", 0, octets).split("\n")) {
      const record = line === "" ? undefined : readRecordLine(line, segment);
      if (record !== undefined) onRecord(record);
    }
    this.#segment = segment;
  }

  #listSegments(): number[] {
    return readdirSync(this.#options.folder)
      .flatMap((name) => {
        const match = /^journal-(\d+)\.jsonl$/.exec(name);
        return match === null ? [] : [Number(match[1])];
      })
      .toSorted((a, b) => a - b);
  }

  #pathOf(segment: number): string {
    return join(this.#options.folder, `journal-${String(segment).padStart(10, "0")}.jsonl`);
  }
}
