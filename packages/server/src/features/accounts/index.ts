/** What other features may call of accounts. */
export { getSecret, type SecretName } from "./app-secret.ts";
export { createSessionReader, endSession, endSessionsOf, openSession, type OpenedSession } from "./sessions.ts";
