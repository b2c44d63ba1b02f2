import type { Config } from "../../../base/config.ts";
import { AppError } from "../../../base/errors.ts";

/** Whether a mailbox is of the company, whose people are administrators and prove it themselves. */
export function isCompanyAddress(
  config: Pick<Config, "adminEmailHost" | "areAdminSubdomainsAllowed">,
  email: string,
): boolean {
  const host = email.slice(email.lastIndexOf("@") + 1);
  return (
    host === config.adminEmailHost || (config.areAdminSubdomainsAllowed && host.endsWith(`.${config.adminEmailHost}`))
  );
}

/**
 * Refuses a mailbox of the company to customers. Whoever registered it would have a password to an account that belongs to an
 * administrator, and the administrator's click on our mail would open it; theirs is made when they switch.
 *
 * @throws AppError `HOST_NOT_ALLOWED`.
 */
export function refuseCompanyAddress(
  config: Pick<Config, "adminEmailHost" | "areAdminSubdomainsAllowed">,
  email: string,
): void {
  if (!isCompanyAddress(config, email)) return;
  throw new AppError("HOST_NOT_ALLOWED", {
    message: "Company mailboxes are for administrators. Register as one, and switch to the customer's side from there",
  });
}
