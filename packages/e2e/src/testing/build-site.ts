/** A site with something to see: a message with every ending, requests in every state. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { findMessage, registerCustomer, send, signIn, type ApiClient } from "./api-client.ts";
import { waitUntil, type Product } from "./product.ts";

export type Site = {
  /** Of a message whose recipients are settled: delivered, failed, and on the do-not-disturb list. */
  messageId: string;
  /** Has got it. */
  phoneNo: string;
  /** Of 120 contacts: few enough for a picture of the whole page. */
  catalogId: string;
  /** The demo customer. */
  userId: string;
  /** Of theirs. */
  draftId: string;
  /** Of a message of theirs that waits for tomorrow. */
  scheduledId: string;
  /** Of a bank deposit of theirs that waits. */
  transferId: string;
};

/** What the simulator makes of the last three stands in its README. */
const phoneNos = [
  "2348030000001",
  "2348030000002",
  "2348050000003",
  "2348030009901",
  "2348030009902",
  "2348030009904",
] as const;

/** Fills the demo customer's account through the interface for programs. */
export async function buildSite(product: Product): Promise<Site> {
  const customer = await signIn(product, product.demo.customer);
  const admin = await signIn(product, product.demo.admin, "admin");
  const { status, body } = await customer.call<{ data: WhitelistRequestAnswer[] }>(
    "POST",
    `/api/${customer.actorId}/source-whitelist`,
    {
      senderName: "AdaStores,AdaFabrics,First Bank",
    },
  );
  assert.equal(status, 201);
  const [approved, declined] = body.data;
  await decide(admin, `${approved?._id}/approve-whitelist-request`);
  await decide(admin, `${declined?._id}/decline-whitelist-request`, { reason: "Please send your registration" });
  const announcement = {
    hint: "New prices from Monday",
    message: "Sending to Ghana costs less.\nThe rates page has the details.",
  };
  const { status: announced } = await admin.call(
    "POST",
    `/api/${admin.actorId}/make-general-announcement`,
    announcement,
  );
  assert.equal(announced, 200);
  await addLongWords(product, customer, admin);
  return {
    messageId: await sendAndSettle(customer),
    phoneNo: phoneNos[0],
    catalogId: await fillCatalog(customer),
    userId: customer.actorId,
    draftId: await keepDraft(customer),
    scheduledId: await scheduleMessage(customer),
    transferId: await reportDeposit(customer, {}),
  };
}

/** One white pixel: a receipt as the server takes it. */
const whitePng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=";

