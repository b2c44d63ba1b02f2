/** People's data: what a customer takes along, what a closing erases, and a number that is erased everywhere. */
export { eraseClosedQueue, stopClosedQueue } from "./close-account.ts";
export { eraseNumberQueue } from "./erase-number.ts";
export { exportDataQueue, oldExportsQueue } from "./export-data.ts";
export { privacyRoutes } from "./privacy-routes.ts";
