/** The text of every mail about people's data. */
import { CLOSED_ACCOUNT_DAYS, customerPaths, DATA_EXPORT_DAYS, lagosMoment } from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import type { MailContent } from "../../mail/index.ts";

type BrandConfig = Pick<Config, "brand">;
type Reader = { email: string; userName: string };

export function accountClosedMail(
  { brand }: BrandConfig,
  reader: Reader,
  { closedAt, erasedAt }: { closedAt: Date; erasedAt: Date },
): MailContent {
  return {
    recipient: reader.email,
    subject: `Your ${brand.name} account is closed`,
    greetingName: reader.userName,
    blocks: [
      {
        kind: "text",
        text: `Your account was closed on ${lagosMoment(closedAt)}. Nothing is sent from it any more, messages that waited are cancelled, and its API keys have stopped working.`,
      },
      {
        kind: "text",
        text: `After ${CLOSED_ACCOUNT_DAYS} days, on ${lagosMoment(erasedAt)}, we erase its contacts, messages, templates, files and names. The records of payments stay without them, because the law asks for these.`,
      },
      {
        kind: "text",
        text: `If it was not you, or you want the account back, write to ${brand.emails.join(" or ")} before then.`,
      },
    ],
  };
}

export function exportReadyMail({ brand }: BrandConfig, reader: Reader, until: Date): MailContent {
  return {
    recipient: reader.email,
    subject: `Your ${brand.name} data is ready`,
    greetingName: reader.userName,
    blocks: [
      { kind: "text", text: "The file with everything that we keep of your account is ready. Sign in to download it:" },
      { kind: "action", label: "Download my data", path: customerPaths.profileInfo },
      {
        kind: "text",
        text: `It is there until ${lagosMoment(until)}, for ${DATA_EXPORT_DAYS} days. It holds your contacts and messages: keep it where nobody else reads it. If you did not ask for it, change your password.`,
      },
    ],
  };
}
