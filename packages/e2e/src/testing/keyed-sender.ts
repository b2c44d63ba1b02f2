import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { send, type ApiClient } from "./api-client.ts";

/** What a proxy says of a host that is away, and a host of its database: the same key may be sent again. */
const PASSING = new Set([502, 503, 504]);

/** Sends one message after the other, each under a key of its own, to whichever host answers, until it is told to stop. */
export class KeyedSender {
  /** Messages that were accepted, and requests that had to be made again for them. */
  sentCount = 0;
  retriedCount = 0;
  readonly #customer: ApiClient;
  readonly #hosts: readonly { url: string }[];
  readonly #numbers: Iterator<string>;
  readonly #text: { senderName: string; message: string };
  readonly #pauseMs: number;
  #isOver = false;

  /** @param pauseMs after each message, so that hosts that start meanwhile get some of the processor. */
  constructor(
    customer: ApiClient,
    hosts: readonly { url: string }[],
    numbers: Iterator<string>,
    { senderName = "SHOP", message = "Restart", pauseMs = 0 } = {},
  ) {
    this.#customer = customer;
    this.#hosts = hosts;
    this.#numbers = numbers;
    this.#text = { senderName, message };
    this.#pauseMs = pauseMs;
  }

  stop(): void {
    this.#isOver = true;
  }

  /** @throws Error for a message that no host takes within 10 s, or that one refuses. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.#sendOne(this.#numbers.next().value as string);
      await sleep(this.#pauseMs);
    }
  }

  async #sendOne(phoneNo: string): Promise<void> {
    const key = randomUUID();
    const body = { ...this.#text, phoneNo, code: "234" };
    for (let tries = 0; tries < 200; tries += 1) {
      const url = this.#hosts[(this.sentCount + tries) % this.#hosts.length]?.url ?? "";
      const status = await send(this.#customer.at(url), body, key).then(
        (answer) => answer.status,
        () => "no answer" as const,
      );
      if (status === 200) {
        this.sentCount += 1;
        return;
      }
      if (status !== "no answer" && !PASSING.has(status)) throw new Error(`A keyed send was answered with ${status}`);
      this.retriedCount += 1;
      await sleep(50);
    }
    throw new Error("No host took a keyed send for 10 s");
  }
}
