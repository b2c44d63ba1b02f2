import { escapeHtml } from "../escape-html.ts";

/** What a customer's program needs to know before it moves; docs/twilio.md says the same at length, for who has the sources. */
const calls = [
  ["POST .../Messages.json", "One message to one recipient: To, From, Body, StatusCallback, SendAt, ValidityPeriod"],
  ["GET .../Messages.json", "PageSize, Page, PageToken, To, From, DateSent; next_page_uri leads on"],
  ["GET .../Messages/{SM}.json", "A message that was sent by this path"],
  ["POST .../Messages/{SM}.json", "Status=canceled, for what has not left; its units come back"],
  ["DELETE .../Messages/{SM}.json", "Takes a message that has ended out of the history"],
] as const;
const differences = [
  ["To", "E.164 with its plus; no WhatsApp and no short codes"],
  ["From", "One of your approved sender names, in place of a number"],
  ["Body", "Up to 1,600 characters; num_segments is the number of pages that are charged"],
  ["SendAt", "With ScheduleType=fixed, any time to come; no messaging service is needed"],
  ["StatusCallback", "Signed with the key's token in X-Twilio-Signature; failures are tried again for about an hour"],
  ["MediaUrl, ContentSid, ContentVariables, PersistentAction", "Refused with 20001"],
  ["MessagingServiceSid and all others", "Do nothing"],
  ["Everything else under /2010-04-01", "404 with code 20404"],
] as const;

/** A part of the reference's page of its own, because these calls are Twilio's and no schema of ours describes them. */
export function twilioSection(publicUrl: string): string {
  const codes = "20003, 20404, 20429, 21211, 21602, 21606, 21610 and 21617 as Twilio's; 30002 for too few units";
  return `<section id="twilio"><h2>Twilio's clients</h2>
<p>A program that sends with one of Twilio's libraries moves by three settings: make a key of kind <em>A client of Twilio</em>, take its account sid and token, and put <code>${escapeHtml(publicUrl)}</code> in place of <code>https://api.twilio.com</code>.</p>
${table("Call under /2010-04-01/Accounts/{AC}", calls)}
${table("What differs", differences)}
<p>Errors are <code>{code, message, more_info, status}</code>: ${escapeHtml(codes)}.</p>
</section>`;
}

function table(title: string, rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(
    ([name, text]) => `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(text)}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${escapeHtml(title)}</th><th scope="col">Here</th></tr></thead><tbody>${cells.join("")}</tbody></table></div>`;
}
