import type { Deps } from "../../../base/deps.ts";
import { selectKeptCarriers, type KeptCarrier } from "../carriers/kept/kept-carrier-store.ts";
import { openSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../secrets/secrets-key.ts";

/** The kept carriers with their passwords as a worker would read them; undefined where it could not. */
export async function readKeptCarriersForTests(
  deps: Pick<Deps, "db" | "config">,
): Promise<(KeptCarrier & { password: string | undefined })[]> {
  const key = await getSecretsKeys(deps.config);
  return (await selectKeptCarriers(deps.db)).map((row) => ({
    ...row,
    password: openSecret(key, row.keptCarrierId, row.sealedPassword),
  }));
}
