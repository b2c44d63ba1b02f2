import { adminRoutes, whitelistRoutes } from "@ewebal/contract";

export const adminSchemas = {
  register: adminRoutes.createAdmin.schema.body,
  login: adminRoutes.signInAdmin.schema.body,
  credit: adminRoutes.creditAUser.schema.body,
  whitelistUser: whitelistRoutes.whitelistUserSenderId.schema.body,
};
