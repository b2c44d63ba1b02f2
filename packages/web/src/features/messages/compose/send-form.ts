/**
 * The forms that compose: a new message, a draft, a message that is sent again, one that is scheduled, one to a catalog. They
 * behave alike; this is what each of them calls.
 */
import type { EditScheduledBody, RepeatBody, SendAnswer, SendOrDryAnswer } from "@ewebal/contract";
import { draftCalls, messageCalls, scheduledCalls } from "@ewebal/contract/calls";
import type { ContactColumnName } from "@ewebal/contract/rules";
import { call } from "../../../lib/api/api.ts";
import { forgetCarried } from "../resend/carried-messages.ts";
import { getComposer, type ComposedBody, type Composer, type Source } from "./composer.ts";
import { writeSendAt } from "../scheduled/schedule.ts";
import type { SendPlace } from "./send-refusal.tsx";

type Sending = {
  headers: { "idempotency-key": string };
  body: ComposedBody;
};

export type ScheduledBody = {
  sendAt: string;
  timeZone: string;
  repeat?: RepeatBody;
} & ComposedBody;

type Scheduling = {
  headers: { "idempotency-key": string };
  body: ScheduledBody;
};

export type SendForm = {
  composer: Composer;
  /** Decides the words for a wrong number. */
  place?: SendPlace;
  /** Absent where the message is scheduled in any case. */
  sendNow?: (sending: Sending) => Promise<SendAnswer>;
  /** Absent where nothing can be sent later. */
  sendLater?: (scheduling: Scheduling) => Promise<SendAnswer>;
  laterLabel?: string;
  /** Absent where there is nothing to save a draft in. */
  saveDraft?: (body: ComposedBody) => Promise<{ message: string }>;
  draftLabel?: string;
  /** Units that the message holds already, in thousandths. */
  heldMilli?: number;
};

export function newMessageForm(userId: string): SendForm {
  return sendingForm(userId, getComposer(userId));
}

export function resendForm(userId: string, messageId: string): SendForm {
  return sendingForm(userId, getComposer(userId, "resend", messageId));
}

function sendingForm(userId: string, composer: Composer): SendForm {
  const params = { userId };
  return {
    composer,
    sendNow: async (sending) => sent(await call(messageCalls.sendBulkSms, { params, ...sending })),
    sendLater: async (scheduling) => sent(await call(scheduledCalls.scheduleSms, { params, ...scheduling })),
    laterLabel: "Schedule SMS",
    saveDraft: async (body) => await call(draftCalls.draftMessage, { params, body }),
    draftLabel: "Draft SMS",
  };
}

/** Sending a draft, now or later, deletes it; saving it again replaces it. */
export function draftForm(userId: string, draftId: string): SendForm {
  const params = { userId, draftId };
  return {
    composer: getComposer(userId, "draft", draftId),
    sendNow: async (sending) => {
      const answer = await call(draftCalls.sendDraftSms, { params, ...sending });
      forgetCarried("draft-history");
      return answer;
    },
    sendLater: async (scheduling) => {
      const answer = await call(scheduledCalls.scheduleDraftSms, { params, ...scheduling });
      forgetCarried("draft-history");
      return answer;
    },
    laterLabel: "Schedule SMS",
    saveDraft: async (body) => {
      const answer = await call(draftCalls.editDraft, { params, body });
      forgetCarried("draft-history");
      return answer;
    },
    draftLabel: "Save draft",
  };
}

/** Only what was changed is sent: a message that merely moves to another time keeps its price. */
export function scheduledForm(userId: string, messageId: string, source: Source): SendForm {
  return {
    composer: getComposer(userId, "scheduled", messageId),
    sendLater: async ({ body }) =>
      await call(scheduledCalls.editScheduledSms, { params: { userId, messageId }, body: changesOf(body, source) }),
    laterLabel: "Save changes",
    heldMilli: source.heldMilli ?? 0,
  };
}

/** The time always; null takes an end or a repeat away. */
function changesOf(
  {
    senderName,
    message,
    phoneNo,
    code,
    class: messageClass,
    dnd,
    optOutLink,
    validUntil,
    repeat,
    ...others
  }: ScheduledBody,
  source: Source,
): Partial<EditScheduledBody> {
  const { choices = {}, schedule } = source;
  const end = choices.validUntil && writeSendAt(choices.validUntil);
  const pairs = {
    senderName: [senderName, source.senderName],
    message: [message, source.message],
    phoneNo: [phoneNo ?? source.phoneNo, source.phoneNo],
    code: [code, source.code],
    class: [messageClass ?? "promotional", choices.class ?? "promotional"],
    dnd: [dnd ?? (messageClass && "send"), choices.dnd ?? (messageClass && "send")],
    optOutLink: [optOutLink ?? false, choices.optOutLink ?? false],
    validUntil: [validUntil ?? null, end ?? null],
    repeat: [repeat ?? null, schedule?.repeat ?? null],
  };
  const changed = Object.entries(pairs).filter(([, [now, before]]) => JSON.stringify(now) !== JSON.stringify(before));
  return { ...Object.fromEntries(changed.map(([name, [now]]) => [name, now])), ...others };
}

type CatalogOfForm = { catalogId: string; code: string; columns?: readonly ContactColumnName[] };

/** The catalog replaces the numbers; a draft gets the catalog's present numbers. */
export function catalogForm(userId: string, { catalogId, code, columns = [] }: CatalogOfForm): SendForm {
  const params = { userId };
  const composer = getComposer(userId, "catalog", catalogId);
  composer.catalogId = catalogId;
  // Its contacts with their fields arrive later; which fields there are is known at once.
  const knownKeys = columns.map(({ key }) => key);
  composer.takeOver({ code, senderName: "", message: "", phoneNo: "", knownKeys });
  return {
    composer,
    place: "dialog",
    sendNow: async ({ headers, body: { phoneNo: _, recipients: __, ...fields } }) =>
      sent(await call(messageCalls.sendBulkSms, { params, headers, body: { ...fields, catalogId } })),
    saveDraft: async ({ phoneNo: _, recipients: __, ...fields }) =>
      await call(draftCalls.draftMessage, { params, body: { ...fields, catalogId } }),
    draftLabel: "Draft SMS",
  };
}

/** Every answer names its message, but that to a try. */
function sent({ data, ...answer }: SendOrDryAnswer): SendAnswer {
  if (data === undefined) throw new Error("the answer to a send names no message");
  return { ...answer, data };
}
