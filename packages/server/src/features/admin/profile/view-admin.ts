import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Admin, findAdmin } from "../admin-store.ts";

/** @throws AppError `NOT_FOUND`. */
export async function viewAdmin(deps: Pick<Deps, "db">, adminId: string): Promise<Admin> {
  const admin = await findAdmin(deps.db, adminId);
  if (admin === undefined) throw new AppError("NOT_FOUND");
  return admin;
}
