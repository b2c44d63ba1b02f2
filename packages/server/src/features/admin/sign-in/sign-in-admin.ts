import type { Deps } from "../../../base/deps.ts";
import {
  type AccountFinder,
  type OpenedSession,
  signIn,
  type SignInAccount,
  type SignInRequest,
} from "../../accounts/index.ts";
import { administrators } from "./admin-passwords.ts";
import { markAdminSignedIn } from "../team/team-store.ts";
import { type Admin, findAdminByEmail, lockAdmin } from "../admin-store.ts";

export const administratorFinder: AccountFinder = {
  kind: "admin",
  owner: administrators,
  findByEmail: async (db, email) => accountOf(await findAdminByEmail(db, email)),
  noteSignIn: markAdminSignedIn,
  lock: async (tx, adminId) => accountOf(await lockAdmin(tx, { adminId })),
};

/** @throws AppError as `signIn` says. */
export async function signInAdmin(deps: Deps, request: SignInRequest): Promise<OpenedSession> {
  return await signIn(deps, administratorFinder, request);
}

function accountOf(admin: Admin | undefined): SignInAccount | undefined {
  if (admin === undefined || admin.isRemoved) return undefined;
  const { adminId, passwordHash, isVerified, isBlocked } = admin;
  return { actorId: adminId, passwordHash, isVerified, isBlocked, isWaiting: !admin.isApproved };
}
