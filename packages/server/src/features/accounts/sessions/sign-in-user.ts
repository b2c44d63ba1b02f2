import type { Deps } from "../../../base/deps.ts";
import { publishChange } from "../../../events/index.ts";
import { customers as customerOwner } from "../passwords/password-owner.ts";
import { signIn, type AccountFinder, type SignInAccount, type SignInRequest } from "./sign-in.ts";
import type { OpenedSession } from "./sessions.ts";
import { findCredentialsByEmail, lockCredentials, markSignedIn, type Credentials } from "../users/user-store.ts";

const customers: AccountFinder = {
  kind: "user",
  owner: customerOwner,
  findByEmail: async (db, email) => accountOf(await findCredentialsByEmail(db, email)),
  lock: async (tx, userId) => accountOf(await lockCredentials(tx, userId)),
  noteSignIn: async (tx, userId, now) => {
    await markSignedIn(tx, userId, now);
    await publishChange(tx, { admin: true, topics: ["admin"] });
  },
};

/** @throws AppError as `signIn` says. */
export async function signInUser(deps: Deps, request: SignInRequest): Promise<OpenedSession> {
  return await signIn(deps, customers, request);
}

function accountOf(user: Credentials | undefined): SignInAccount | undefined {
  return (
    user && {
      actorId: user.userId,
      passwordHash: user.passwordHash,
      isVerified: user.isVerified,
      isBlocked: user.isBlocked,
    }
  );
}
