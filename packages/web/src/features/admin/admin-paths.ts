import { paths, pathTo } from "../../lib/paths.ts";

/** Addresses of one customer's pages, and of single messages, drafts and deposits. */
export const managePaths = {
  user: (userId: string): string => pathTo(paths.userDetails, { userId }),
  userTransactions: (userId: string): string => pathTo(paths.userTransactions, { userId }),
  userTransaction: (userId: string, transferId: string): string =>
    pathTo(paths.userTransaction, { userId, transferId }),
  userMessages: (userId: string): string => pathTo(paths.userMessages, { userId }),
  userMessage: (userId: string, messageId: string): string => pathTo(paths.userMessage, { userId, messageId }),
  message: (messageId: string): string => pathTo(paths.anyMessage, { messageId }),
  draft: (draftId: string): string => pathTo(paths.oneDraft, { draftId }),
  transaction: (transferId: string): string => pathTo(paths.oneTransaction, { transferId }),
};
