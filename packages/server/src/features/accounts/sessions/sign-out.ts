import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { publishChange } from "../../../events/index.ts";
import type { Session } from "../../../http/session/session.ts";
import { endSession } from "./sessions.ts";

/** Ends this session; others of the same person go on. */
export async function signOut(deps: Pick<Deps, "db">, session: Session): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await endSession(tx, session.sessionId);
    if (session.kind === "user") await publishChange(tx, { admin: true, topics: ["admin"] });
  });
}
