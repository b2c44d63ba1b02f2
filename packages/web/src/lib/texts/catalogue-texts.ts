/**
 * The error catalogue of the specification (customer document section 8, administrator document section 8), word for word:
 * what each screen shows for each answer, and where it sends the person.
 */
import { ApiError, NetworkError } from "../api/api.ts";
import { networkLost } from "./fixed-texts.ts";
import { paths } from "../paths.ts";

type CatalogueEntry = {
  tone: "ok" | "warn" | "error";
  /** Absent: the server's own message is the title. */
  title?: string;
  text?: string;
  /** Where the specification sends the person, as a key of `paths`. */
  goTo?: keyof typeof paths;
};

/** An answer without a listed status is `other`. `none` is for no answer at all, where the words of `other` would mislead. */
type Screen = Readonly<Partial<Record<number | "other" | "none", CatalogueEntry>>>;

const tryLogin: Screen = {
  404: { tone: "error", text: "Email is not registered" },
  401: { tone: "warn", text: "You have not verified your account" },
  400: { tone: "error", text: "Try again or reset your password" },
};

export const catalogueTexts = {
  register: {
    201: { tone: "ok", text: "A Mail has been sent to you", goTo: "message" },
    409: { tone: "warn", text: "Email already registered" },
  },
  login: { ...tryLogin, 201: { tone: "ok", goTo: "dashboard" } },
  resetRequest: {
    200: { tone: "ok", text: "Visit mail for Reset Password Verification", goTo: "resetMessage" },
    401: { tone: "ok", text: "Visit mail for Reset Password Verification", goTo: "resetMessage" },
    404: { tone: "error", text: "This email is not in our record" },
  },
  changePassword: { 200: { tone: "ok", goTo: "login" } },
  sendSms: {
    200: { tone: "ok", goTo: "smsHistory" },
    400: { tone: "error", text: "You are passing the wrong country code" },
    401: { tone: "warn", text: "You need to buy SMS Units", goTo: "buySms" },
    402: { tone: "error" },
    403: { tone: "warn", text: "Send your IP Address for whitelisting", goTo: "whitelists" },
    409: { tone: "warn", text: "Send the Id for whitelisting", goTo: "whitelists" },
    503: { tone: "ok", title: "Message Sent", text: "DND Phone numbers Detected...", goTo: "smsHistory" },
    550: { tone: "error" },
  },
  sendSmsDialog: { 400: { tone: "error", text: "Phone Number starts with 234" } },
  draft: { other: { tone: "error", title: "Can't add to drafts", text: "This might be due to network issues" } },
  // Who wrote five messages within the hour has a network.
  contactUs: { 429: { tone: "warn" }, other: { tone: "error", text: "No Internet Connection" } },
  // The catalogue has no words for card payments: the server's own are shown.
  instantPurchase: {},
  deposit: {
    other: { tone: "error", title: "Invalid Response", text: "This may be as a result of incomplete credentials" },
    none: networkLost,
  },
  transferDelete: { other: { tone: "error", title: "Unable to delete" } },
  profileUpdate: {
    500: { tone: "warn", text: "Check your internet connection" },
    other: { tone: "error", text: "Check your internet connection" },
  },
  catalogCreate: { other: { tone: "error", title: "Error creating catalog", text: "Check your network connectivity" } },
  catalogEdit: { other: { tone: "error", title: "Can't Edit" } },
  // The catalogue has no words for these two: the server's own are shown.
  catalogDelete: {},
  contactsRead: {},
  contactsUpload: {
    400: { tone: "warn" },
    other: { tone: "error", title: "Upload Error", text: "Check your Network" },
  },
  contactsAdd: { other: { tone: "error", title: "Unable to Add Contacts", text: "Check your credentials or network" } },
  contactDelete: {
    other: { tone: "error", title: "Unable to delete contact", text: "Check your credentials or network" },
  },
  whitelist: { other: { tone: "error", title: "Credentials Error" } },

  adminRegister: { 409: { tone: "warn", text: "Email already registered" } },
  adminOtp: { 400: { tone: "error" } },
  adminLogin: tryLogin,
  adminProfile: { other: { tone: "error", title: "Network Error", text: "Slow or No Network" } },
  adminWhitelist: { other: { tone: "error", title: "Credentials Error" } },
  announcement: {
    other: { tone: "error", title: "Credentials Error", text: "Check your credentials or network connectivity" },
  },
  announcementDelete: {
    other: { tone: "error", title: "Unable to clear announcements", text: "This may be due to network" },
  },
  adminUpdateUser: { other: { tone: "error", title: "Update Failed", text: "This may be due to network" } },
  blockUser: { other: { tone: "error", title: "Unable to block user" } },
  unblockUser: { other: { tone: "error", title: "Unable to unblock user" } },
  creditUser: { other: { tone: "error", title: "Unable to Credit User", text: "Check your credentials or network" } },
  declineTransaction: { other: { tone: "error", title: "Unable to decline transaction" } },
  // How administrators keep the service has no words in the catalogue: the server's own are shown.
  service: {},
  manualCredit: { other: { tone: "error", title: "Credentials Error" } },
} as const satisfies Record<string, Screen>;

