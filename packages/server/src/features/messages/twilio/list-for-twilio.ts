import { z } from "zod";
import type { ProgramKey } from "../../accounts/index.ts";
import { selectOneRecipientMessages } from "../../delivery/index.ts";
import type { SendDeps } from "../send/send.ts";
import { messageIdOf, presentTwilioMessage, sidOf } from "./present-twilio.ts";
import { TwilioError } from "./twilio-errors.ts";
import { selectTwilioMessages } from "./twilio-store.ts";

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1_000;
/** Pages that are named without a token are counted from the beginning. */
const PAGES_WITHOUT_TOKEN_MAX = 100;
const DAY_MS = 24 * 3_600_000;

/** Texts, because what is wrong is answered in Twilio's form; others of Twilio's parameters do nothing here. */
const text = z.string().max(200).optional();
export const pageQuery = z.object({
  PageSize: text,
  Page: text,
  PageToken: text,
  To: text,
  From: text,
  DateSent: text,
  "DateSent<": text,
  "DateSent>": text,
});
type PageQuery = z.infer<typeof pageQuery>;

/** One page of the account's messages, newest first. @throws TwilioError for a page or a filter that is none. */
export async function listForTwilio(
  deps: SendDeps,
  { program, accountSid }: { program: ProgramKey; accountSid: string },
  query: PageQuery,
) {
  const { userId, mode } = program;
  const pageSize = Math.min(readCount(query.PageSize, "PageSize") ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
  if (pageSize === 0) throw new TwilioError(20006, "PageSize is at least 1");
  const page = readCount(query.Page, "Page") ?? 0;
  const afterId = readToken(query.PageToken);
  if (afterId === undefined && page > PAGES_WITHOUT_TOKEN_MAX)
    throw new TwilioError(20006, "Follow next_page_uri to pages that far back");
  const rows = await selectTwilioMessages(
    deps.db,
    { userId, mode, phoneNo: readTo(query.To), senderName: query.From, ...readDays(query) },
    { afterId, offset: afterId === undefined ? page * pageSize : 0, limit: pageSize + 1 },
  );
  const shown = rows.slice(0, pageSize);
  const messages = await selectOneRecipientMessages(deps.db, {
    userId,
    messageIds: shown.map(({ messageId }) => messageId),
  });
  const last = shown.at(-1);
  const address = (more: Record<string, string>): string =>
    addressOf(accountSid, query, { PageSize: String(pageSize), ...more });
  return {
    messages: shown.flatMap((row) => {
      const message = messages.get(row.messageId);
      return message === undefined ? [] : [presentTwilioMessage(row, message, accountSid)];
    }),
    page,
    page_size: pageSize,
    start: page * pageSize,
    end: page * pageSize + Math.max(0, shown.length - 1),
    uri: address({ Page: String(page), ...(query.PageToken && { PageToken: query.PageToken }) }),
    first_page_uri: address({ Page: "0" }),
    previous_page_uri: null,
    next_page_uri:
      rows.length > pageSize && last !== undefined
        ? address({ Page: String(page + 1), PageToken: `PA${sidOf(last.messageId)}` })
        : null,
  };
}

const FILTERS = ["To", "From", "DateSent", "DateSent<", "DateSent>"] as const;

function addressOf(accountSid: string, query: PageQuery, more: Record<string, string>): string {
  const filters = FILTERS.flatMap((name) =>
    query[name] === undefined ? [] : [[name, query[name]] as [string, string]],
  );
  const parameters = new URLSearchParams([...filters, ...Object.entries(more)]);
  return `/2010-04-01/Accounts/${accountSid}/Messages.json?${parameters.toString()}`;
}

function readCount(value: string | undefined, name: string): number | undefined {
  if (value === undefined || value === "") return undefined;
  if (!/^[0-9]{1,9}$/.test(value)) throw new TwilioError(20006, `${name} is not a number`);
  return Number(value);
}

function readToken(value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  const messageId = value.startsWith("PA") ? messageIdOf(value.slice(2)) : undefined;
  if (messageId === undefined) throw new TwilioError(20006, "PageToken is not one of this list");
  return messageId;
}

function readTo(value: string | undefined): number | undefined {
  if (value === undefined || value === "") return undefined;
  // A plus that came as such in an address is read as a blank.
  const digits = /^[+ ]?([0-9]{1,15})$/.exec(value)?.[1];
  if (digits === undefined) throw new TwilioError(21211, "The 'To' number is not a valid phone number");
  return Number(digits);
}

/** `DateSent` is one day (UTC); `DateSent>` and `DateSent<` are days or moments, both included. */
function readDays(query: PageQuery): { from?: Date; until?: Date } {
  // A client sends a moment of the day that it means.
  const [on, after, before] = [query.DateSent?.slice(0, 10), query["DateSent>"], query["DateSent<"]].map(readMoment);
  const from = on ?? after;
  const last = on ?? before;
  return {
    ...(from && { from: from.at }),
    ...(last && { until: new Date(last.at.getTime() + (last.isDay ? DAY_MS : 1)) }),
  };
}

function readMoment(value: string | undefined): { at: Date; isDay: boolean } | undefined {
  if (value === undefined || value === "") return undefined;
  const at = new Date(value);
  if (!/^\d{4}-\d\d-\d\d/.test(value) || Number.isNaN(at.getTime()))
    throw new TwilioError(20001, "DateSent is not a day (YYYY-MM-DD)");
  return { at, isDay: value.length === 10 };
}
