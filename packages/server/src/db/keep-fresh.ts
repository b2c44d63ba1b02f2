type KeepOptions<Value> = {
  keptMs: number;
  read: () => Promise<Value>;
  /** Equal values stay the same object, so that what was made of it can be kept. */
  isEqual: (one: Value, other: Value) => boolean;
  /** Told why it could not be read again; the last value stands. */
  onError: (error: unknown) => void;
};

/**
 * Reads what is needed many times a second at most once in `keptMs`. While the database does not answer, the last value
 * stands; without any the error is thrown.
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
    // Of the question, not of the answer: what was committed in between is in the next one.
    readAtMs = startedAtMs;
    return kept.value;
  };
  return async () => {
    if (kept !== undefined && performance.now() - readAtMs < keptMs) return kept.value;
    return await (reading ??= readAgain());
  };
}
