import { escapeHtml } from "../escape-html.ts";
import { drawTable, type ReferenceTable } from "./reference-table.ts";

/** What customers need to know before a program of theirs moves. docs/twilio.md has the same rows, and `tools/docs.test.ts` compares them. */
export const twilioTables: readonly ReferenceTable[] = [
  {
    title: "Calls",
    heads: ["call", "here"],
    rows: [
      ["`POST /2010-04-01/Accounts/{AC}/Messages.json`", "one message to one recipient; 201 with Twilio's resource"],
      [
        "`GET .../Messages.json`",
        "`PageSize` (50, at most 1,000), `Page`, `PageToken`, `To`, `From`, `DateSent`, `DateSent<`, `DateSent>`; `next_page_uri` leads on. The dates are those of acceptance, in UTC",
      ],
      [
        "`GET .../Messages/{SM}.json`",
        "a message that was sent by this path, by any key of the account in the same mode",
      ],
      [
        "`POST .../Messages/{SM}.json`",
        "`Status=canceled` for what has not left; its units come back. Nothing else changes a message: `Body=` does not redact",
      ],
      ["`DELETE .../Messages/{SM}.json`", "204 once the message has ended; it leaves the history"],
      ["everything else under `/2010-04-01`", "404 with code 20404"],
    ],
  },
  {
    title: "Fields of a message",
    heads: ["field", "here"],
    rows: [
      ["`To`", "E.164 with its plus; no WhatsApp, no short codes"],
      ["`From`", "one of the account's approved sender names, letter by letter, in place of a number"],
      ["`Body`", "up to 1,600 characters; `num_segments` is what is charged: pages"],
      ["`StatusCallback`", "http or https; an address that leads into a private network is refused (21609)"],
      ["`SendAt` with `ScheduleType=fixed`", "any time to come; no messaging service is needed"],
      ["`ValidityPeriod`", "1 to 36,000 seconds; a scheduled message's begins at its time"],
      [
        "`Idempotency-Key` or `I-Twilio-Idempotency-Token` (headers)",
        "a repeat gets the first message; with another form the answer is 422",
      ],
      [
        "`MediaUrl`, `ContentSid`, `ContentVariables`, `PersistentAction`",
        "refused (20001), because the message would be another one",
      ],
      ["`MessagingServiceSid` and all others", "do nothing"],
    ],
  },
  {
    title: "Errors",
    heads: ["code", "status", "when"],
    rows: [
      ["20001", "400", "a field has a value that it cannot have, or stands twice"],
      ["20003", "401", "the sid or the token is wrong, revoked or expired"],
      ["20005", "403", "the account is blocked"],
      ["20006", "400", "the page does not exist"],
      ["20009", "409", "the message's state does not allow it"],
      ["20403", "403", "the key lacks the scope, or does not work from this address"],
      ["20404", "404", "there is no such thing"],
      ["20413, 20415", "413, 415", "the form is over 64 kB, or no form"],
      ["20422", "422", "the idempotency key was used for another message"],
      ["20429", "429", "too many calls; `Retry-After` says when"],
      ["21211, 21603, 21604", "400", "`To` is no number, `From` is missing, `To` is missing"],
      ["21408", "400", "no carrier takes messages to this country, or it has no price yet"],
      ["21602, 21617", "400", "`Body` is missing, or over 1,600 characters"],
      ["21606", "400", "`From` is not approved for the account"],
      ["21609", "400", "`StatusCallback` is no address that we call"],
      ["21610, 21612", "400", "the recipient opted out, or is on the do-not-disturb list"],
      ["30002", "400", "the account has too few units"],
      ["30007", "400", "the content is refused"],
      ["35111, 35114", "400", "`SendAt` is missing, or no time to come"],
      ["63038", "429", "the account's daily limit is reached"],
    ],
  },
];

/** A part of the reference's page of its own, because these calls are Twilio's and no schema of ours describes them. */
export function twilioSection(publicUrl: string): string {
  return `<section id="twilio"><h2>Twilio's clients</h2>
<p>A program that sends with one of Twilio's libraries moves by three settings: make a key of kind <em>A client of Twilio</em>, take its account sid and token, and put <code>${escapeHtml(publicUrl)}</code> in place of <code>https://api.twilio.com</code>.</p>
${twilioTables.map(drawTable).join("\n")}
<p>Each error is <code>{code, message, more_info, status}</code>. A callback is signed with the key's token in <code>X-Twilio-Signature</code>; one that fails is tried again for about an hour.</p>
</section>`;
}
