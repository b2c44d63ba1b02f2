/** Makes something when it is first asked for: a number format costs a phone 20 ms, which no page should pay before its first drawing. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
