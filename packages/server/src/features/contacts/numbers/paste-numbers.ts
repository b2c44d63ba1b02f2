import { BodyReader } from "../../../http/bounds/body-reader.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { assertSendable, getCatalog, type ContactDeps } from "../catalogs/catalogs.ts";
import type { CatalogKey } from "../catalogs/catalog-store.ts";
import { pasteTasks, pasteTasksUrl } from "./paste-tasks.ts";
import type { Addition } from "../present-made.ts";
import { assertNumbersTaken, takeNumbers, type NumbersRead, type Target } from "./take-numbers.ts";

export type PasteDeps = ContactDeps & { bodies: BodyReader<typeof pasteTasks> };

/** The owner closes `bodies`. */
export function createPasteDeps(deps: ContactDeps): PasteDeps {
  return { ...deps, bodies: new BodyReader(deps.readRates, pasteTasks, pasteTasksUrl) };
}

/** The bytes of a call's JSON, what its address says of wrong numbers, and its `Idempotency-Key`. */
export type Paste = {
  bytes: Buffer;
  onlyGood: boolean;
  key: string | undefined;
  /** Refuses unknown fields, as all calls of programs do. */
  isStrict?: boolean;
};

/**
 * Makes a catalog of pasted numbers.
 *
 * @throws AppError `RATE_LIMITED`, `VALIDATION`, and as `takeNumbers`.
 */
export async function pasteIntoNewCatalog(deps: PasteDeps, userId: string, paste: Paste): Promise<Addition> {
  await countTry(deps, deps.db, rateRules.contacts, userId);
  const { bytes, onlyGood } = paste;
  const { byteLength } = bytes;
  return await deps.inTurn(byteLength, async () => {
    const { newCatalog, ...pasted } = await deps.bodies.read("for-new-catalog", { bytes, onlyGood }, byteLength);
    assertSendable(newCatalog.code, await deps.readRates());
    return await take(deps, userId, { newCatalog }, { ...pasted, scope: "insert-to-new-tel", key: paste.key });
  });
}

/**
 * Adds pasted numbers to a catalog.
 *
 * @throws AppError `RATE_LIMITED`, `NOT_FOUND`, `VALIDATION`, and as `takeNumbers`.
 */
export async function pasteIntoCatalog(
  deps: PasteDeps,
  at: CatalogKey,
  scope: "insert-to-existing-tel" | "add-contacts",
  paste: Paste,
): Promise<Addition> {
  await countTry(deps, deps.db, rateRules.contacts, at.userId);
  const { bytes, onlyGood, isStrict = false } = paste;
  const { byteLength } = bytes;
  return await deps.inTurn(byteLength, async () => {
    const { catalogId, code, columns } = await getCatalog(deps.db, at);
    const input = { bytes, catalogId, code, onlyGood };
    const pasted =
      scope === "add-contacts"
        ? await deps.bodies.read(
            "contacts-for-catalog",
            { ...input, keys: columns.map(({ key }) => key), isStrict },
            byteLength,
          )
        : await deps.bodies.read("for-catalog", input, byteLength);
    return await take(deps, at.userId, { catalogId }, { ...pasted, scope, key: paste.key });
  });
}

type Pasted = {
  read: NumbersRead;
  onlyGood: boolean;
  fingerprint: Uint8Array;
  scope: string;
  key: string | undefined;
};

async function take(deps: PasteDeps, userId: string, target: Target, pasted: Pasted): Promise<Addition> {
  const { read, onlyGood, scope, key, fingerprint } = pasted;
  assertNumbersTaken(read, onlyGood, { field: "phoneNo", noun: "number" });
  return await takeNumbers(deps, userId, target, read, { scope, key, fingerprint });
}
