export { listRates, createRateReader, readRateAt, readRatesAt, viewPublicRates, type ReadRates } from "./list-rates.ts";
export { rateRoutes } from "./routes.ts";
