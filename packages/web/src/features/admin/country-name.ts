/** Of a code that countries share, the names that people know it by. */
const known = ["United States", "Canada", "United Kingdom", "Russia", "Finland"];

/** @returns the names in their order, those that people know the code by before the others. */
export function knownFirst(names: readonly string[]): string[] {
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))];
}

/**
 * The country of a dialling code in a row of a table: the best known of those that share the code.
 * @param names of one code, with commas between them.
 */
export function nameCountry(names: string, code: string): string {
  return `${knownFirst(names.split(", "))[0] ?? ""} (+${code})`;
}
