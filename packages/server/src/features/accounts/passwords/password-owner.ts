import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import type { Session } from "../../../http/session/session.ts";
import type { TokenPurpose } from "../one-time-token.ts";
import { type Credentials, findCredentialsByEmail, lockCredentials, updatePasswordHash } from "../users/user-store.ts";

export type PasswordAccount = { actorId: string; email: string; userName: string; passwordHash: string };

/** A person turned their second factor on or off, or added or removed a passkey; `action` is the call. */
type FactorChange = {
  actorId: string;
  action: "confirm-two-factor" | "two-factor" | "finish-passkey" | "passkey";
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  clientAddress: string;
};

/** One kind of person who can have a new password by mail. */
export type PasswordOwner = {
  kind: Session["kind"];
  purpose: TokenPurpose;
  findByEmail: (db: Queryable, email: string) => Promise<PasswordAccount | undefined>;
  /** Holds the row until the transaction ends. */
  lock: (tx: Queryable, actorId: string) => Promise<PasswordAccount | undefined>;
  storePassword: (
    deps: Deps,
    tx: Tx,
    change: { actorId: string; passwordHash: string; clientAddress: string },
  ) => Promise<void>;
  /** Called in the transaction in which the person changes what opens their account beside the password. */
  noteFactor?: (deps: Deps, tx: Tx, change: FactorChange) => Promise<void>;
};

export const customers: PasswordOwner = {
  kind: "user",
  purpose: "reset-password",
  findByEmail: async (db, email) => accountOf(await findCredentialsByEmail(db, email)),
  lock: async (tx, userId) => accountOf(await lockCredentials(tx, userId)),
  storePassword: async (_deps, tx, { actorId, passwordHash }) => await updatePasswordHash(tx, actorId, passwordHash),
  noteFactor: async (deps, tx, { actorId, ...entry }) =>
    await deps.recordAudit(tx, { personId: actorId, subjectId: actorId, ...entry }),
};

function accountOf(user: Credentials | undefined): PasswordAccount | undefined {
  return user && { actorId: user.userId, email: user.email, userName: user.userName, passwordHash: user.passwordHash };
}
