import type { AdminAnswer } from "@ewebal/contract";
import type { Admin } from "./admin-store.ts";

export function presentAdmin(admin: Admin): AdminAnswer {
  return {
    _id: admin.adminId,
    adminName: admin.adminName,
    adminFullName: admin.adminFullName,
    email: admin.email,
    contact: admin.contact,
    role: admin.role,
    createdAt: admin.createdAt.toISOString(),
    updatedAt: admin.updatedAt.toISOString(),
  };
}
