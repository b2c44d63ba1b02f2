/** What is mailed about members. */
import type { MemberRole } from "@ewebal/contract";
import type { Config } from "../../../base/config.ts";
import { type MailContent, plainName } from "../../../mail/index.ts";

type BrandConfig = Pick<Config, "brand">;

/** What each role may, in the words of the page. */
const roleWords: Readonly<Record<MemberRole, string>> = {
  viewer: "You can read everything, and change nothing.",
  sender: "You can send messages, and keep contacts, templates and drafts.",
  approver: "You can send messages, and decide on messages that wait for approval.",
  owner: "You can do everything, with units, keys and members.",
};

/** @param invitation of a mailbox that has no account here yet. */
export function memberInvitedMail(
  { brand }: BrandConfig,
  invitation: { email: string; role: MemberRole; accountName: string },
): MailContent {
  const account = plainName(invitation.accountName);
  return {
    recipient: invitation.email,
    subject: `${account} invites you to ${brand.name}`,
    blocks: [
      {
        kind: "text",
        text: `${account} invites you to work in their account as ${invitation.role}. ${roleWords[invitation.role]}`,
      },
      { kind: "text", text: "Register with this mailbox within seven days, and choose a password of your own:" },
      { kind: "action", label: "Register", path: "/register" },
      { kind: "text", text: "If you do not know them, ignore this mail." },
    ],
  };
}

export function memberAddedMail(
  { brand }: BrandConfig,
  member: { email: string; userName: string; role: MemberRole; accountName: string },
): MailContent {
  const account = plainName(member.accountName);
  return {
    recipient: member.email,
    subject: `You can work in the ${brand.name} account of ${account}`,
    greetingName: member.userName,
    blocks: [
      { kind: "text", text: `${account} lets you work in their account as ${member.role}. ${roleWords[member.role]}` },
      {
        kind: "text",
        text: "Sign in with the e-mail and password that you have. Your own account stays as it is; the page Team switches between the two.",
      },
      { kind: "action", label: "Sign in", path: "/login" },
    ],
  };
}

/** To who invited them. */
export function memberJoinedMail(
  { brand }: BrandConfig,
  reader: { email: string; userName: string },
  member: { email: string; fullName: string; role: MemberRole },
): MailContent {
  return {
    recipient: reader.email,
    subject: `${plainName(member.fullName)} works in your ${brand.name} account now`,
    greetingName: reader.userName,
    blocks: [
      { kind: "text", text: "The person whom you invited has registered:" },
      {
        kind: "facts",
        rows: [
          ["Name", plainName(member.fullName)],
          ["E-mail", member.email],
          ["Role", member.role],
        ],
      },
      { kind: "action", label: "See your team", path: "/user-dashboard/team" },
    ],
  };
}
