/** The contract's schemas come when a form is sent; the first paint does not wait for zod. */
export async function loadAdminSchemas() {
  return (await import("./admin-schemas.ts")).adminSchemas;
}
