/** Words of the catalogue that no status decides. Apart from the table, because every page carries these and only forms need that. */

/** "Any error without a response", on every screen that has no words of its own for it. */
export const networkLost = {
  tone: "error",
  title: "No Internet Connection",
  text: "Please check your network",
} as const;

/** The sentences of empty lists, and the notices that no status decides. */
export const fixedTexts = {
  noMessages: "There are no current messages...",
  noDrafts: "There are no current drafts...",
  noTransactions: "There are no transactions made currently...",
  noCatalogs: "There are no catalogs here...",
  noContacts: "There are no contacts",
  deleted: "Deleted Successfully",
  loggedOut: "Logged Out Successfully",
  inactive: "Logged Out...!",
  switchedToAdmin: "Successfully switched to admin mode",
  fillIn: "Fill in this field!!!",
  fallback: "500 Network Error",
  pageNotFound: "Page Not Found",
} as const;
