import type { SendOrDryAnswer, SendRecipient } from "@ewebal/contract";
import { contactCalls, messageCalls, scheduledCalls } from "@ewebal/contract/calls";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { ApiError, call } from "../../../lib/api/api.ts";
import { type Composer, useComposition } from "../compose/composer.ts";
import type { Composition } from "../compose/composition.ts";
import { whitelistsQuery } from "../message-queries.ts";
import { findUnknownKeys, isPersonal, keysOf } from "../personal/personal-send.ts";
import { findScheduleFaults, writeSendAt } from "../scheduled/schedule.ts";

/** What would become of the message: the server's answer, or why it would be refused for its text. */
export type Tried = { answer?: SendOrDryAnswer; refusal?: string };

/** Asked once nobody has typed for so long. */
export const TRY_PAUSE_MS = 700;
/** Of a catalog whose contacts are not here. */
const CATALOG_SAMPLE = 50;

/**
 * Asks the server what would become of the message at this moment: when it leaves, and what administrators say of its text. It is asked with a few
 * of the recipients, because a million would travel at each pause; price and units are therefore not looked at.
 */
export function useTried(composer: Composer): Tried | undefined {
  const composition = useComposition(composer, (whole) => whole);
  const { data: whitelists } = useQuery(whitelistsQuery(composer.userId));
  const { data: user } = useCurrentUser();
  // What the server would refuse in any case is no question.
  const isApproved = whitelists?.senderNames.includes(composition.senderName) === true;
  const isAskable = isApproved && (user?.units ?? 0) > 0 && !composition.isSending;
  const wanted = isAskable ? describe(composer, composition) : "";
  const [settled] = useDebouncedValue(wanted, TRY_PAUSE_MS);
  const { data } = useQuery({
    queryKey: ["tried", composer.userId, settled],
    queryFn: settled === "" || settled !== wanted ? skipToken : async () => await ask(composer),
    placeholderData: settled === "" ? undefined : keepPreviousData,
    retry: false,
    staleTime: 60_000,
    gcTime: 0,
  });
  return settled === "" ? undefined : data;
}

/** @returns all that the answer depends on; empty while there is nothing to ask. */
function describe(composer: Composer, composition: Composition): string {
  const { code, senderName, message, choices, schedule, summary, reading, onMissing } = composition;
  const hasRecipients = reading === "done" && summary !== undefined && summary.validCount > 0;
  if (senderName.trim() === "" || message.trim() === "") return "";
  if (!hasRecipients && composer.catalogId === undefined) return "";
  // Until it is known of whom the fields speak.
  if (keysOf(message).length > 0 && (!isPersonal(composition) || findUnknownKeys(composition).length > 0)) return "";
  if (schedule !== undefined && findScheduleFaults(schedule).length > 0) return "";
  const who = [summary?.first, summary?.networks.map(({ network }) => network), composer.catalogId];
  return JSON.stringify([code, senderName, message, choices, schedule, onMissing, who]);
}

async function ask(composer: Composer): Promise<Tried> {
  const { code, senderName, message, choices, schedule } = composer.getState();
  // An end is judged by the form itself, which knows when the message leaves.
  const { validUntil: _, ...chosen } = choices;
  const body = { code, senderName, message, ...chosen, ...(await readSample(composer)), dryRun: true };
  const params = { userId: composer.userId };
  const sendAt = schedule && writeSendAt(schedule);
  try {
    if (schedule === undefined || sendAt === undefined)
      return { answer: await call(messageCalls.sendBulkSms, { params, body, headers: {} }) };
    const { timeZone, repeat } = schedule;
    const timed = { ...body, sendAt, timeZone, ...(repeat && { repeat }) };
    return { answer: await call(scheduledCalls.scheduleSms, { params, body: timed, headers: {} }) };
  } catch (error) {
    // Everything else is said when it is sent, or is said by the form already; a lost network is no news here.
    if (!(error instanceof ApiError)) return {};
    if (error.code === "NOT_SENDABLE") return { refusal: error.message };
    return error.fields.message === undefined ? {} : { refusal: `Message ${error.fields.message}` };
  }
}

type Sample = { phoneNo: string } | { recipients: SendRecipient[]; onMissing: "skip" };

async function readSample(composer: Composer): Promise<Sample> {
  const { summary } = composer.getState();
  if (summary === undefined && composer.catalogId !== undefined) {
    const params = { userId: composer.userId, catalogId: composer.catalogId };
    const { data } = await call(contactCalls.contacts, { params, query: { limit: String(CATALOG_SAMPLE) } });
    return { phoneNo: data.map(({ phoneNo }) => phoneNo).join(",") };
  }
  const answer = await composer.ask({ kind: "sample" });
  const recipients = answer.kind === "recipients" ? answer.recipients : [];
  if (!isPersonal(composer.getState())) return { phoneNo: recipients.map(({ to }) => to).join(",") };
  return { recipients, onMissing: "skip" };
}
