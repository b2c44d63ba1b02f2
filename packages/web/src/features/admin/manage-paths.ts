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
