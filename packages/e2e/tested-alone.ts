/** Files that need the machine for themselves. */
export const testedAlone = ["start", "faults", "full-disk", "main-job", "two-windows", "lighthouse"].map((name) => `src/${name}.test.ts`);
