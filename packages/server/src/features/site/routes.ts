import { COUNTRIES, helpRoutes, siteRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { askForHelp } from "./ask-for-help.ts";
import { currentRates } from "./current-rates.ts";
import { listRates } from "./list-rates.ts";
import { publicSettings } from "./public-settings.ts";
import { searchEngineRoutes } from "./search-engine-routes.ts";

/** What the public pages show (the brand, the countries, the prices), and what their contact form sends. */
export function siteRoutes(app: App, deps: Deps): void {
  searchEngineRoutes(app, deps.config);
  app.route({ ...contract.brand, handler: async () => ({ message: "Brand", data: publicSettings(deps.config, await currentRates()) }) });
  const countries = COUNTRIES.map(({ name, code }) => ({ name, code }));
  app.route({ ...contract.countries, handler: async () => ({ data: countries }) });
  app.route({ ...contract.rates, handler: async () => ({ data: listRates(await currentRates()) }) });
  app.route({
    ...helpRoutes.needHelp,
    handler: async (request, reply) => {
      const idempotencyKey = request.headers["idempotency-key"];
      await askForHelp(deps, request.body, { clientAddress: request.ip, idempotencyKey });
      return await reply.code(201).send({ message: "Thank you. Your message is with us, and we answer by e-mail" });
    },
  });
}
