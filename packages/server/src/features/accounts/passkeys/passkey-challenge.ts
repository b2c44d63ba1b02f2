/** What a device is asked to sign, and what every answer of a device is checked against. */
import { randomBytes } from "node:crypto";
import type { Config } from "../../../base/config.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { insertChallenge, takeChallenge } from "./passkey-store.ts";

/** As long as browsers wait for a person by default. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** WebAuthn asks for 16 at least. */
const CHALLENGE_BYTES = 32;

/** @param sessionId the one session that may answer; null for a sign-in. */
export async function makeChallenge(deps: Pick<Deps, "db" | "clock">, sessionId: string | null): Promise<Buffer> {
  const challenge = randomBytes(CHALLENGE_BYTES);
  const expiresAt = new Date(deps.clock.now().getTime() + CHALLENGE_LIFE_MS);
  await insertChallenge(deps.db, { challenge, sessionId, expiresAt });
  return challenge;
}

/**
 * Takes the challenge that an answer of a device names, before anything of the answer is looked at.
 *
 * @returns the challenge in base64url.
 * @throws AppError `PASSKEY_WRONG` for none of ours, another session's, one that was answered before, one that is over.
 */
export async function takeAnsweredChallenge(
  deps: Pick<Deps, "db" | "clock">,
  clientDataJSON: string,
  sessionId: string | null,
): Promise<string> {
  const challenge = readChallenge(clientDataJSON);
  const taken = { challenge: Buffer.from(challenge, "base64url"), sessionId, now: deps.clock.now() };
  if (challenge === "" || !(await takeChallenge(deps.db, taken)))
    throw new AppError("PASSKEY_WRONG", { message: "This took too long, or was done already. Try again" });
  return challenge;
}

function readChallenge(clientDataJSON: string): string {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    if (typeof clientData === "object" && clientData !== null && "challenge" in clientData)
      return typeof clientData.challenge === "string" ? clientData.challenge : "";
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return "";
}

/** Passkeys are made for the host of PUBLIC_URL, and work on its pages alone. */
export function relyingPartyOf({ publicUrl }: Pick<Config, "publicUrl">): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
