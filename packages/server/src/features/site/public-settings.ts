import type { PublicSettings } from "@ewebal/contract";
import type { Config } from "../../config.ts";

/** What a browser must know before anyone has signed in. Nothing else of the configuration leaves the server. */
export function publicSettings(config: Config): PublicSettings {
  return {
    ...config.brand,
    publicUrl: config.publicUrl,
    emailRules: config.emailRules,
    pageRule: config.pageRule,
    adminEmailHost: config.adminEmailHost,
    isSimulated: config.carriers === undefined,
    isCardSandbox: config.paystackSecretKey === undefined,
    isMailKept: config.smtpUrl === undefined,
  };
}
