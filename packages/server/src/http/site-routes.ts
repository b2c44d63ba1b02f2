import { COUNTRIES, DEFAULT_RATES, listCountryNames, siteRoutes as contract, unitsForJson } from "@ewebal/contract";
import type { Config } from "../config.ts";
import type { App } from "./app-type.ts";

/** What the public pages show: the brand, the countries, the prices. The same for everybody, so anyone may keep it a while. */
export function siteRoutes(app: App, config: Config): void {
  app.route({
    ...contract.brand,
    handler: async () => ({
      message: "Brand",
      data: {
        ...config.brand,
        emailRules: config.emailRules,
        pageRule: config.pageRule,
        adminEmailHost: config.adminEmailHost,
        isSimulated: config.carriers === undefined,
        isCardSandbox: config.paystackSecretKey === undefined,
        isMailKept: config.smtpUrl === undefined,
      },
    }),
  });
  const countries = COUNTRIES.map(({ name, code }) => ({ name, code }));
  app.route({ ...contract.countries, handler: async () => ({ data: countries }) });
  const rates = listRates();
  app.route({ ...contract.rates, handler: async () => ({ data: rates }) });
}

/** By country; a code that several countries share stands once for each. */
function listRates(): { country: string; code: string; rate: number }[] {
  const rows = [...DEFAULT_RATES].flatMap(([code, rateMilli]) => {
    return listCountryNames(code).map((country) => ({ country, code, rate: unitsForJson(rateMilli) }));
  });
  return rows.toSorted((one, other) => one.country.localeCompare(other.country, "en"));
}
