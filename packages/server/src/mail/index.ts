/** What features may call of the mails. */
export type { MailBlock, MailContent } from "./render-mail.ts";
export { countWaitingMails, deleteMailsBefore, findOldestWaitingMail } from "./mail-store.ts";
export { mailboxRoutes } from "./mailbox-routes.ts";
export { plainName, writeMail } from "./render-mail.ts";
export { sendMail, sendMailQueue } from "./send-mail.ts";
