/** Apart from the other calls: few people use them, and who does fetches them then. */
import type { passkeySchemas, passkeySignInSchemas } from "../schemas/people/passkeys.ts";
import type { Calls } from "./call.ts";

/** For customers and administrators alike; the id is one's own. */
export const passkeyCalls: Calls<typeof passkeySchemas> = {
  startPasskey: { method: "POST", url: "/api/:id/start-passkey", leastRole: "viewer" },
  finishPasskey: { method: "POST", url: "/api/:id/finish-passkey", leastRole: "viewer" },
  passkeys: { method: "GET", url: "/api/:id/passkeys", leastRole: "viewer" },
  removePasskey: { method: "DELETE", url: "/api/:id/:passkeyId/passkey", leastRole: "viewer" },
};

/** For customers and administrators alike: the passkey says who it is. */
export const passkeySignInCalls: Calls<typeof passkeySignInSchemas> = {
  startPasskeySignIn: { method: "POST", url: "/api/start-passkey-sign-in" },
  finishPasskeySignIn: { method: "POST", url: "/api/finish-passkey-sign-in" },
};
