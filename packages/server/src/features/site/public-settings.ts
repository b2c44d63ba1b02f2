import {
  DEFAULT_COUNTRY_CODE,
  MILLI_PER_UNIT,
  rateMilliForCode,
  type PublicSettings,
  type Rates,
} from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import { isLoopbackUrl } from "../../base/loopback.ts";
import { isStandingIn } from "../../base/trial-parts.ts";

/** What a browser must know before anyone has signed in. Nothing else of the configuration leaves the server. */
export function publicSettings(config: Config, rates: Rates, isSimulated: boolean): PublicSettings {
  return {
    ...config.brand,
    publicUrl: config.publicUrl,
    startingRate: rateMilliForCode(DEFAULT_COUNTRY_CODE, rates) / MILLI_PER_UNIT,
    emailRules: config.emailRules,
    pageRule: config.pageRule,
    adminEmailHost: config.adminEmailHost,
    isSimulated,
    isCardSandbox: isStandingIn(config, "card"),
    hasCards: config.paystackSecretKey !== undefined || isStandingIn(config, "card"),
    isMailKept: isStandingIn(config, "mailbox") && isLoopbackUrl(config.publicUrl),
  };
}
