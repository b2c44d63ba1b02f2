import type { Config } from "../base/config.ts";
import type { Db } from "../db/pool.ts";
import { deleteReplacedSecrets, replaceSecret } from "../features/accounts/index.ts";
import { resealSecrets } from "../secrets/reseal-secrets.ts";
import { getSecretsKeys, replaceSecretsKeyFile } from "../secrets/secrets-key.ts";

type Tools = { db: Db; config: Pick<Config, "secretsKey" | "oldSecretsKeys" | "dataDir"> };

/** @returns what was done, in a sentence. @throws Error for a word that names no key. */
export async function rotateKeys(which: string, { db, config }: Tools): Promise<string> {
  const now = new Date();
  if (which === "session")
    return `Sessions are signed with key ${await replaceSecret(db, "session-token-key", now)} from now on.`;
  if (which === "otp") return `Codes are hashed with key ${await replaceSecret(db, "otp-key", now)} from now on.`;
  if (which === "leaked") return await replaceLeaked(db, now);
  if (which === "secrets") return await replaceSecretsKey({ db, config });
  throw new Error(`${which} is no key; --help lists them`);
}

async function replaceLeaked(db: Db, now: Date): Promise<string> {
  for (const name of ["session-token-key", "otp-key"] as const) {
    await replaceSecret(db, name, now);
    // Later than the new key: what it replaces is over already.
    await deleteReplacedSecrets(db, name, new Date(now.getTime() + 1));
  }
  return "The keys of sessions and codes are new, and the old ones read nothing any more: everybody signs in again within 20 seconds.";
}

async function replaceSecretsKey({ db, config }: Tools): Promise<string> {
  if (config.secretsKey === undefined) await replaceSecretsKeyFile(config);
  const { sealedCount, lockedCount } = await resealSecrets(db, await getSecretsKeys(config));
  const locked =
    lockedCount === 0 ? "" : ` ${lockedCount} can be read with no key that is known here, and stayed as they are.`;
  const rest = config.secretsKey === undefined ? "" : " SECRETS_KEY_OLD is needed no more.";
  return `${sealedCount} secrets were encrypted anew.${locked}${lockedCount === 0 ? rest : ""}`;
}
