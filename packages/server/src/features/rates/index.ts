/** Rates: what a page costs, at any moment. The specified table stands in the contract; administrators' edits of it are rows. */
export { createRateReader, readRateAt, readRatesAt, type ReadRates } from "./current-rates.ts";
export { listRates } from "./list-rates.ts";
export { rateRoutes } from "./routes.ts";
