/**
 * What is known of three providers' interfaces, so that an operator names the preset and the account's key alone. Each was written from what the
 * provider publishes, read in November 2026:
 *
 * termii          https://developers.termii.com/messaging-api, https://developers.termii.com/events-and-reports
 * africastalking  https://docs.africastalking.com/sms/sending, https://docs.africastalking.com/sms/deliveryreports
 * infobip         https://www.infobip.com/docs/developer-resources/quickstart (SMS API v3) and
 *                 https://www.infobip.com/docs/developer-resources/api-fundamentals/message-status-codes
 *
 * All three bring messages from phones to an address of ours, which may be that of the reports: https://developer.termii.com/docs/incoming,
 * https://developers.africastalking.com/docs/sms/notifications, https://www.infobip.com/docs/api/channels/sms/inbound-sms/receive-inbound-sms-messages.
 *
 * Termii signs its reports with the account's secret key: they are checked once it is in `secrets.secretKey`. The other two publish no signature of
 * reports over SMS, so the secret in the address says that they are theirs.
 *
 * Termii has one channel for promotional messages (`generic`) and one that reaches do-not-disturb numbers (`dnd`): set `secrets.channel`. Infobip
 * gives each account an address of its own, so the preset has none.
 */
import type { HttpCarrierFields, HttpPresetName } from "../../schemas/admin/http-carriers.ts";

type Filled = "method" | "headers" | "body" | "success" | "idPath" | "errors" | "report" | "secrets";
export type HttpPreset = { [Part in Filled]: NonNullable<HttpCarrierFields[Part]> } & {
  label: string;
  /** Of the provider; undefined where each account has its own. */
  origin: string | undefined;
  path: string;
  /** Named by the templates, and the account's own. */
  asks: readonly { name: string; label: string; isOptional?: true; help?: string }[];
};

const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json" };
const RECIPIENT = "SMSMessageData.Recipients.0";

export const httpPresets: Readonly<Record<HttpPresetName, HttpPreset>> = {
  termii: {
    label: "Termii",
    origin: "https://api.ng.termii.com",
    path: "/api/sms/send",
    asks: [
      { name: "apiKey", label: "API key" },
      {
        name: "secretKey",
        label: "Secret key",
        isOptional: true,
        help: "Optional. With it we check the signature of every delivery report.",
      },
    ],
    method: "POST",
    headers: JSON_HEADERS,
    secrets: { channel: "generic" },
    body: `{"api_key":"{{apiKey}}","to":"{{to}}","from":"{{from}}","sms":"{{text}}","type":"plain","channel":"{{channel}}"}`,
    success: { status: 200, path: "code", equals: "ok" },
    idPath: "message_id",
    errors: [
      { match: 429, meaning: "throttled" },
      { match: "insufficient balance", meaning: "retry" },
    ],
    report: {
      // The account's secret key, which is another than the API key. Without it reports are known by their address alone.
      signature: { header: "X-Termii-Signature", algorithm: "sha512", secret: "secretKey" },
      idPath: "message_id",
      statePath: "status",
      toPath: "receiver",
      fromPath: "sender",
      inbound: {
        fromPath: "sender",
        toPath: "receiver",
        textPath: "message",
        when: { path: "type", equals: "inbound" },
      },
      states: {
        "Message Sent": "sent",
        Sent: "sent",
        Delivered: "delivered",
        "Message delivered to handset": "delivered",
        "DELIVERED | Message delivered to handset": "delivered",
        "Message Failed": "failed",
        Failed: "failed",
        Rejected: "failed",
        Expired: "failed",
        "DND Active on Phone Number": "dnd",
      },
    },
  },
  africastalking: {
    label: "Africa's Talking",
    origin: "https://api.africastalking.com",
    path: "/version1/messaging",
    asks: [
      { name: "username", label: "User name" },
      { name: "apiKey", label: "API key" },
    ],
    method: "POST",
    headers: { apiKey: "{{apiKey}}", "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
    secrets: {},
    body: "username={{username}}&to=%2B{{to}}&from={{from}}&message={{text}}&bulkSMSMode=1",
    // Processed, sent, queued.
    success: { status: [200, 201], path: `${RECIPIENT}.statusCode`, equals: [100, 101, 102] },
    idPath: `${RECIPIENT}.messageId`,
    errors: [
      { match: 429, meaning: "throttled" },
      { match: "InsufficientBalance", meaning: "retry" },
      // Internal server error, gateway error: the provider says so of this recipient, it did not send.
      { match: { path: `${RECIPIENT}.statusCode`, equals: [500, 501] }, meaning: "retry" },
    ],
    report: {
      idPath: "id",
      // The reason says more than the state, where it is one that we tell apart.
      statePath: ["failureReason", "status"],
      toPath: "phoneNumber",
      errorPath: "failureReason",
      inbound: { fromPath: "from", toPath: "to", textPath: "text" },
      states: {
        DoNotDisturbRejection: "dnd",
        Sent: "sent",
        Submitted: "sent",
        Buffered: "sent",
        Success: "delivered",
        Rejected: "failed",
        Failed: "failed",
        AbsentSubscriber: "failed",
        Expired: "failed",
      },
    },
  },
  infobip: {
    label: "Infobip",
    origin: undefined,
    path: "/sms/3/messages",
    asks: [{ name: "apiKey", label: "API key" }],
    method: "POST",
    headers: { Authorization: "App {{apiKey}}", ...JSON_HEADERS },
    secrets: {},
    body: `{"messages":[{"sender":"{{from}}","destinations":[{"to":"{{to}}","messageId":"{{id}}"}],"content":{"text":"{{text}}"}}]}`,
    success: { status: 200, path: "messages.0.status.groupName", equals: ["PENDING", "ACCEPTED", "DELIVERED"] },
    idPath: "messages.0.messageId",
    errors: [
      { match: 429, meaning: "throttled" },
      { match: "REJECTED_NOT_ENOUGH_CREDITS", meaning: "retry" },
    ],
    report: {
      idPath: "results.*.messageId",
      // In this state the operator has the message, not the phone, although the state's group says DELIVERED.
      statePath: ["results.*.status.name", "results.*.status.groupName"],
      toPath: "results.*.to",
      errorPath: "results.*.error.name",
      inbound: { fromPath: "results.*.from", toPath: "results.*.to", textPath: "results.*.text" },
      states: {
        DELIVERED_TO_OPERATOR: "sent",
        PENDING: "sent",
        ACCEPTED: "sent",
        DELIVERED: "delivered",
        UNDELIVERABLE: "failed",
        EXPIRED: "failed",
        REJECTED: "failed",
      },
    },
  },
};
