/** What customers' programs call with an API key. */
import type { programSchemas, getFormSchemas } from "../schemas/program-api.ts";
import type { Calls } from "./call.ts";

/**
 * The API for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. Fields and answers are those of the dashboard's calls.
 */
export const programCalls: Calls<typeof programSchemas> = {
  sendMessage: { method: "POST", url: "/api/v1/messages" },
  listMessages: { method: "GET", url: "/api/v1/messages" },
  viewMessage: { method: "GET", url: "/api/v1/messages/:messageId" },
  listRecipients: { method: "GET", url: "/api/v1/messages/:messageId/recipients" },
  cancelMessage: { method: "POST", url: "/api/v1/messages/:messageId/cancel" },
  listInbox: { method: "GET", url: "/api/v1/inbox" },
  listOptOuts: { method: "GET", url: "/api/v1/opt-outs" },
  addOptOuts: { method: "POST", url: "/api/v1/opt-outs" },
  removeOptOuts: { method: "DELETE", url: "/api/v1/opt-outs" },
  balance: { method: "GET", url: "/api/v1/balance" },
};

/** For programs that can do nothing but ask for an address. `POST /api/v1/messages` with a key is the better way. */
export const getFormCalls: Calls<typeof getFormSchemas> = {
  sendByGetForm: { method: "GET", url: "/api/send-bulk-sms/:email/:password/:message/:senderName/:phoneNo/:code" },
};
