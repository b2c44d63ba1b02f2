/** Files that measure time, and need the machine for themselves. */
export const testedAlone = ["two-windows", "lighthouse", "hostile-clients", "several-hosts"].map(
  (name) => `src/${name}.test.ts`,
);
