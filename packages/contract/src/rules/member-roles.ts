/**
 * What people may do who share a customer's account. Each role may all that the one before it may: a viewer reads; a sender also
 * sends and keeps contacts, templates and drafts; an approver also lets messages go that wait for approval; an owner may everything,
 * with money, keys and members.
 */
export const memberRoles = ["viewer", "sender", "approver", "owner"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Whether a role may what the other one is needed for. */
export function mayAs(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) >= memberRoles.indexOf(least);
}
