import type { UserAnswer, UserFilter, UserSort } from "@ewebal/contract";
import { adminUserCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { useAddressFilters, type AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList, type CursorList } from "../../../lib/api/use-cursor-list.ts";

/** The filters of the list; the empty value shows all customers. */
export const userFilterLabels: readonly { value: UserFilter | ""; label: string }[] = [
  { value: "", label: "All users" },
  { value: "active", label: "Active" },
  { value: "blocked", label: "Blocked" },
  { value: "verified", label: "Verified" },
  { value: "unverified", label: "Not verified" },
];

/** The orders in the address; the empty value is newest first. */
const orders: Record<string, { sort: UserSort; order: "asc" | "desc" }> = {
  oldest: { sort: "createdAt", order: "asc" },
  "user-name": { sort: "userName", order: "asc" },
  "full-name": { sort: "fullName", order: "asc" },
  email: { sort: "email", order: "asc" },
};

export const userOrderLabels: readonly { value: string; label: string }[] = [
  { value: "", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
  { value: "user-name", label: "User name A to Z" },
  { value: "full-name", label: "Full name A to Z" },
  { value: "email", label: "Email A to Z" },
];

type FilterName = "search" | "show" | "sort";

/** The customers for the filters in the address, page by page; the topic "admin" refreshes them. */
export function useUserList(): { list: CursorList<UserAnswer>; filters: AddressFilters<FilterName> } {
  const filters = useAddressFilters(["search", "show", "sort"]);
  const { search, show, sort } = filters.values;
  const filter = userFilterLabels.find(({ value }) => value === show && value !== "")?.value;
  const order = orders[sort];
  const list = useCursorList<UserAnswer>({
    queryKey: ["admin", "user-list", search, filter, sort],
    read: async (after, signal) => {
      const query = { search, after, ...order, ...(filter !== undefined && filter !== "" && { filter }) };
      return await call(adminUserCalls.viewAllUsers, { query, signal });
    },
  });
  return { list, filters };
}
