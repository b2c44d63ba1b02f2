/** The contract's schemas come when a form is sent: with zod they are 23 kB, which the first paint does not wait for. */
export async function loadAccountSchemas() {
  return (await import("./schemas.ts")).accountSchemas;
}
