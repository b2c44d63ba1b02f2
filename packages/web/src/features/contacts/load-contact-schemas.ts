/** The contract's schemas come when a form is sent; the first paint does not wait for zod. */
export async function loadContactSchemas() {
  return (await import("./contact-schemas.ts")).contactSchemas;
}