/** @param changed what differs from a deposit of 10,000 naira. @returns the deposit's id. */
async function reportDeposit(customer: ApiClient, changed: Record<string, string>): Promise<string> {
  const form = new FormData();
  const fields = {
    depositorName: "Ada Obi",
    amountDeposited: "10000",
    phoneNo: "8031234567",
    tellerId: "TRF-0001",
    transactionDate: "2026-03-05",
    ...changed,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("bankDeposited", "Ewebal Microfinance Bank");
  form.set("image", new File([Buffer.from(whitePng, "base64")], "receipt.png"));
  const { status, body } = await customer.call<{ data: { _id: string } }>(
    "POST",
    `/api/${customer.actorId}/submit-transfer-details`,
    form,
  );
  assert.equal(status, 201);
  return body.data._id;
}

/**
 * What lists have to bear: the longest names and mails that people have, amounts of millions, one deposit twice, and each state
 * of a deposit and a card payment.
 */
async function addLongWords(product: Product, customer: ApiClient, admin: ApiClient): Promise<void> {
  const guest = await registerCustomer(product, {
    email: "oluwaseun.ogunlesi.stores@gmail.com",
    userName: "Oluwaseun",
    fullName: "Oluwaseun Adebayo-Ogunlesi",
  });
  const long = { depositorName: "Oluwaseun Adebayo-Ogunlesi", amountDeposited: "12345678" };
  const accepted = await reportDeposit(guest, { ...long, amountDeposited: "90000", tellerId: "T31e6fdf6d41" });
  const declined = await reportDeposit(guest, { ...long, tellerId: "T31e6fdf6d42" });
  await reportDeposit(guest, { ...long, tellerId: "T31e6fdf6d42" });
  const decideDeposit = async (transferId: string, decision: string, body: unknown): Promise<void> => {
    const path = `/api/${guest.actorId}/${transferId}/${admin.actorId}/${decision}`;
    const { status } = await admin.call("PATCH", path, body, { "idempotency-key": randomUUID() });
    assert.equal(status, 200);
  };
  await decideDeposit(accepted, "credit-user", { units: 60_000 });
  await decideDeposit(declined, "declined-transaction", { reason: "The bank knows nothing of this transfer" });
  const credit = await admin.call(
    "PATCH",
    `/api/${admin.actorId}/credit-a-user`,
    { email: guest.email, units: 12_345_678 },
    { "idempotency-key": randomUUID() },
  );
  assert.equal(credit.status, 200);
  for (const choice of ["pay", "decline", undefined]) await buyByCard(customer, choice);
  const key = await customer.call("POST", `/api/${customer.actorId}/api-keys`, { name: "Reservations-and-reminders" });
  assert.equal(key.status, 201);
  const catalog = { catalogName: "Ikeja-Abuja-PortHarcourt wholesalers", code: "234", phoneNo: "2348030000001" };
  assert.equal((await customer.call("POST", `/api/${customer.actorId}/insert-to-new-tel`, catalog)).status, 201);
}

/** @param choice on the sandbox's page; without one the payment stays open. */
async function buyByCard(customer: ApiClient, choice: string | undefined): Promise<void> {
  const { status, body } = await customer.call<{ data: { authorization_url: string } }>(
    "POST",
    "/api/paystack-payment",
    { proposedUnits: 12_345 },
  );
  assert.equal(status, 201);
  if (choice === undefined) return;
  const decided = await fetch(body.data.authorization_url, {
    method: "POST",
    headers: { origin: new URL(body.data.authorization_url).origin },
    body: new URLSearchParams({ choice }),
    redirect: "manual",
  });
  assert.equal(decided.status, 303);
}

async function fillCatalog(customer: ApiClient): Promise<string> {
  const contacts = Array.from({ length: 120 }, (_, index) => 2_348_030_100_000 + index);
  const body = { catalogName: "Ikeja customers", code: "234", phoneNo: contacts.join(",") };
  const answer = await customer.call<{ data: { _id: string } }>(
    "POST",
    `/api/${customer.actorId}/insert-to-new-tel`,
    body,
  );
  assert.equal(answer.status, 201);
  return answer.body.data._id;
}

async function decide(admin: ApiClient, path: string, body?: unknown): Promise<void> {
  const { status } = await admin.call("PATCH", `/api/${path}`, body);
  assert.equal(status, 200);
}

/** @returns the draft's id. */
async function keepDraft(customer: ApiClient): Promise<string> {
  const draft = {
    senderName: "DemoShop",
    message: "Your order is ready. Please come before 6 pm.",
    phoneNo: phoneNos.join(","),
    code: "234",
  };
  const { status, body } = await customer.call<{ data: { _id: string } }>(
    "POST",
    `/api/${customer.actorId}/draft-message`,
    draft,
  );
  assert.equal(status, 201);
  return body.data._id;
}

/** @returns the message's id. */
async function scheduleMessage(customer: ApiClient): Promise<string> {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const body = {
    senderName: "DemoShop",
    message: "Good morning! Your appointment is tomorrow at 10 am.",
    phoneNo: phoneNos[0],
    code: "234",
    sendAt,
    timeZone: "Africa/Lagos",
  };
  const answer = await customer.call<{ data: { _id: string } }>("POST", `/api/${customer.actorId}/schedule-sms`, body);
  assert.equal(answer.status, 201);
  return answer.body.data._id;
}

/** Two pages, with characters that make it Unicode. @returns the message's id. */
async function sendAndSettle(customer: ApiClient): Promise<string> {
  const message = `Ẹ káàárọ̀! ${"Our Saturday sale starts at 9 am in Ikeja. ".repeat(5)}`;
  const { status, body } = await send(customer, {
    senderName: "DemoShop",
    message,
    phoneNo: phoneNos.join(","),
    code: "234",
  });
  assert.equal(status, 200);
  const messageId = body.data._id;
  await waitUntil(async () => {
    const counts = (await findMessage(customer, messageId))?.counts;
    return counts?.waiting === 0 && counts.sent === 0;
  }, "the end of the send");
  return messageId;
}
