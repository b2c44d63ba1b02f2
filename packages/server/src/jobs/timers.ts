/** Repeated tasks of one owner: none overlaps itself, none that fails ends the others, and all end together. */
export class Timers {
  readonly #onError: (name: string, error: unknown) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(onError: (name: string, error: unknown) => void) {
    this.#onError = onError;
  }

  every(name: string, intervalMs: number, task: () => void | Promise<void>): void {
    this.#timers.set(
      name,
      setInterval(() => this.run(name, task), intervalMs),
    );
  }

  /** Does a task once, unless the one of that name is under way. */
  run(name: string, task: () => void | Promise<void>): void {
    if (this.#running.has(name)) return;
    const work = async (): Promise<void> => {
      try {
        await task();
      } catch (error) {
        this.#onError(name, error);
      } finally {
        this.#running.delete(name);
      }
    };
    this.#running.set(name, work());
  }

  /** @param names all when none is given. */
  stop(...names: string[]): void {
    for (const name of names.length > 0 ? names : [...this.#timers.keys()]) {
      clearInterval(this.#timers.get(name));
      this.#timers.delete(name);
    }
  }

  /** Waits for tasks that were under way when they were stopped. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