export type CatalogueScreen = keyof typeof catalogueTexts;

export { fixedTexts, networkLost } from "./fixed-texts.ts";

export type Explanation = {
  tone: "ok" | "warn" | "error";
  title: string;
  text?: string;
  /** An address, when the specification sends the person somewhere. */
  goTo?: string;
};

/** The words for one answer of one screen; `message` is the server's. */
export function explainAnswer(screen: CatalogueScreen, status: number, message: string): Explanation {
  const entries: Screen = catalogueTexts[screen];
  // "Other" answers are failures; a success that the catalogue does not list has the server's words alone.
  const entry = entries[status] ?? (status < 300 ? { tone: "ok" } : (entries.other ?? { tone: "error" }));
  const { tone, title = message, text, goTo } = entry;
  return { tone, title, ...(text !== undefined && { text }), ...(goTo !== undefined && { goTo: paths[goTo] }) };
}

/**
 * Statuses whose meaning the server's code decides: the catalogue's words belong to the listed meaning only. A blocked
 * account must not be told to send an address for whitelisting.
 */
const listedCodes: Readonly<Partial<Record<CatalogueScreen, Readonly<Record<number, readonly string[]>>>>> = {
  login: { 400: ["PASSWORD_WRONG"], 401: ["NOT_VERIFIED"], 404: ["EMAIL_UNKNOWN"] },
  adminLogin: { 400: ["PASSWORD_WRONG"], 401: ["NOT_VERIFIED"], 404: ["EMAIL_UNKNOWN"] },
  register: { 409: ["EMAIL_TAKEN"] },
  adminRegister: { 409: ["EMAIL_TAKEN"] },
  sendSms: {
    400: ["WRONG_COUNTRY_CODE"],
    401: ["UNITS_REQUIRED"],
    403: ["ADDRESS_NOT_APPROVED"],
    409: ["SENDER_NOT_APPROVED"],
    503: [],
  },
  sendSmsDialog: { 400: ["WRONG_COUNTRY_CODE"] },
};

/** The words for whatever a call threw. An unlisted refusal shows the server's message alone. */
export function explainError(screen: CatalogueScreen, error: unknown): Explanation {
  if (error instanceof NetworkError) return explainNoAnswer(screen);
  if (!(error instanceof ApiError))
    return { tone: "error", title: "Something went wrong", text: "Please load the page again" };
  // Who closed the question for the code has neither a wrong password nor a slow network.
  if (error.code === "CODE_REQUIRED") return { tone: "warn", title: error.message };
  const codes = listedCodes[screen]?.[error.status];
  if (codes !== undefined && !codes.includes(error.code)) return { tone: "error", title: error.message };
  const explanation = explainAnswer(screen, error.status, error.message);
  // A title of our own alone would keep the reason to itself.
  return explanation.title === error.message || explanation.text !== undefined
    ? explanation
    : { ...explanation, text: error.message };
}

/** The screen's own words for a failure speak of the network; a title alone says what failed, and needs the reason behind it. */
function explainNoAnswer(screen: CatalogueScreen): Explanation {
  const entries: Screen = catalogueTexts[screen];
  const {
    tone,
    title,
    text = `${networkLost.title}. ${networkLost.text}`,
  } = entries.none ?? entries.other ?? networkLost;
  return title === undefined ? networkLost : { tone, title, text };
}

type Failure = {
  tone: "error";
  title: string;
  text?: string;
};

/** The words for a call that the error catalogue does not list: the server's own, or the lost network's. */
export function explainFailure(error: unknown): Failure {
  return error instanceof ApiError ? { tone: "error", title: error.message } : networkLost;
}

/**
 * The catalogue's words, and behind them the server's reason where it knows one: "Check your network connectivity" alone
 * would send somebody who has too many catalogs to the router.
 */
export function explainRefusal(screen: CatalogueScreen, error: unknown): Explanation {
  const explanation = explainError(screen, error);
  const { title, text } = explanation;
  const isReasonKnown =
    error instanceof ApiError && error.status < 500 && title !== error.message && text !== error.message;
  return isReasonKnown
    ? { ...explanation, text: text === undefined ? error.message : `${text}. ${error.message}` }
    : explanation;
}
