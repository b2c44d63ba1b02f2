const files = (...names: string[]): string[] => names.map((name) => `src/${name}.test.ts`);

/** Measures what a page costs, and needs the machine for itself. */
export const testedAlone = files("lighthouse");

/** Measure time, but wait for most of theirs: two at once leave each other a core. */
export const testedInPairs = files("several-hosts", "hostile-clients", "two-windows");
