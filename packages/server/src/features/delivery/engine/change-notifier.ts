import { deliveryTimesMs } from "../delivery-limits.ts";

export type MessageChange = { userId: string; messageId: string };

/** Announces changed messages, each at most once in `changeGap`: a page cannot show more, and flushes come far more often. */
export class ChangeNotifier {
  readonly #onChange: (change: MessageChange) => void;
  readonly #pending = new Map<string, MessageChange>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (change: MessageChange) => void) {
    this.#onChange = onChange;
  }

  /** Call after the commit. */
  notify(changes: readonly MessageChange[]): void {
    for (const { userId, messageId } of changes) this.#pending.set(messageId, { userId, messageId });
    if (this.#pending.size > 0) this.#timer ??= setTimeout(() => this.flush(), deliveryTimesMs.changeGap);
  }

  /** Announces at once what is pending. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = [...this.#pending.values()];
    this.#pending.clear();
    for (const change of changes) this.#onChange(change);
  }
}
