import type { MemberRole } from "@ewebal/contract";
import { useEffect } from "react";
import classes from "../../ui/feedback/banner.module.css";

/** Why some buttons are not there, in words for each role that lacks some. */
const notes: Readonly<Record<Exclude<MemberRole, "owner">, string>> = {
  viewer: "You are a viewer in this account: you can read everything, and change nothing.",
  sender:
    "You are a sender in this account. Its owners buy units and look after keys, webhooks, sender names and members.",
  approver:
    "You are an approver in this account. Its owners buy units and look after keys, webhooks, sender names and members.",
};

type RoleNoteProps = {
  role: Exclude<MemberRole, "owner">;
  /** An administrator who looks at the account reads it elsewhere. */
  isSaid: boolean;
};

/** Says what a member's role leaves out, and hides it: the style sheet reads `data-least` of the buttons. Fetched for members alone. */
export function RoleNote({ role, isSaid }: RoleNoteProps) {
  useEffect(() => {
    document.documentElement.dataset["role"] = role;
    return () => {
      delete document.documentElement.dataset["role"];
    };
  }, [role]);
  if (!isSaid) return null;
  return (
    <p className={`${classes.banner} small centered`} data-tone="info">
      {notes[role]}
    </p>
  );
}
