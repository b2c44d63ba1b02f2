import { drawTable, type ReferenceTable } from "./reference-table.ts";

/** What a customer's SMPP client sends and hears. docs/smpp.md has the same rows, and `tools/docs.test.ts` compares them. */
export const smppTables: readonly ReferenceTable[] = [
  {
    title: "Fields of submit_sm",
    heads: ["field", "here"],
    rows: [
      [
        "`service_type`",
        "`TRANS` makes the message transactional, where your account may send such; `PROMO` and everything else is promotional",
      ],
      ["`source_addr`", "an approved sender name"],
      ["`destination_addr`", "one number with its country code; with type of number 2 a Nigerian one without it"],
      ["`data_coding`", "0 (GSM 03.38), 1 (ASCII), 3 (Latin-1), 8 (UCS-2)"],
      [
        "long messages",
        "by user data header, `sar_*` or `message_payload`; parts are one message, charged when the last one is answered, and expire after 5 minutes without it",
      ],
      ["`schedule_delivery_time`, `validity_period`", "absolute or relative"],
      ["`registered_delivery`", "0 none, 1 every final state, 2 failures, 3 successes"],
      [
        "TLV `0x1401`",
        "an idempotency key of yours, 1 to 200 visible ASCII characters: for a week a submit that comes again under it gets the first answer and sends nothing. One key may stand in all parts of a long message. Without it every submit is another message",
      ],
    ],
  },
  {
    title: "Statuses",
    heads: ["a client gets", "when"],
    rows: [
      ["ESME_RINVPASWD at the bind", "the system id or the password is wrong, or the key was revoked or has expired"],
      [
        "ESME_RBINDFAIL at the bind",
        "the address is not among the key's, it has as many binds as it may, its customer is blocked, or ten wrong passwords came from there in a minute",
      ],
      ["ESME_RINVBNDSTS", "it has not bound, or submits as a receiver"],
      [
        "ESME_RINVSRCADR, ESME_RINVDSTADR",
        "the sender name is not approved; the number is none, of no country, or never sent to",
      ],
      ["ESME_RTHROTTLED", "more in a second than the key's pace"],
      ["ESME_RINVMSGLEN, ESME_RSUBMITFAIL", "no text, or too long a one; a data coding that is no text (2, 4, ...)"],
      ["ESME_RINVSCHED, ESME_RINVEXPIRY", "a time that is none, or has passed"],
      ["ESME_RINVSERTYP", "`service_type` is `TRANS`, and an administrator has not allowed the account this class"],
      ["ESME_RINVOPTPARAMVAL, 0x0409", "the key in TLV `0x1401` is none; it was used for another submit"],
      ["0x0400, 0x0401, 0x0402", "no route; not enough units; the account's limit of the day"],
      ["0x040A, 0x040B, 0x0432", "do-not-disturb; opted out; the content is refused"],
      ["ESME_RSYSERR", "the database is away: nothing was kept, it may be sent again"],
    ],
  },
];

/** A part of the reference's page of its own, because SMPP is no call that OpenAPI describes. */
export function smppSection(): string {
  return `<section id="smpp"><h2>SMPP</h2>
<p>Any SMPP 3.4 client binds with the system id and password of a key for <em>SMPP</em> (page API keys), as transmitter, receiver or transceiver. An accepted submit is committed, and its units are held. Receipts and messages from phones wait ten days until a receiver of the key has answered them with ESME_ROK.</p>
${smppTables.map(drawTable).join("\n")}
</section>`;
}
