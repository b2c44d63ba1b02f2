/** Live updates: hints from a commit to the pages that show what changed. */
export type { SessionEnd } from "./hint.ts";
export * from "./changes.ts";
export { type ChangePublisher, createChangePublisher } from "./change-publisher.ts";
export { createEventHub, type EventHub, type EventHubOptions, type Listen, type Listener } from "./event-hub.ts";
export { createListen } from "./event-hub.ts";
export { eventRoutes } from "./routes.ts";
