import { Readable } from "node:stream";
import { TOPICS_PER_HINT_MAX } from "./hint.ts";

/** What a client that does not read may cost; then its hints are merged into one "ask again for all". */
const BUFFER_BYTES = 4 * 1_024;

/**
 * The events of one open page, made when the socket has room for them. While it has none they are merged, so a slow
 * client costs the same however much happens, and still ends up right.
 */
export class EventStream {
  readonly readable: Readable;
  #isRoomLeft = false;
  #isEnded = false;
  #mustRefetch = false;
  #isBeating = false;
  readonly #topics = new Set<string>();
  #stuckBeatCount = 0;

  /** @param onClose called once, whoever ended the stream. */
  constructor(onClose: () => void) {
    this.readable = new Readable({
      highWaterMark: BUFFER_BYTES,
      read: () => {
        this.#isRoomLeft = true;
        this.#write();
      },
    });
    this.readable.once("close", onClose);
    // A client that goes away in the middle of an event is no error of ours.
    this.readable.on("error", () => undefined);
  }

  /** Everything may have changed since the client last looked: at the beginning, and after a gap. */
  ready(): void {
    this.#mustRefetch = true;
    this.#write();
  }

  change(topics: Iterable<string>): void {
    for (const topic of topics) this.#topics.add(topic);
    if (this.#topics.size > TOPICS_PER_HINT_MAX) this.#mustRefetch = true;
    this.#write();
  }

  /** Keeps proxies from closing a silent connection. @returns how many times in a row there was no room. */
  beat(): number {
    this.#stuckBeatCount = this.#isRoomLeft ? 0 : this.#stuckBeatCount + 1;
    this.#isBeating = true;
    this.#write();
    return this.#stuckBeatCount;
  }

  /** The session is over: the page must not wait for its next call to learn it. */
  endSignedOut(): void {
    if (!this.#isEnded) this.readable.push(formatEvent("signed-out", {}));
    this.end();
  }

  /** The client connects again by itself, after a pause. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.readable.push(null);
  }

  #write(): void {
    if (!this.#isRoomLeft || this.#isEnded || this.readable.destroyed) return;
    const text = this.#take();
    if (text !== "") this.#isRoomLeft = this.readable.push(text);
  }

  #take(): string {
    let text = "";
    // A refetch covers every topic, and any event is as good as a heartbeat.
    if (this.#mustRefetch) text = formatEvent("ready", {});
    else if (this.#topics.size > 0) text = formatEvent("change", { topics: [...this.#topics] });
    else if (this.#isBeating) text = ":\n\n";
    this.#mustRefetch = false;
    this.#isBeating = false;
    this.#topics.clear();
    return text;
  }
}

function formatEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
