import { paths } from "../../lib/paths.ts";

/** Addresses of one customer's pages, and of single messages and drafts. */
export const managePaths = {
  user: (userId: string): string => `${paths.manageUsers}/more-details-about-user/${userId}`,
  userTransactions: (userId: string): string => `${paths.manageUsers}/user-transactions/${userId}`,
  userMessages: (userId: string): string => `${paths.manageUsers}/user-messages/${userId}`,
  userMessage: (userId: string, messageId: string): string =>
    `${paths.manageUsers}/user-messages/${userId}/more-about-sms/${messageId}`,
  message: (messageId: string): string => `${paths.manageSms}/more-about-sms/${messageId}`,
  draft: (draftId: string): string => `${paths.manageDrafts}/more-about-drafts/${draftId}`,
};

/** The addresses of deposits on the administrators' side; they contain ids. */

export function transactionPath(transferId: string): string {
  return `${paths.manageAllTransactions}/more-about-transaction/${transferId}`;
}

export function userTransactionsPath(userId: string): string {
  return `${paths.adminDashboard}/manage-all-users/user-transactions/${userId}`;
}

export function userTransactionPath(userId: string, transferId: string): string {
  return `${userTransactionsPath(userId)}/more-detailed-transaction/${transferId}`;
}
