import { adminRoutes } from "@ewebal/contract";

export const adminSchemas = {
  register: adminRoutes.createAdmin.schema.body,
  login: adminRoutes.signInAdmin.schema.body,
};
