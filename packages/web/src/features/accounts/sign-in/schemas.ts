import { accountRoutes } from "@ewebal/contract";

export const accountSchemas = {
  register: accountRoutes.createUser.schema.body,
  login: accountRoutes.signInUser.schema.body,
  reset: accountRoutes.resetUserPassword.schema.body,
  changePassword: accountRoutes.changeUserPassword.schema.body,
  updateInfo: accountRoutes.updatePersonalInfo.schema.body,
};
