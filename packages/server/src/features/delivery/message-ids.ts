/** @returns the lowest id of a moment: 48 bits of milliseconds, then nothing. No UUIDv7 of that moment or later is below it. */
export function smallestIdOf(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
