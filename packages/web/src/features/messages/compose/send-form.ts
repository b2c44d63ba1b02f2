/**
 * The forms that compose: a new message, a draft, a message that is sent again, one that is scheduled, one to a catalog. They
 * behave alike; this is what each of them calls.
 */
import type { SendAnswer, SendBody } from "@ewebal/contract";
import { draftCalls, messageCalls, scheduledCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { forgetCarried } from "../resend/carried-messages.ts";
import { getComposer, type Composer, type Source } from "./composer.ts";
import type { SendPlace } from "./send-refusal.tsx";

type Sending = {
  headers: { "idempotency-key": string };
  body: SendBody;
};

export type ScheduledBody = {
  sendAt: string;
  timeZone: string;
} & SendBody;

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
  saveDraft?: (body: SendBody) => Promise<{ message: string }>;
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
    sendNow: async (sending) => await call(messageCalls.sendBulkSms, { params, ...sending }),
    sendLater: async (scheduling) => await call(scheduledCalls.scheduleSms, { params, ...scheduling }),
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
    sendLater: async ({ body: { sendAt, timeZone, ...fields } }) =>
      await call(scheduledCalls.editScheduledSms, {
        params: { userId, messageId },
        body: { ...changesOf(fields, source), sendAt, timeZone },
      }),
    laterLabel: "Save changes",
    heldMilli: source.heldMilli ?? 0,
  };
}

function changesOf(fields: SendBody, source: SendBody): Partial<SendBody> {
  const names = ["senderName", "message", "phoneNo", "code"] as const;
  return Object.fromEntries(names.filter((name) => fields[name] !== source[name]).map((name) => [name, fields[name]]));
}

/** The catalog replaces the numbers; a draft gets the catalog's present numbers. */
export function catalogForm(userId: string, { catalogId, code }: { catalogId: string; code: string }): SendForm {
  const params = { userId };
  const composer = getComposer(userId, "catalog", catalogId);
  composer.takeOver({ code, senderName: "", message: "", phoneNo: "" });
  return {
    composer,
    place: "dialog",
    sendNow: async ({ headers, body: { phoneNo: _, ...fields } }) =>
      await call(messageCalls.sendBulkSms, { params, headers, body: { ...fields, catalogId } }),
    saveDraft: async ({ phoneNo: _, ...fields }) =>
      await call(draftCalls.draftMessage, { params, body: { ...fields, catalogId } }),
    draftLabel: "Draft SMS",
  };
}
