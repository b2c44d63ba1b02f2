import { adminRoutes, announcementBody, updateUserBody, whitelistRoutes } from "@ewebal/contract";

export const adminSchemas = {
  register: adminRoutes.createAdmin.schema.body,
  login: adminRoutes.signInAdmin.schema.body,
  credit: adminRoutes.creditAUser.schema.body,
  updateUser: updateUserBody,
  announcement: announcementBody,
  whitelistUser: whitelistRoutes.whitelistUserSenderId.schema.body,
};
