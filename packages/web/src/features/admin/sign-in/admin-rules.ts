/** What the forms before an administrator's sign-in still need. (specification, section 5) */

export const emptyRegistration = {
  adminName: "",
  adminFullName: "",
  email: "",
  contact: "",
  password: "",
  confirmPassword: "",
};

/** All fields, and both passwords the same. */
export function findMissingForAdmin(values: typeof emptyRegistration): string[] {
  const filled = (text: string): boolean => text.trim() !== "";
  return [
    !filled(values.adminName) && "admin name",
    !filled(values.adminFullName) && "full name",
    !filled(values.email) && "email",
    !filled(values.contact) && "contact",
    values.password === "" && "password",
    values.password !== "" && values.password !== values.confirmPassword && "the same password twice",
  ].filter((name) => name !== false);
}

export const emptyLogin = { email: "", password: "", code: "" };

/** @param host the administrators' e-mail host; undefined while the settings are on their way, and no address fits until then. */
export function findMissingForAdminLogin(
  { email, password }: Pick<typeof emptyLogin, "email" | "password">,
  host: string | undefined,
): string[] {
  const isCompanyEmail = host !== undefined && email.toLowerCase().includes(host.toLowerCase());
  return [
    !isCompanyEmail && (host === undefined ? "email" : `an email with ${host}`),
    password === "" && "password",
  ].filter((name) => name !== false);
}
