/** What features may call of the mails. */
export type { MailBlock, MailContent } from "./render-mail.ts";
export { countWaitingMails, deleteMailsBefore } from "./mail-store.ts";
export { mailboxRoutes } from "./mailbox-routes.ts";
export { plainName } from "./render-mail.ts";
export { sendMail, sendMailQueue } from "./send-mail.ts";
export { writeMail } from "./write-mail.ts";
