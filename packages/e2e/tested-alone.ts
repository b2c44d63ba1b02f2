/** Measures time, or what a page costs, and needs the machine for itself: beside others that have its priority it would only test their patience. */
export const testedAlone = ["lighthouse", "several-hosts", "hostile-clients", "two-windows"].map(
  (name) => `src/${name}.test.ts`,
);
