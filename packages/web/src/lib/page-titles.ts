import { fixedTexts } from "./texts/fixed-texts.ts";

/** The windows' titles of the public pages, less the brand's name; the server writes the same into their documents. */
export const pageTitles = {
  home: "Bulk SMS for businesses",
  pricing: "Pricing",
  rates: "SMS Rates",
  api: "SMS API",
  contact: "Contact us",
  register: "Register",
  login: "Login",
  notFound: fixedTexts.pageNotFound,
} as const;
