import { answerOnce } from "../../../db/idempotency.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { assertCatalogsWithinLimit, createCatalog, type NewCatalog } from "./catalogs.ts";

type Made = { message: string; data: { _id: string } };

/**
 * Makes an empty catalog, once for each key.
 *
 * @throws AppError `STATE_CONFLICT` for too many catalogs, `IDEMPOTENCY_CONFLICT`.
 */
export async function makeCatalog(
  deps: Deps,
  userId: string,
  catalog: NewCatalog,
  { key, fingerprint }: { key: string | undefined; fingerprint: Buffer },
): Promise<Made> {
  return await withTransaction(deps.db, async (tx) => {
    const work = async (): Promise<{ status: number; body: Made }> => {
      const { catalogId } = await createCatalog(deps, tx, userId, catalog);
      await assertCatalogsWithinLimit(tx, userId);
      return { status: 201, body: { message: "Catalog created", data: { _id: catalogId } } };
    };
    if (key === undefined) return (await work()).body;
    return (await answerOnce(tx, { actorId: userId, scope: "create-catalog", key, fingerprint }, work)).body;
  });
}
