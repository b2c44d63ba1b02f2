import type { DraftAnswer, MessageAnswer, MessageCounts } from "@ewebal/contract";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";

export const noCounts: MessageCounts = {
  waiting: 0,
  sent: 0,
  delivered: 0,
  failed: 0,
  dnd: 0,
  unknown: 0,
  cancelled: 0,
};

export const messageId = "01900000-0000-7000-8000-0000000000b1";

/** A sent message as the server answers it; `over` changes what the test is about. */
export function messageAnswer(over: Partial<MessageAnswer> = {}): MessageAnswer {
  return {
    _id: messageId,
    userID: userId,
    userName: "ada",
    senderName: "AdaStores",
    message: "Your order is ready",
    code: "234",
    phoneNo: "2348030000001,2348030000002",
    recipients: 1_000,
    pages: 1,
    price: 3,
    state: "done",
    class: "promotional",
    mode: "live",
    counts: { ...noCounts, delivered: 980, failed: 15, dnd: 5 },
    units: { charged: 2_955, reserved: 0, returned: 30 },
    createdAt: "2026-03-05T10:00:00.000Z",
    ...over,
  };
}

export const draftId = "01900000-0000-7000-8000-0000000000d1";
const unitDetails = {
  received: 2,
  recipients: 2,
  duplicates: 0,
  dnd: 0,
  pages: 1,
  rate: 3,
  charged: 6,
  available: 1228.5,
};
export const sent: FakeAnswer = { body: { message: "Message sent", data: { _id: messageId }, unitDetails } };
export const sentWithDnd: FakeAnswer = {
  status: 503,
  body: { message: "Sent", data: { _id: messageId }, unitDetails: { ...unitDetails, dnd: 1 }, dnd: true },
};
export const scheduled: FakeAnswer = {
  status: 201,
  body: { message: "Message scheduled", data: { _id: messageId }, unitDetails },
};
export const refused = (
  status: number,
  code: string,
  message = "The server's words",
  fields?: Record<string, string>,
): FakeAnswer => ({
  status,
  body: { message, code, ...(fields !== undefined && { fields }) },
});

export const whitelists = { senderNames: ["AdaStores"], addresses: [], isDashboardRestricted: false, requests: [] };

export function draftAnswer(over: Partial<DraftAnswer> = {}): DraftAnswer {
  return {
    _id: draftId,
    userID: userId,
    userName: "ada",
    senderName: "AdaStores",
    message: "Kept for later",
    code: "234",
    phoneNo: "08030000001\n08030000002",
    createdAt: "2026-03-05T10:00:00.000Z",
    updatedAt: "2026-03-05T10:00:00.000Z",
    ...over,
  };
}

/** The day after a month. */
export const dayAhead = new Date(Date.now() + 31 * 86_400_000).toISOString().slice(0, 10);

/** Goes out at 18:00 in Lagos on that day. */
export const scheduledMessage = messageAnswer({
  message: "Happy New Year",
  phoneNo: "2348030000001,2348030000002",
  recipients: 2,
  state: "scheduled",
  counts: { ...noCounts, waiting: 2 },
  units: { charged: 0, reserved: 6, returned: 0 },
  sendAt: `${dayAhead}T17:00:00.000Z`,
  timeZone: "Africa/Lagos",
});

/** A server with one message, one draft and one scheduled message; the test says what else it answers. */
export function messageServer(handlers: Parameters<typeof fakeServer>[0] = {}): FakeRequest[] {
  const small = messageAnswer({ recipients: 2, counts: { ...noCounts, delivered: 1, failed: 1 } });
  return fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/whitelists`]: { body: { message: "Whitelists", data: whitelists } },
    [`GET /api/${userId}/populate-sms-history`]: { body: { data: [small], next: null } },
    [`GET /api/${userId}/${messageId}/view-one-sms`]: { body: { message: "Message", data: small } },
    [`GET /api/${userId}/populate-drafts`]: { body: { data: [draftAnswer()], next: null } },
    [`GET /api/${userId}/${draftId}/view-one-draft`]: { body: { message: "Draft", data: draftAnswer() } },
    [`GET /api/${userId}/populate-scheduled-sms`]: { body: { data: [scheduledMessage], next: null } },
    [`GET /api/${userId}/${messageId}/view-scheduled-sms`]: { body: { message: "Scheduled", data: scheduledMessage } },
    ...handlers,
  });
}
