import { allPaths } from "@ewebal/contract/pages";

/** Every address that links lead to, by name; `app/router.test.tsx` checks that each one is a page. */
export const paths = {
  ...allPaths,

  /** The menu's form of the address, which names no message. */
  sendSms: "/user-dashboard/ewebal/send-sms",

  /** The API reference; the server draws it. */
  apiReference: "/docs",

  /** The folder where mails are kept when no mail server is set; the server draws it. */
  mailbox: "/mailbox",
} as const;
