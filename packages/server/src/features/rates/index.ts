export { listRates, createRateReader, readRateAt, readRatesAt, type ReadRates } from "./list-rates.ts";
export { rateRoutes } from "./routes.ts";
