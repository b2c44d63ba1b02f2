/**
 * What the people who share a customer's account may do. Each role may do what the one before it may, and more: a viewer reads; a
 * sender also sends and keeps contacts, templates and drafts; an approver also decides on messages that wait for approval; an owner
 * may do everything, including what concerns money, keys and members.
 */
export const memberRoles = ["viewer", "sender", "approver", "owner"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Whether a role may do what needs at least the other one. */
export function mayAs(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) >= memberRoles.indexOf(least);
}
