/** The words of the mails about second factors. */
import type { Config } from "../../../base/config.ts";
import { type MailContent, plainName } from "../../../mail/index.ts";

type Reader = { email: string; userName: string; kind: "user" | "admin" };
type BrandConfig = Pick<Config, "brand">;

const accountWords = { user: "account", admin: "administrator account" } as const;
const profilePaths = { user: "/user-dashboard/profile-info", admin: "/admin-dashboard/admin-profile-summary" } as const;

function mailAbout({ brand }: BrandConfig, reader: Reader, subject: string, texts: readonly string[]): MailContent {
  const where = `your ${brand.name} ${accountWords[reader.kind]}`;
  return {
    recipient: reader.email,
    subject: subject.replace("{account}", where),
    greetingName: reader.userName,
    blocks: [
      ...texts.map((text) => ({ kind: "text", text: text.replace("{account}", where) }) as const),
      { kind: "action", label: "My profile", path: profilePaths[reader.kind] },
    ],
  };
}

export function factorOnMail(config: BrandConfig, reader: Reader): MailContent {
  return mailAbout(config, reader, "Two-factor sign-in of {account} is on", [
    "From now on, signing in to {account} needs your password and a code from your authenticator app.",
    "Keep your recovery codes where you can reach them without your phone. Each one works once.",
    "If it was not you, reset your password and write to us at once.",
  ]);
}

/** @param by who turned it off; the person, or an administrator who looks after the account. */
export function factorOffMail(config: BrandConfig, reader: Reader, by: "self" | "administrator"): MailContent {
  const what =
    by === "self"
      ? "Two-factor sign-in of {account} was turned off just now."
      : `${config.brand.name} turned two-factor sign-in of {account} off, and signed out all devices.`;
  return mailAbout(config, reader, "Two-factor sign-in of {account} is off", [
    `${what} Signing in now needs the password alone, and the recovery codes no longer work.`,
    "If you did not ask for it, change your password and write to us at once.",
  ]);
}

export function wrongCodesMail(config: BrandConfig, reader: Reader): MailContent {
  return mailAbout(config, reader, "Wrong codes were entered for {account}", [
    "Somebody who knows your password, or who uses a device that you are signed in on, entered five wrong codes in a row. Nothing was opened or changed.",
    "If it was not you, change your password now, and sign out everywhere else.",
  ]);
}

/** @param codesLeft recovery codes that were not used yet. */
export function recoveryCodeUsedMail(config: BrandConfig, reader: Reader, codesLeft: number): MailContent {
  return mailAbout(config, reader, "A recovery code of {account} was used", [
    `A recovery code was used in place of your authenticator app. ${codesLeft === 0 ? "It was the last one" : `${codesLeft} ${codesLeft === 1 ? "is" : "are"} left`}.`,
    "If it was not you, reset your password and write to us at once. To get new codes, turn two-factor sign-in off and on again:",
  ]);
}

export function passkeyAddedMail(config: BrandConfig, reader: Reader, name: string): MailContent {
  return mailAbout(config, reader, "A passkey was added to {account}", [
    `The passkey "${plainName(name)}" opens {account} from now on, without password and code.`,
    "If it was not you, remove it on your profile, change your password and write to us at once.",
  ]);
}

export function passkeyRemovedMail(config: BrandConfig, reader: Reader, name: string): MailContent {
  return mailAbout(config, reader, "A passkey of {account} was removed", [
    `The passkey "${plainName(name)}" does not open {account} any more. You can delete it on your device, too.`,
    "If it was not you, change your password and write to us at once.",
  ]);
}

/** The count of a passkey's signatures went back: somebody else may have it. */
export function copiedPasskeyMail(config: BrandConfig, reader: Reader, name: string): MailContent {
  return mailAbout(config, reader, "A passkey of {account} may have been copied", [
    `Somebody tried to sign in with the passkey "${plainName(name)}", and its count of uses was lower than before. That happens when a passkey is copied. Nothing was opened.`,
    "Remove this passkey on your profile, and add a new one.",
  ]);
}
