import type { PublicPagePath } from "@ewebal/contract";
import { pageTitles } from "../lib/page-titles.ts";

type PublicPage = {
  title: string;
  /** What a search engine shows below the title, and whoever shares a link. */
  description: string;
  /** The modules that draw it, besides the entry; their style sheets belong into the document's head. */
  modules: readonly string[];
  hasRates?: boolean;
};

const AUTH_CARD = "src/shared/account/auth-card.tsx";

/** The pages whose documents are whole before any script has run. The tests see to it that none of their modules is missing here. */
export const publicPages: Readonly<Record<PublicPagePath, PublicPage>> = {
  "/": {
    title: pageTitles.home,
    description:
      "Send SMS to thousands of numbers in Nigeria and abroad, under your own name. Buy units in naira, keep your contacts, and see what was delivered.",
    modules: ["src/features/site/home/home-page.tsx"],
  },
  "/pricings": {
    title: pageTitles.pricing,
    description:
      "What a bulk SMS costs, how units are bought by card or by bank transfer, and a calculator for the charge of a whole campaign.",
    modules: ["src/features/site/prices/pricing-page.tsx"],
    hasRates: true,
  },
  "/pricing-rates": {
    title: pageTitles.rates,
    description: "The price of one SMS page in naira, for every country and dialling code.",
    modules: ["src/features/site/prices/rates-page.tsx"],
    hasRates: true,
  },
  "/sms-api-page": {
    title: pageTitles.api,
    description:
      "Send SMS from your own program over HTTP: the calls, their answers, and sample code for curl, Node.js, PHP and Python.",
    modules: ["src/features/site/api/api-page.tsx"],
  },
  "/contact-us": {
    title: pageTitles.contact,
    description:
      "Write to us, call, or start a chat. We answer questions about sending SMS, units, sender names and the API.",
    modules: ["src/features/site/contact/contact-page.tsx"],
  },
  "/register": {
    title: pageTitles.register,
    description: "Create a free account for sending bulk SMS in Nigeria and abroad.",
    modules: [AUTH_CARD, "src/features/accounts/sign-in/register-page.tsx"],
  },
  "/login": {
    title: pageTitles.login,
    description: "Sign in to send, draft and schedule SMS from your dashboard.",
    modules: [AUTH_CARD, "src/features/accounts/sign-in/login-page.tsx"],
  },
};

/** What an address without a page shows. */
export const notFoundPage: PublicPage = {
  title: pageTitles.notFound,
  description: "There is nothing at this address.",
  modules: ["src/ui/feedback/not-found-page.tsx"],
};
