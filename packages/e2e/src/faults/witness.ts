/** What the carriers of a run saw and did, by number, tag and part: taken down as it happens, and compared with the product afterwards. */
import type { ReportState } from "./carrier-pdus.ts";

export type CarriedPart = {
  /** How often a carrier took it: more than once is an SMS that a person got twice. */
  takenCount: number;
  /** Whether an answer that it was taken was written to the link. */
  isAnswered: boolean;
  isRefused: boolean;
  /** What was sent, oldest first; a report that is sent again stands here again. */
  reported: ReportState[];
  /** What the product acknowledged, oldest first. */
  acknowledged: ReportState[];
};

export type CarriedMessage = { number: string; tag: string };

export class Witness {
  readonly #parts = new Map<string, Map<number, CarriedPart>>();
  /** What the product must never write to a carrier. */
  readonly faults: string[] = [];

  noteTaken(submit: CarriedMessage & { part: number }): void {
    this.#part(submit).takenCount += 1;
  }

  noteAnswered(submit: CarriedMessage & { part: number }): void {
    this.#part(submit).isAnswered = true;
  }

  noteRefused(submit: CarriedMessage & { part: number }): void {
    this.#part(submit).isRefused = true;
  }

  noteReported(submit: CarriedMessage & { part: number }, state: ReportState): void {
    this.#part(submit).reported.push(state);
  }

  noteReportTaken(submit: CarriedMessage & { part: number }, state: ReportState): void {
    this.#part(submit).acknowledged.push(state);
  }

  noteFault(what: string): void {
    this.faults.push(what);
  }

  /** @returns one entry a part that any carrier has heard of. */
  partsOf({ number, tag }: CarriedMessage): CarriedPart[] {
    return [...(this.#parts.get(`${number} ${tag}`)?.values() ?? [])];
  }

  /** Everything that a carrier heard of: `number tag`. */
  get carried(): string[] {
    return [...this.#parts.keys()];
  }

  get takenCount(): number {
    return [...this.#parts.values()].reduce(
      (sum, parts) => sum + [...parts.values()].reduce((partial, { takenCount }) => partial + takenCount, 0),
      0,
    );
  }

  #part({ number, tag, part }: CarriedMessage & { part: number }): CarriedPart {
    const key = `${number} ${tag}`;
    let parts = this.#parts.get(key);
    if (parts === undefined) this.#parts.set(key, (parts = new Map()));
    let carried = parts.get(part);
    if (carried === undefined) {
      carried = { takenCount: 0, isAnswered: false, isRefused: false, reported: [], acknowledged: [] };
      parts.set(part, carried);
    }
    return carried;
  }
}
