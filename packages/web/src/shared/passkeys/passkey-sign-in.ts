/** Fetched when a person signs in with a passkey: most never do. */
import type { ShownPasskey } from "@ewebal/contract";
import { passkeySignInCalls } from "@ewebal/contract/calls";
import { call } from "../../lib/api/api.ts";
import { showPasskey } from "./device.ts";

/** @throws ApiError, NetworkError; PasskeyGivenUp, Error as `showPasskey` does. */
export async function signInWithPasskey(): Promise<{ message: string; data: string; role: "user" | "admin" }> {
  const { data: options } = await call(passkeySignInCalls.startPasskeySignIn);
  const credential = await showPasskey<ShownPasskey>(options);
  return await call(passkeySignInCalls.finishPasskeySignIn, { body: { credential } });
}
