import type { ConversationAnswer, InboundAnswer, InboundNumberAnswer, InboxReplyAnswer } from "@ewebal/contract";
import type { Conversation, InboundNumber, InboxMessage, InboxReply } from "./list-inbox.ts";

export function presentInbox(message: InboxMessage): InboundAnswer {
  const { inboundId: _id, fromAddress: from, toAddress: to, body: text, keyword, messageId } = message;
  return {
    _id,
    from,
    to,
    text,
    ...(keyword !== null && { keyword }),
    ...(messageId !== null && { messageId }),
    createdAt: message.receivedAt.toISOString(),
  };
}

export function presentConversation({ messageCount: messages, ...message }: Conversation): ConversationAnswer {
  const { fromAddress: from, toAddress: to, body: text } = message;
  return { from, to, text, messages, createdAt: message.receivedAt.toISOString() };
}

export function presentReply(reply: InboxReply): InboxReplyAnswer {
  const { messageId: _id, inboundId: inboxId, number: from, personAddress: to, body: text, state } = reply;
  return { _id, inboxId, from, to, text, state, createdAt: reply.createdAt.toISOString() };
}

export function presentNumber({
  numberId: _id,
  number,
  keyword,
  userId: userID,
  ...row
}: InboundNumber): InboundNumberAnswer {
  const { userName, createdAt } = row;
  return { _id, number, ...(keyword !== "" && { keyword }), userID, userName, createdAt: createdAt.toISOString() };
}
