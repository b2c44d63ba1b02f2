/** `npm run rotate-keys -- WHICH`. */
import { runCommand } from "../backup/run-command.ts";
import { rotateKeys } from "./rotate-keys.ts";

const HELP = `npm run rotate-keys -- session | otp | leaked | secrets

Makes new keys while the product works. Replaced keys go on reading until what they made is over.
  session   the key that signs sessions; nobody is signed out, old sessions end within SESSION_MAX_SECONDS as always
  otp       the key that codes of administrators' registrations are hashed with
  leaked    both, and the old ones stop at once: everybody signs in again, open codes are void
  secrets   the key that encrypts carriers' passwords and second factors. Without SECRETS_KEY a new key is written to
            DATA_DIR/secrets; with it, set SECRETS_KEY to the new key and SECRETS_KEY_OLD to the old one on every machine first.
            Then everything is encrypted anew. Restart the product afterwards when root starts it
Ends with 0 when it is done, else with 1.`;

await runCommand(
  {
    help: HELP,
    failure: "No key was replaced",
    argument: "of session, otp, leaked and secrets",
    hasTarget: false,
    run: rotateKeys,
  },
  process.argv.slice(2),
);
