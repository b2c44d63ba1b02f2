/** What the API reference says of the calls for programs beside their schemas: refusals, and examples that tests check against the schemas. */
import type { ErrorCode } from "../errors.ts";
import type { programSchemas } from "./program-api.ts";
import type { programListSchemas } from "./program-lists.ts";
import type { verificationSchemas } from "./verifications.ts";
import type { programWebhookSchemas } from "./webhooks.ts";

export type ProgramCallName =
  | keyof typeof programSchemas
  | keyof typeof programListSchemas
  | keyof typeof verificationSchemas
  | keyof typeof programWebhookSchemas;

/** Any call with a key may be refused with these. */
export const commonRefusals = [
  "AUTH_REQUIRED",
  "BLOCKED",
  "SCOPE_MISSING",
  "ADDRESS_NOT_APPROVED",
  "VALIDATION",
  "RATE_LIMITED",
  "UNAVAILABLE",
  "INTERNAL",
] as const satisfies readonly ErrorCode[];

const sending = [
  "CLASS_NOT_ALLOWED",
  "SENDER_NOT_APPROVED",
  "WRONG_COUNTRY_CODE",
  "FIELD_MISSING",
  "LIMIT_REACHED",
  "UNITS_REQUIRED",
  "NO_ROUTE",
  "NOT_SENDABLE",
] as const satisfies readonly ErrorCode[];

type CallDocs = { refusals?: readonly ErrorCode[]; body?: object; answer: object };

const MESSAGE_ID = "01900000-0000-7000-8000-0000000000a1";
const CATALOG_ID = "01900000-0000-7000-8000-0000000000b1";
const TEMPLATE_ID = "01900000-0000-7000-8000-0000000000c1";
const INBOX_ID = "01900000-0000-7000-8000-0000000000d1";
const USER_ID = "01900000-0000-7000-8000-0000000000e1";
const VERIFICATION_ID = "01900000-0000-7000-8000-0000000000f1";
const WEBHOOK_ID = "01900000-0000-7000-8000-0000000000f2";
const EVENT_ID = "01900000-0000-7000-8000-0000000000f3";
const ATTEMPT_ID = "01900000-0000-7000-8000-0000000000f4";
const CREATED_AT = "2026-11-25T09:30:00.000Z";

const unitDetails = {
  received: 1,
  recipients: 1,
  duplicates: 0,
  dnd: 0,
  pages: 1,
  rate: 3,
  charged: 3,
  available: 997,
};
const counts = { waiting: 0, sent: 0, delivered: 1, failed: 0, dnd: 0, unknown: 0, cancelled: 0 };
const message = {
  _id: MESSAGE_ID,
  userID: USER_ID,
  userName: "Ada",
  senderName: "Acme Ltd",
  message: "Your order is on its way",
  code: "234",
  phoneNo: "2348030000001",
  recipients: 1,
  pages: 1,
  price: 3,
  state: "done",
  class: "promotional",
  mode: "live",
  counts,
  units: { charged: 3, reserved: 0, returned: 0 },
  createdAt: CREATED_AT,
  reference: "order 7",
};
const catalog = {
  _id: CATALOG_ID,
  userID: USER_ID,
  catalogName: "Customers",
  code: "234",
  columns: [{ key: "full_name", label: "Full Name" }],
  contacts: ["+2348030000001"],
  count: 1,
  etag: '"1"',
  createdAt: CREATED_AT,
};
const contact = { index: 0, phoneNo: "+2348030000001", fields: { full_name: "Ada Obi" } };
const template = {
  _id: TEMPLATE_ID,
  name: "On its way",
  message: "Your order is on its way",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};
const verification = {
  _id: VERIFICATION_ID,
  to: "2348030000001",
  state: "pending",
  expiresAt: "2026-11-25T09:40:00.000Z",
  triesLeft: 5,
};
const webhook = {
  _id: WEBHOOK_ID,
  url: "https://shop.example/sms-events",
  events: ["recipients.updated", "inbox.received"],
  state: "on",
  createdAt: CREATED_AT,
};
const SECRET = "whsec_dGhlIHNlY3JldCBvZiB0aGlzIGV4YW1wbGUgYWxvbmU=";
const list = (row: object): object => ({ data: [row], next: null });

