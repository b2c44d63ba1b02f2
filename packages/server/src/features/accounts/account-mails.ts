/** The text of every mail that accounts send. */
import { lagosMoment } from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import { type MailBlock, type MailContent, plainName } from "../../mail/index.ts";
import type { ApiKey } from "./api-keys/api-key-store.ts";

type Reader = { email: string; userName: string };
/** An administrator has a password of their own, also when they are a customer too. */
type PasswordReader = Reader & { kind: "user" | "admin" };
type BrandConfig = Pick<Config, "brand">;

const accountWords = { user: "account", admin: "administrator account" } as const;
const passwordWords = { user: "password", admin: "administrator password" } as const;

/** Who registered, and when. */
export function registrationFacts({
  fullName,
  createdAt,
}: {
  fullName: string;
  createdAt: Date;
}): [label: string, value: string][] {
  return [
    ["Name", plainName(fullName)],
    ["Registered", lagosMoment(createdAt)],
  ];
}

/** @param reader the names that were given at the registration, so that the owner of the mailbox can tell whether it was them. */
export function verifyMail(
  { brand }: BrandConfig,
  reader: Reader & { fullName: string; createdAt: Date },
  token: string,
): MailContent {
  return {
    recipient: reader.email,
    subject: `Verify your email for ${brand.name}`,
    greetingName: reader.userName,
    blocks: [
      { kind: "text", text: `An account at ${brand.name} was registered with this email address:` },
      { kind: "facts", rows: registrationFacts(reader) },
      { kind: "text", text: "If it was you, confirm that this address is yours:" },
      { kind: "action", label: "Verify my email", path: `/${token}/verify-user` },
      {
        kind: "text",
        text: "The link works once, within 24 hours. If it was not you, ignore this mail: opening the link would give someone else an account with your email.",
      },
    ],
  };
}

export function resetMail({ brand }: BrandConfig, reader: PasswordReader, token: string): MailContent {
  return {
    recipient: reader.email,
    subject: `Choose a new ${brand.name} ${passwordWords[reader.kind]}`,
    greetingName: reader.userName,
    blocks: [
      {
        kind: "text",
        text: `We received a request for a new password for your ${brand.name} ${accountWords[reader.kind]}.`,
      },
      { kind: "action", label: "Choose a new password", path: `/${token}/reset-user-password` },
      {
        kind: "text",
        text: "The link works once, within 30 minutes. If it was not you, ignore this mail: your password stays the same.",
      },
    ],
  };
}

/** What became of a customer's API keys with a new password. */
export type KeysAfterChange = { count: number; areEnded: boolean };

export function passwordChangedMail(
  { brand }: BrandConfig,
  reader: PasswordReader & { apiKeys: KeysAfterChange; passkeyCount: number },
): MailContent {
  return {
    recipient: reader.email,
    subject: `Your ${brand.name} ${passwordWords[reader.kind]} was changed`,
    greetingName: reader.userName,
    blocks: [
      {
        kind: "text",
        text: `The password of your ${accountWords[reader.kind]} was changed just now, and all other devices were signed out.`,
      },
      ...keysBlocks(reader.apiKeys),
      ...(reader.passkeyCount === 0
        ? []
        : [
            {
              kind: "text",
              text: "Your passkeys still open the account. Check on your profile that you know each of them, and remove the others.",
            } as const,
          ]),
      { kind: "text", text: "If it was not you, choose a new password at once and tell us:" },
      { kind: "action", label: "Choose a new password", path: "/reset-password" },
    ],
  };
}

export function newDeviceMail(
  { brand }: BrandConfig,
  reader: PasswordReader,
  from: { device: string; clientAddress: string; at: Date },
): MailContent {
  const at = from.at.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" });
  return {
    recipient: reader.email,
    subject: `A new device signed in to your ${brand.name} account`,
    greetingName: reader.userName,
    blocks: [
      {
        kind: "text",
        text: `Somebody signed in to your ${accountWords[reader.kind]} from a device that we have not seen there before: ${from.device}, address ${from.clientAddress}, ${at} (Lagos).`,
      },
      {
        kind: "text",
        text: "If it was you, there is nothing to do. If it was not you, choose a new password at once: that signs out all devices.",
      },
      { kind: "action", label: "Choose a new password", path: "/reset-password" },
    ],
  };
}

function keysBlocks({ count, areEnded }: KeysAfterChange): MailBlock[] {
  if (count === 0) return [];
  const keys = count === 1 ? "API key" : `${count} API keys`;
  if (areEnded) return [{ kind: "text", text: `Your ${keys} ${count === 1 ? "was" : "were"} revoked.` }];
  return [
    {
      kind: "text",
      text: `Your ${keys} still work${count === 1 ? "s" : ""}. Somebody who knew your old password may have made one. Check that you know ${count === 1 ? "it" : "them all"}:`,
    },
    { kind: "action", label: "My API keys", path: "/user-dashboard/api-keys" },
  ];
}

export function apiKeyMadeMail(
  { brand }: BrandConfig,
  reader: Reader,
  { name, mode, addresses }: Pick<ApiKey, "name" | "mode" | "addresses">,
): MailContent {
  const where = addresses.length === 0 ? "anywhere" : addresses.join(", ");
  const text =
    mode === "test"
      ? `The test key "${name}" works from ${where}. What it sends costs nothing and reaches nobody.`
      : `The key "${name}" can send messages with your units from now on, from ${where}.`;
  return {
    recipient: reader.email,
    subject: `A new API key was made in your ${brand.name} account`,
    greetingName: reader.userName,
    blocks: [
      { kind: "text", text },
      { kind: "text", text: "If it was not you, revoke it and change your password at once:" },
      { kind: "action", label: "My API keys", path: "/user-dashboard/api-keys" },
    ],
  };
}

/** One mail to each mailbox: whoever reads the old one must learn that it no longer opens the account. */
export function emailChangedMails(
  { brand }: BrandConfig,
  change: { userName: string; oldEmail: string; newEmail: string },
): MailContent[] {
  const { userName, oldEmail, newEmail } = change;
  const subject = `The email of your ${brand.name} account was changed`;
  return [
    {
      recipient: oldEmail,
      subject,
      greetingName: userName,
      blocks: [
        {
          kind: "text",
          text: `${brand.name} changed the email of your account. You sign in with the new one from now on, and all devices were signed out.`,
        },
        {
          kind: "text",
          text: `If you did not ask for it, write to us at once${brand.emails[0] === undefined ? "" : `: ${brand.emails[0]}`}.`,
        },
      ],
    },
    {
      recipient: newEmail,
      subject,
      greetingName: userName,
      blocks: [
        {
          kind: "text",
          text: `${brand.name} changed the email of your account to this one. Sign in with it from now on; your password stays as it is.`,
        },
        { kind: "action", label: "Login", path: "/login" },
      ],
    },
  ];
}
