import { z } from "zod";

/** What an administrator may do, the mightiest first; `docs/operations.md` says it in words. */
export const adminRoles = ["owner", "admin", "finance", "support", "viewer"] as const;
export const adminRoleSchema = z.enum(adminRoles);
export type AdminRole = (typeof adminRoles)[number];
