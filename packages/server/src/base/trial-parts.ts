/** The stand-ins with which a newcomer tries the product, and the real parts that replace them. */
import type { Config, TrialPart } from "./config.ts";

/** Tells for each stand-in whether the real part is configured. */
const isReplaced: Partial<Record<TrialPart, (config: Config) => boolean>> = {
  card: ({ paystackSecretKey }) => paystackSecretKey !== undefined,
  mailbox: ({ mailServer }) => mailServer !== undefined,
  phones: ({ carriers }) => carriers !== undefined,
};

/** A stand-in is active when it is allowed and the real part is not configured. */
export function isStandingIn(config: Config, part: TrialPart): boolean {
  return config.trialParts.has(part) && isReplaced[part]?.(config) !== true;
}

/**
 * Refuses to start a worker without a mail server or a carrier. Cards may be missing; their calls say so.
 *
 * @param hasKeptCarriers administrators keep carriers in the database.
 * @throws Error for the operator that lists everything that is missing; nothing was started or changed then.
 */
export function refuseMissingParts(config: Config, hasKeptCarriers: boolean): void {
  if (!config.roles.has("worker")) return;
  const missing: string[] = [];
  if (config.mailServer === undefined && !config.trialParts.has("mailbox")) {
    missing.push("a mail server: set SMTP_URL, or name mailbox in TRIAL_PARTS to keep mails on this machine");
  }
  if (config.carriers === undefined && !config.trialParts.has("phones") && !hasKeptCarriers) {
    missing.push(
      "carriers: set CARRIERS, or name phones in TRIAL_PARTS to let the simulator carry until administrators have added one",
    );
  }
  if (missing.length === 0) return;
  const reason = config.areTrialPartsNamed
    ? "TRIAL_PARTS does not name their stand-ins"
    : "with CARRIERS, SMTP_URL or an https PUBLIC_URL set, stand-ins are off unless TRIAL_PARTS names them";
  throw new Error(
    `The start is refused, because these are missing (${reason}):\n${missing.map((part) => `  ${part}`).join("\n")}`,
  );
}
