/** What is still missing in the forms of registration and sign-in. (specification, section 5) */

export const emptyRegistration = {
  adminName: "",
  adminFullName: "",
  email: "",
  contact: "",
  password: "",
  confirmPassword: "",
};

/** All fields are filled, and both passwords are the same. */
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

/** @param host the administrators' e-mail host; undefined until the settings have arrived, and then no address fits. */
export function findMissingForAdminLogin(
  { email, password }: Pick<typeof emptyLogin, "email" | "password">,
  host: string | undefined,
): string[] {
  const isCompanyEmail = host !== undefined && email.toLowerCase().includes(host.toLowerCase());
  return [
    !isCompanyEmail && (host === undefined || email === "" ? "email" : `an email with ${host}`),
    password === "" && "password",
  ].filter((name) => name !== false);
}
