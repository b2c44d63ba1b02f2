import { formatUnits } from "@ewebal/contract";
import type { Config } from "../../config.ts";
import type { MailContent } from "../../mail/index.ts";

type BrandConfig = Pick<Config, "brand">;

/** The words of the mails to administrators, and of what administrators do to customers. */

export function otpMail({ brand }: BrandConfig, admin: { email: string; adminName: string }, secret: { token: string; code: string }): MailContent {
  return {
    recipient: admin.email,
    subject: `Your ${brand.name} administrator code`,
    greetingName: admin.adminName,
    blocks: [
      { kind: "text", text: `Somebody registered this mailbox as an administrator of ${brand.name}. The code is:` },
      { kind: "code", code: secret.code },
      { kind: "action", label: "Enter the code", path: `/${secret.token}/verify-otp` },
      { kind: "text", text: "It works for 10 minutes. If it was not you, do nothing and tell nobody the code." },
    ],
  };
}

export function verifyAdminMail({ brand }: BrandConfig, admin: { email: string; adminName: string }, token: string): MailContent {
  return {
    recipient: admin.email,
    subject: `Verify your ${brand.name} administrator account`,
    greetingName: admin.adminName,
    blocks: [
      { kind: "text", text: "The code was right. One step is left before you can sign in:" },
      { kind: "action", label: "Verify my account", path: `/${token}/verify-admin` },
      { kind: "text", text: "The link works once, within 24 hours." },
    ],
  };
}

export function creditMail(
  { brand }: BrandConfig,
  user: { email: string; userName: string },
  credit: { amountMilli: number; freeMilli: number },
): MailContent {
  return {
    recipient: user.email,
    subject: `${formatUnits(credit.amountMilli)} units were added to your account`,
    greetingName: user.userName,
    blocks: [
      { kind: "text", text: `${brand.name} has credited your account.` },
      {
        kind: "facts",
        rows: [
          ["Units added", formatUnits(credit.amountMilli)],
          ["Available now", formatUnits(credit.freeMilli)],
        ],
      },
      { kind: "action", label: "Open my dashboard", path: "/user-dashboard" },
    ],
  };
}
