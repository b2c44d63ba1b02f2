import type { openPaths, publicPaths } from "@ewebal/contract/pages";
import { fixedTexts } from "../lib/texts/fixed-texts.ts";
import type { OpenPageRecord, PublicPageRecord } from "./page-record.ts";

/** False in the browser's build, which then carries no descriptions. */
const isForDocuments = import.meta.env.SSR;

/** The pages whose documents are whole before any script has run. */
export const publicPages: { readonly [name in keyof typeof publicPaths]: PublicPageRecord } = {
  home: {
    title: "Bulk SMS for businesses",
    description: isForDocuments
      ? "Send SMS to thousands of numbers in Nigeria and abroad, under your own name. Buy units in naira, keep your contacts, and see what was delivered."
      : "",
    load: async () => (await import("../features/site/home/home-page.tsx")).HomePage,
  },
  pricing: {
    title: "Pricing",
    description: isForDocuments
      ? "What a bulk SMS costs, how units are bought by card or by bank transfer, and a calculator for the charge of a whole campaign."
      : "",
    load: async () => (await import("../features/site/prices/pricing-page.tsx")).PricingPage,
    hasRates: true,
  },
  rates: {
    title: "SMS Rates",
    description: isForDocuments ? "The price of one SMS page in naira, for every country and dialling code." : "",
    load: async () => (await import("../features/site/prices/rates-page.tsx")).RatesPage,
    hasRates: true,
  },
  smsApi: {
    title: "SMS API",
    description: isForDocuments
      ? "Send SMS from your own program over HTTP: the calls, their answers, and sample code for curl, Node.js, PHP and Python."
      : "",
    load: async () => (await import("../features/site/api/api-page.tsx")).ApiPage,
  },
  contact: {
    title: "Contact us",
    description: isForDocuments
      ? "Write to us, call, or start a chat. We answer questions about sending SMS, units, sender names and the API."
      : "",
    load: async () => (await import("../features/site/contact/contact-page.tsx")).ContactPage,
  },
  register: {
    title: "Register",
    description: isForDocuments ? "Create a free account for sending bulk SMS in Nigeria and abroad." : "",
    load: async () => (await import("../features/accounts/sign-in/register-page.tsx")).RegisterPage,
    isInCard: true,
  },
  login: {
    title: "Login",
    description: isForDocuments ? "Sign in to send, draft and schedule SMS from your dashboard." : "",
    load: async () => (await import("../features/accounts/sign-in/login-page.tsx")).LoginPage,
    isInCard: true,
  },
};

/** What an address without a page shows. */
export const notFoundPage: PublicPageRecord = {
  title: fixedTexts.pageNotFound,
  description: isForDocuments ? "There is nothing at this address." : "",
  load: async () => (await import("../ui/feedback/not-found-page.tsx")).NotFoundPage,
};

const changePassword: OpenPageRecord = {
  load: async () => (await import("../features/accounts/sign-in/change-password-page.tsx")).ChangePasswordPage,
  isInCard: true,
};

/** The other pages that nobody needs to sign in for. */
export const openPages: { readonly [name in keyof typeof openPaths]: OpenPageRecord } = {
  message: {
    load: async () => (await import("../features/accounts/sign-in/mail-sent-pages.tsx")).MessagePage,
    isInCard: true,
  },
  verifyUser: {
    load: async () => (await import("../features/accounts/sign-in/verify-user-page.tsx")).VerifyUserPage,
    isInCard: true,
  },
  resetPassword: {
    load: async () => (await import("../features/accounts/sign-in/reset-password-page.tsx")).ResetPasswordPage,
    isInCard: true,
  },
  resetMessage: {
    load: async () => (await import("../features/accounts/sign-in/mail-sent-pages.tsx")).ResetMessagePage,
    isInCard: true,
  },
  // One screen under three addresses: for someone who is signed in, by a mail's link, and by the link's older form.
  changePassword,
  changePasswordByLink: changePassword,
  changePasswordByOldLink: changePassword,
  virtualPhones: {
    load: async () => (await import("../features/messages/simulator/virtual-phones-page.tsx")).VirtualPhonesPage,
  },
  virtualPhone: {
    load: async () => (await import("../features/messages/simulator/virtual-phone-page.tsx")).VirtualPhonePage,
  },
};
