/** The Ewebal API for Node and the browser. */
export { Ewebal } from "./client.ts";
export { ConnectionError, EwebalError, WebhookSignatureError, type ErrorCode } from "./errors.ts";
export { List, type Page } from "./list.ts";
export type { CallOptions, ClientOptions } from "./requests.ts";
export type * from "./types.ts";
export { verifyWebhook, type WebhookToVerify } from "./webhooks.ts";
