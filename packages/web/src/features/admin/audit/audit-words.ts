/** The administrators' calls in words. A call without words is shown by its name. */
const words: Readonly<Record<string, string>> = {
  "credit-a-user": "Credited a user",
  "propose-credit-a-user": "Asked for a credit",
  "propose-whitelist-user-senderID": "Asked for sender names",
  "propose-approve-whitelist-request": "Asked to approve a whitelist request",
  "propose-update-user": "Asked for sender names of a user",
  approve: "Approved what another administrator asked for",
  decline: "Declined what another administrator asked for",
  "credit-user": "Accepted a deposit",
  "propose-credit-user": "Asked for a credit for a deposit",
  "confirm-credit": "Confirmed a credit",
  "declined-transaction": "Declined a deposit",
  "change-user-password": "Changed their password",
  "whitelist-user-senderID": "Gave sender names",
  "approve-whitelist-request": "Approved a whitelist request",
  "decline-whitelist-request": "Declined a whitelist request",
  "update-user": "Updated a user",
  "block-user": "Blocked a user",
  "unblock-user": "Unblocked a user",
  "approve-user": "Approved a user",
  "unapprove-user": "Removed an approval",
  "turn-off-two-factor": "Turned somebody's two-factor sign-in off",
  "confirm-two-factor": "Turned their own two-factor sign-in on",
  "two-factor": "Turned their own two-factor sign-in off",
  "make-general-announcement": "Posted an announcement",
  "clear-general-announcement": "Cleared an announcement",
  "switch-to-admin": "Switched to admin mode",
  "switch-to-user": "Switched to user mode",
  "set-daily-limit": "Set a daily limit",
  "set-call-limit": "Set a limit for API calls",
  "edit-rate": "Changed a rate",
  "withdraw-rate": "Withdrew a planned rate",
  "add-carrier": "Added a carrier",
  "edit-carrier": "Changed a carrier",
  "switch-carrier": "Switched a carrier",
  "remove-carrier": "Removed a carrier",
  "test-carrier": "Tested a carrier's connection",
  "add-dnd-numbers": "Added numbers to the DND list",
  "remove-dnd-numbers": "Removed numbers from the DND list",
  "release-message": "Released a held message",
  "refuse-message": "Refused a held message",
  "revoke-user-api-key": "Revoked a user's API key",
  "view-any-sms": "Read a message",
  "view-one-sms": "Read a message",
  "view-scheduled-sms": "Read a scheduled message",
  recipients: "Read the recipients of a message",
  "view-all-sms-messages": "Read messages of all customers",
  "populate-sms-history": "Read a user's messages",
  "populate-scheduled-sms": "Read a user's scheduled messages",
  "view-held-messages": "Read held messages",
  "view-unassigned-inbound": "Read inbound messages",
  "view-any-draft": "Read a draft",
  "view-one-draft": "Read a draft",
  "view-all-drafts": "Read drafts of all customers",
  "populate-drafts": "Read a user's drafts",
  "view-receipt": "Viewed a deposit's receipt",
  "payment-receipt": "Downloaded the receipt of a card payment",
  "verify-admin": "Verified their mailbox",
  "approve-admin": "Approved an administrator",
  "block-admin": "Blocked an administrator",
  "unblock-admin": "Unblocked an administrator",
  "remove-admin": "Removed an administrator",
  "invite-admin": "Invited an administrator",
  "set-admin-role": "Gave a role",
  "propose-set-admin-role": "Asked for a role",
  "update-admin-profile": "Updated their own profile",
};

/** @param action the call, such as `credit-a-user`. */
export function describeAction(action: string): string {
  return words[action] ?? action.replaceAll("-", " ");
}

/** `1 -> 2` for each fact that changed; the facts alone where there is no earlier value. */
export function describeChange(before: Record<string, unknown> = {}, after: Record<string, unknown> = {}): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map((name) => {
    const [old, now] = [describeValue(before[name]), describeValue(after[name])];
    if (!(name in before)) return `${name}: ${now}`;
    return name in after ? `${name}: ${old} → ${now}` : `${name}: ${old}`;
  });
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
