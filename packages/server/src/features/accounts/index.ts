/** What other features, and the roles, may call of accounts. */
export { addVerifiedUser, adoptUser } from "./registration/add-verified-user.ts";
export { registrationFacts } from "./account-mails.ts";
export { deleteReplacedSecrets, getSecret, listSecrets, replaceSecret, type SecretName } from "./app-secret.ts";
export { checkOwnPassword } from "./passwords/change-password.ts";
export { isCompanyAddress } from "./registration/register-user.ts";
export { type FlagChange, setApproved, setBlocked, setClosed, changeUser } from "./users/change-user.ts";
export { presentOwnedApiKey } from "./present.ts";
export {
  createApiKey,
  findApiKeyOwner,
  findKeyIds,
  findLiveKeys,
  findNamedKey,
  listAllApiKeys,
  readKeyToken,
  revokeAnyApiKey,
} from "./api-keys/api-keys.ts";
export { RequestLog, requestLogQueue } from "./request-log/request-log.ts";
export type { ProgramKey } from "./api-keys/api-key-store.ts";
export type { KeyWish } from "./api-keys/api-keys.ts";
export { isAddressAllowed, requireScope } from "./api-keys/key-rules.ts";
export { findProgramOwner } from "./api-keys/find-program-owner.ts";
export { cleanUpQueue } from "./clean-up.ts";
export {
  findTokenOwner,
  hasLiveToken,
  issueToken,
  revokeTokens,
  type TokenPurpose,
  useToken,
} from "./one-time-token.ts";
export { customers as customerOwner, type PasswordAccount, type PasswordOwner } from "./passwords/password-owner.ts";
export { isGuessRight, type PasswordGuess, turnOf } from "./passwords/guess-password.ts";
export { assertPasswordAllowed, hashPassword } from "./passwords/passwords.ts";
export { addUnitsToDay, findUsedMilli, type UnitUse } from "./sub-accounts/sub-account-store.ts";
export type { AccountActor } from "./members/manage-members.ts";
export { actorOf } from "./members/member-routes.ts";
export { findMemberRole, selectApprovers } from "./members/member-store.ts";
export { checkSecondFactor } from "./second-factor/check-second-factor.ts";
export { takeSecondFactorAway } from "./second-factor/manage-second-factor.ts";
export { readFactorHeader } from "./second-factor/second-factor-routes.ts";
export { originOf } from "./sessions/session-routes.ts";
export { accountRoutes } from "./routes.ts";
export {
  createSessionReader,
  endSession,
  endSessionsOf,
  exchangeSession,
  findEndedSessions,
  openSession,
  type OpenedSession,
  type SessionOrigin,
} from "./sessions/sessions.ts";
export { type AccountFinder, signIn, type SignInAccount, type SignInRequest } from "./sessions/sign-in.ts";
export {
  findCredentialsByEmail,
  type Customer,
  findAccountNumber,
  findCustomer,
  findCustomerByEmail,
  findCallLimit,
  findVerifiedEmail,
  selectCustomers,
  selectFullNames,
  updateApprovalLimit,
  updateAddressRestriction,
  updateCallLimit,
  updateMaySendTransactional,
} from "./users/user-store.ts";
export type { UserSummary, UserSummaryPart } from "./users/view-users.ts";
export { viewUserCounts } from "./users/view-users.ts";
export { endLook, openLook } from "./sessions/account-access.ts";
