/**
 * Texts that only the phone may show, such as codes. The message's `body` is what the history shows; what is handed to the carrier is sealed
 * beside it with the installation's key, opened by the worker in memory, and deleted once the message's validity is over.
 */
import type { Config } from "../../../base/config.ts";
import { openSecret, sealSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../secrets/secrets-key.ts";

type KeyConfig = Pick<Config, "secretsKey" | "oldSecretsKeys" | "dataDir">;

const ownerOf = (messageId: string): string => `message ${messageId}`;

/** @param key the installation's current one. */
export function sealBody(key: Buffer, messageId: string, body: string): Buffer {
  return sealSecret(key, ownerOf(messageId), body);
}

type SealedRow = { messageId: string; body: string; sealedBody: Buffer | null };

/**
 * Puts the text that is to be sent into each row that has one sealed.
 *
 * @returns the same rows; `isUnreadable` where no key of this installation opens the text: nothing of it may be sent.
 */
export async function openBodies<Row extends SealedRow>(
  config: KeyConfig,
  rows: readonly Row[],
): Promise<(Row & { isUnreadable?: boolean })[]> {
  if (rows.every(({ sealedBody }) => sealedBody === null)) return [...rows];
  const keys = await getSecretsKeys(config);
  return rows.map((row) => {
    if (row.sealedBody === null) return row;
    const body = openSecret(keys, ownerOf(row.messageId), row.sealedBody);
    return body === undefined ? { ...row, isUnreadable: true } : { ...row, body };
  });
}
