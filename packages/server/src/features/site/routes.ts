import { COUNTRIES, helpRoutes, siteRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { isSimulated } from "../delivery/index.ts";
import { createRateReader } from "../rates/index.ts";
import { askForHelp } from "./ask-for-help.ts";
import { publicSettings } from "./public-settings.ts";
import { searchEngineRoutes } from "./search-engine-routes.ts";

/** What the public pages show (the brand, the countries), and what their contact form sends. */
export function siteRoutes(app: App, deps: Deps): void {
  searchEngineRoutes(app, deps);
  const readRates = createRateReader(deps);
  app.route({
    ...contract.brand,
    handler: async () => ({
      message: "Brand",
      data: publicSettings(deps.config, await readRates(), await isSimulated(deps)),
    }),
  });
  const countries = COUNTRIES.map(({ name, code }) => ({ name, code }));
  app.route({ ...contract.countries, handler: async () => ({ data: countries }) });
  app.route({
    ...helpRoutes.needHelp,
    handler: async (request, reply) => {
      const idempotencyKey = request.headers["idempotency-key"];
      await askForHelp(deps, request.body, { clientAddress: request.ip, idempotencyKey });
      return await reply.code(201).send({ message: "Thank you. Your message is with us, and we answer by e-mail" });
    },
  });
}
