/** What the browser does with passkeys. Fetched when a person uses one. */

/** The person closed the browser's dialog, or has no passkey for it; browsers do not say which. */
export class PasskeyGivenUp extends Error {
  override readonly name = "PasskeyGivenUp";
}

/** What a browser makes or shows, as the calls take it. */
type Shown = { id: string; rawId: string; type: "public-key" };

const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/**
 * Has the device make a passkey.
 *
 * @param options as `start-passkey` answers.
 * @throws PasskeyGivenUp; Error with words for the person.
 */
export async function makePasskey<T extends Shown>(options: object): Promise<T> {
  return await ask<T>(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    );
    return await navigator.credentials.create({ publicKey });
  });
}

/** Has the person choose a passkey and show it. @param options as `start-passkey-sign-in` answers. @throws as `makePasskey`. */
export async function showPasskey<T extends Shown>(options: object): Promise<T> {
  return await ask<T>(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
    return await navigator.credentials.get({ publicKey });
  });
}

async function ask<T>(device: () => Promise<Credential | null>): Promise<T> {
  // Absent on pages without TLS as well.
  if (!canUsePasskeys()) throw new Error("This browser can't use passkeys here. Update it, or use your password");
  try {
    const credential = await device();
    if (credential === null) throw new PasskeyGivenUp("No passkey was used");
    return (credential as PublicKeyCredential).toJSON() as T;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError")
      throw new PasskeyGivenUp("No passkey was used", { cause: error });
    if (name === "InvalidStateError")
      throw new Error("This device has a passkey of your account already", { cause: error });
    if (name === "SecurityError") throw new Error("Passkeys don't work at this address", { cause: error });
    throw error;
  }
}