export const programDocs: Record<ProgramCallName, CallDocs> = {
  sendMessage: {
    refusals: [...sending, "NOT_FOUND", "IDEMPOTENCY_CONFLICT", "BODY_TOO_LARGE"],
    body: {
      senderName: "Acme Ltd",
      message: "Your order is on its way",
      phoneNo: "2348030000001",
      reference: "order 7",
    },
    answer: { message: "Message sent", data: { _id: MESSAGE_ID }, unitDetails },
  },
  listMessages: { answer: list(message) },
  viewMessage: {
    refusals: ["NOT_FOUND"],
    answer: { message: "Message", data: { ...message, clicks: { total: 0, recipients: 0, previews: 0 } } },
  },
  editMessage: {
    refusals: ["NOT_FOUND", "STATE_CONFLICT", ...sending],
    body: { sendAt: "2026-12-24T18:00:00+01:00" },
    answer: { message: "Saved", data: { _id: MESSAGE_ID }, unitDetails },
  },
  listRecipients: {
    refusals: ["NOT_FOUND"],
    answer: list({
      phoneNo: "2348030000001",
      state: "delivered",
      network: "MTN",
      reason: "",
      text: "Your order is on its way",
      pages: 1,
      updatedAt: CREATED_AT,
    }),
  },
  pauseMessage: {
    refusals: ["NOT_FOUND", "STATE_CONFLICT"],
    answer: { message: "Paused. The rest waits until you resume" },
  },
  resumeMessage: { refusals: ["NOT_FOUND", "STATE_CONFLICT"], answer: { message: "Sending resumed" } },
  cancelMessage: {
    refusals: ["NOT_FOUND", "STATE_CONFLICT"],
    answer: { message: "Cancelled. The units of what was not sent are back in your balance" },
  },
  listCatalogs: { answer: list(catalog) },
  createCatalog: {
    refusals: ["STATE_CONFLICT", "IDEMPOTENCY_CONFLICT"],
    body: { catalogName: "Customers", code: "234", columns: [{ label: "Full Name" }] },
    answer: { message: "Catalog created", data: { _id: CATALOG_ID } },
  },
  viewCatalog: { refusals: ["NOT_FOUND"], answer: { message: "Catalog", data: catalog } },
  editCatalog: { refusals: ["NOT_FOUND"], body: { catalogName: "Buyers" }, answer: { message: "Saved" } },
  deleteCatalog: { refusals: ["NOT_FOUND"], answer: { message: "Deleted Successfully" } },
  listContacts: { refusals: ["NOT_FOUND"], answer: { ...list(contact), etag: '"1"' } },
  addContacts: {
    refusals: ["NOT_FOUND", "IDEMPOTENCY_CONFLICT", "BODY_TOO_LARGE"],
    body: { contacts: [{ phoneNo: "2348030000001", fields: { full_name: "Ada Obi" } }] },
    answer: { message: "1 contact added", data: { _id: CATALOG_ID, added: 1, existing: 0, wrong: 0 } },
  },
  editContact: {
    refusals: ["NOT_FOUND"],
    body: { phoneNo: "2348030000001", fields: { full_name: "Ada Obi" } },
    answer: { message: "Saved", data: contact },
  },
  deleteContact: {
    refusals: ["NOT_FOUND"],
    body: { phoneNo: "2348030000001" },
    answer: { message: "Deleted Successfully" },
  },
  listTemplates: { answer: list(template) },
  addTemplate: {
    refusals: ["STATE_CONFLICT"],
    body: { name: "On its way", message: "Your order is on its way" },
    answer: { message: "Template saved", data: template },
  },
  viewTemplate: { refusals: ["NOT_FOUND"], answer: { message: "Template", data: template } },
  editTemplate: {
    refusals: ["NOT_FOUND"],
    body: { message: "Your order comes today" },
    answer: { message: "Template saved", data: { ...template, message: "Your order comes today" } },
  },
  deleteTemplate: { refusals: ["NOT_FOUND"], answer: { message: "Deleted Successfully" } },
  listOptOuts: { answer: list({ phoneNo: "2348030000001", source: "sms", createdAt: CREATED_AT }) },
  addOptOuts: {
    body: { phoneNo: "2348030000001,2348030000002" },
    answer: { message: "2 added to the list", data: { added: 2, existing: 0 } },
  },
  removeOptOuts: {
    body: { phoneNo: "2348030000001" },
    answer: { message: "1 taken off the list", data: { removed: 1 } },
  },
  listInbox: {
    answer: list({
      _id: INBOX_ID,
      from: "2348030000001",
      to: "2347000000001",
      text: "Yes please",
      createdAt: CREATED_AT,
    }),
  },
  replyToInbox: {
    refusals: ["NOT_FOUND", "IDEMPOTENCY_CONFLICT", ...sending],
    body: { message: "Thank you" },
    answer: { message: "Message sent", data: { _id: MESSAGE_ID }, unitDetails },
  },
  balance: { answer: { message: "Balance", data: { units: 997 } } },
  statement: {
    answer: list({
      _id: MESSAGE_ID,
      createdAt: CREATED_AT,
      units: -3,
      balance: 997,
      cause: "message",
      reference: MESSAGE_ID,
      final: true,
    }),
  },
  listSenders: { answer: list({ senderName: "Acme Ltd", state: "approved" }) },
  listRates: { answer: list({ country: "Nigeria", code: "234", rate: 3, transactionalRate: 3 }) },
  startVerification: {
    refusals: [
      "SENDER_NOT_APPROVED",
      "LIMIT_REACHED",
      "UNITS_REQUIRED",
      "NO_ROUTE",
      "NOT_SENDABLE",
      "IDEMPOTENCY_CONFLICT",
    ],
    body: { to: "2348030000001", senderName: "Acme Ltd" },
    answer: { message: "Code sent", data: verification, unitDetails },
  },
  checkVerification: {
    refusals: ["NOT_FOUND", "CODE_WRONG", "CODE_EXPIRED", "ALREADY_DECIDED"],
    body: { code: "482913" },
    answer: { message: "The code is right", data: { _id: VERIFICATION_ID, state: "verified" } },
  },
  listVerifications: { answer: list({ ...verification, createdAt: CREATED_AT }) },
  viewVerification: {
    refusals: ["NOT_FOUND"],
    answer: { message: "Code", data: { ...verification, createdAt: CREATED_AT } },
  },
  listWebhooks: { answer: list(webhook) },
  makeWebhook: {
    body: { url: webhook.url, events: webhook.events },
    answer: { message: "Copy this secret now: it is not shown again", data: { ...webhook, secret: SECRET } },
  },
  editWebhook: {
    refusals: ["NOT_FOUND"],
    body: { state: "off" },
    answer: { message: "The webhook is changed", data: { ...webhook, state: "off" } },
  },
  deleteWebhook: { refusals: ["NOT_FOUND"], answer: { message: "Deleted Successfully" } },
  rotateWebhookSecret: {
    refusals: ["NOT_FOUND"],
    answer: { message: "Copy this secret now: it is not shown again", data: { secret: SECRET } },
  },
  webhookAttempts: {
    refusals: ["NOT_FOUND"],
    answer: list({
      _id: ATTEMPT_ID,
      eventId: EVENT_ID,
      type: "inbox.received",
      at: CREATED_AT,
      status: 204,
      ms: 35,
      answer: "",
      state: "delivered",
    }),
  },
  replayWebhook: {
    refusals: ["NOT_FOUND", "STATE_CONFLICT"],
    body: { failed: true },
    answer: { message: "On the way", data: { queued: 12 } },
  },
};

/** The `data` of an event of each kind. */
export const webhookExamples: Record<string, object> = {
  "message.accepted": { messageId: MESSAGE_ID, reference: "order 7", unitDetails },
  "message.finished": { messageId: MESSAGE_ID, reference: "order 7", counts },
  "recipients.updated": {
    recipients: [
      {
        messageId: MESSAGE_ID,
        phoneNo: "2348030000001",
        state: "delivered",
        network: "MTN",
        reason: "",
        updatedAt: CREATED_AT,
      },
    ],
  },
  "inbox.received": {
    _id: INBOX_ID,
    from: "2348030000001",
    to: "2347000000001",
    text: "Yes please",
    createdAt: CREATED_AT,
  },
  "contact.opted_out": { phoneNo: "2348030000001", source: "sms" },
  "balance.low": { units: 90, below: 100 },
  "sender.decided": { senderName: "Acme Ltd", decision: "approved" },
  "payment.credited": { units: 1_000, cause: "payment" },
};
