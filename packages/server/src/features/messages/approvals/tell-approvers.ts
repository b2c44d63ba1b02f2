import type { Deps } from "../../../base/deps.ts";
import type { Tx } from "../../../db/transaction.ts";
import { countTryQuietly, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { plainName, writeMail } from "../../../mail/index.ts";
import { selectApprovers, selectFullNames } from "../../accounts/index.ts";

/** @property sentBy the member; undefined is nobody whose messages wait. */
type Waiting = { userId: string; sentBy: string | undefined; senderName: string; recipientCount: number };

/** Mails everybody who may decide on the message, one mail each. Beyond a number of messages an hour the page alone tells of more. */
export async function tellApprovers(
  deps: Deps,
  tx: Tx,
  { userId, sentBy, senderName, recipientCount }: Waiting,
): Promise<void> {
  if (sentBy === undefined) return;
  if ((await countTryQuietly(deps, tx, rateRules.approvalMail, userId)) !== undefined) return;
  const names = await selectFullNames(tx, [sentBy, userId]);
  const [who, whose] = [sentBy, userId].map((personId) => plainName(names.get(personId) ?? ""));
  const recipients = recipientCount === 1 ? "1 recipient" : `${recipientCount.toLocaleString("en")} recipients`;
  for (const { personId, email, userName } of await selectApprovers(tx, userId)) {
    if (personId === sentBy) continue;
    await writeMail(deps, tx, {
      recipient: email,
      subject: "A message waits for your approval",
      greetingName: userName,
      blocks: [
        {
          kind: "text",
          text: `${who} wants to send a message as ${senderName} to ${recipients}, in the account of ${whose}. It waits until an approver decides, with its units held.`,
        },
        { kind: "action", label: "See what waits", path: "/user-dashboard/approvals" },
      ],
    });
  }
}
