type KeepOptions<Value> = {
  keptMs: number;
  read: () => Promise<Value>;
  /** Equal values keep the same object, so that callers can cache what they derive from it. */
  isEqual: (one: Value, other: Value) => boolean;
  /** Called when a read fails; the last value stays in use. */
  onError: (error: unknown) => void;
};

/**
 * Caches a value that is needed many times a second and reads it at most once in `keptMs`. While the database does not
 * answer, the last value stays in use; without one the error is thrown.
 */
export function keepFresh<Value>({ keptMs, read, isEqual, onError }: KeepOptions<Value>): () => Promise<Value> {
  let kept: { value: Value } | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<Value> | undefined;

  const readAgain = async (): Promise<Value> => {
    const startedAtMs = performance.now();
    try {
      const value = await read();
      if (kept === undefined || !isEqual(kept.value, value)) kept = { value };
    } catch (error) {
      if (kept === undefined) throw error;
      onError(error);
    } finally {
      reading = undefined;
    }
    // The time of the question, not of the answer: a commit in between shows up in the next read.
    readAtMs = startedAtMs;
    return kept.value;
  };
  return async () => {
    if (kept !== undefined && performance.now() - readAtMs < keptMs) return kept.value;
    return await (reading ??= readAgain());
  };
}
