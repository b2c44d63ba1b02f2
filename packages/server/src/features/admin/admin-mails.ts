/** The text of the mails to administrators, and to customers about what administrators did. */
import { formatUnits } from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import { registrationFacts } from "../accounts/index.ts";
import type { MailContent } from "../../mail/index.ts";

type BrandConfig = Pick<Config, "brand">;

type Registrant = { email: string; adminName: string; adminFullName: string; createdAt: Date };

export function otpMail(
  { brand }: BrandConfig,
  admin: Registrant,
  secret: { token: string; code: string },
): MailContent {
  return {
    recipient: admin.email,
    subject: `Your ${brand.name} administrator code`,
    greetingName: admin.adminName,
    blocks: [
      { kind: "text", text: `This email address was registered as an administrator of ${brand.name}:` },
      { kind: "facts", rows: registrationFacts({ ...admin, fullName: admin.adminFullName }) },
      { kind: "text", text: "If it was you, the code is:" },
      { kind: "code", code: secret.code },
      { kind: "action", label: "Enter the code", path: `/${secret.token}/verify-otp` },
      {
        kind: "text",
        text: "It works for 10 minutes. If it was somebody else, do nothing, tell nobody the code, and tell the other administrators.",
      },
    ],
  };
}

export function verifyAdminMail({ brand }: BrandConfig, admin: Registrant, token: string): MailContent {
  return {
    recipient: admin.email,
    subject: `Verify your ${brand.name} administrator account`,
    greetingName: admin.adminName,
    blocks: [
      { kind: "text", text: `The code of this registration as an administrator of ${brand.name} was right:` },
      { kind: "facts", rows: registrationFacts({ ...admin, fullName: admin.adminFullName }) },
      { kind: "text", text: "If it was you, one step is left:" },
      { kind: "action", label: "Verify my account", path: `/${token}/verify-admin` },
      {
        kind: "text",
        text: "The link works once, within 24 hours. If it was somebody else, do not open it: it would make them an administrator. Tell the other administrators, because somebody has read your code.",
      },
    ],
  };
}

/** To the new mailbox of an administrator who changed it. */
export function verifyNewEmailMail(
  { brand }: BrandConfig,
  admin: { email: string; adminName: string },
  token: string,
): MailContent {
  return {
    recipient: admin.email,
    subject: `Verify the new email of your ${brand.name} administrator account`,
    greetingName: admin.adminName,
    blocks: [
      {
        kind: "text",
        text: "This is the email of your administrator account from now on. Verify it before you sign in:",
      },
      { kind: "action", label: "Verify my account", path: `/${token}/verify-admin` },
      { kind: "text", text: "The link works once, within 24 hours." },
    ],
  };
}

/** To the old mailbox: whoever reads it must learn that it no longer opens the account. */
export function adminEmailChangedMail(
  { brand }: BrandConfig,
  admin: { email: string; adminName: string },
  newEmail: string,
): MailContent {
  return {
    recipient: admin.email,
    subject: `The email of your ${brand.name} administrator account was changed`,
    greetingName: admin.adminName,
    blocks: [
      {
        kind: "text",
        text: `The email of your administrator account is now ${newEmail}, and all devices were signed out.`,
      },
      { kind: "text", text: "If it was not you, tell the other administrators at once." },
    ],
  };
}

/** To each owner. */
export function adminWaitsMail(
  { brand }: BrandConfig,
  owner: { email: string; adminName: string },
  waiting: Registrant,
): MailContent {
  return {
    recipient: owner.email,
    subject: `Somebody is waiting to become an administrator of ${brand.name}`,
    greetingName: owner.adminName,
    blocks: [
      { kind: "text", text: "This person has verified their email. An owner must approve them:" },
      {
        kind: "facts",
        rows: [["Email", waiting.email], ...registrationFacts({ ...waiting, fullName: waiting.adminFullName })],
      },
      { kind: "action", label: "Decide", path: "/admin-dashboard/administrators" },
    ],
  };
}

export function adminApprovedMail({ brand }: BrandConfig, admin: { email: string; adminName: string }): MailContent {
  return {
    recipient: admin.email,
    subject: `You are an administrator of ${brand.name}`,
    greetingName: admin.adminName,
    blocks: [
      { kind: "text", text: "An owner has approved you." },
      { kind: "action", label: "Login", path: "/admin-login-page" },
    ],
  };
}

export function adminInvitedMail({ brand }: BrandConfig, email: string, invitedBy: string): MailContent {
  return {
    recipient: email,
    subject: `You are invited as an administrator of ${brand.name}`,
    blocks: [
      { kind: "text", text: `${invitedBy} invites you. Register with this mailbox within seven days:` },
      { kind: "action", label: "Register", path: "/admin-register" },
    ],
  };
}

export function keyRevokedMail(
  { brand }: BrandConfig,
  user: { email: string; userName: string },
  name: string,
): MailContent {
  return {
    recipient: user.email,
    subject: `An API key of your ${brand.name} account was revoked`,
    greetingName: user.userName,
    blocks: [
      {
        kind: "text",
        text: `${brand.name} has revoked your key "${name}". Programs that use it are refused from now on.`,
      },
      {
        kind: "text",
        text: `If you do not know why, write to us${brand.emails[0] === undefined ? "" : `: ${brand.emails[0]}`}.`,
      },
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
