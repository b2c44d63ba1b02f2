import { paths } from "../../../lib/paths.ts";

/** The addresses of deposits on the administrators' side; ids are parts of them. */

export function transactionPath(transferId: string): string {
  return `${paths.manageAllTransactions}/more-about-transaction/${transferId}`;
}

export function userTransactionsPath(userId: string): string {
  return `${paths.adminDashboard}/manage-all-users/user-transactions/${userId}`;
}

export function userTransactionPath(userId: string, transferId: string): string {
  return `${userTransactionsPath(userId)}/more-detailed-transaction/${transferId}`;
}
