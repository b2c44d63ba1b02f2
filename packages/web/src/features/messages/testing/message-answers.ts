import type { MessageAnswer, MessageCounts } from "@ewebal/contract";
import { userId } from "../../../testing/fake-server.ts";

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
    counts: { ...noCounts, delivered: 980, failed: 15, dnd: 5 },
    createdAt: "2026-03-05T10:00:00.000Z",
    ...over,
  };
}
