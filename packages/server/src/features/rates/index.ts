export { listRates, createRateReader, readRatesAt, viewPublicRates, type ReadRates } from "./list-rates.ts";
export { readPriceAt, viewOwnRates } from "./price-of.ts";
export { priceRoutes } from "./price-routes.ts";
export { rateRoutes } from "./routes.ts";
