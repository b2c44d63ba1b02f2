import type { CarrierAnswer, HttpCarrierAnswer, SmppCarrierAnswer } from "@ewebal/contract";
import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";
import { goodShare, stateOf } from "./carrier-words.ts";
import { orderInWords, shareInWords } from "./carriers-page.tsx";

vi.setConfig({ testTimeout: 30_000 });

const listCall = "GET /api/view-carriers";
const carrierId = "01900000-0000-7000-8000-0000000000e1";
const acme: SmppCarrierAnswer = {
  kind: "smpp",
  _id: carrierId,
  name: "Acme Telecom",
  source: "administrators",
  host: "smpp.acme.example",
  port: 2775,
  systemId: "acme",
  systemType: "",
  tls: false,
  binds: 2,
  window: 10,
  messagesPerSecond: 100,
  prefixes: ["234803", "234806"],
  weight: 1,
  priority: 0,
  receiptIds: "asIs",
  longMessages: "udh8",
  dndErrorCodes: [],
  classes: ["promotional", "transactional"],
  reachesDnd: false,
  isEnabled: true,
  isLocked: false,
  health: {
    link: "bound",
    since: new Date(Date.now() - 3_600_000).toISOString(),
    boundBinds: 2,
    heldBinds: 2,
    lastError: null,
    lastErrorAt: null,
    messagesPerSecond: 42,
    inFlight: 7,
    goodCount: 1_990,
    badCount: 10,
  },
};
const { _id: _acmeId, ...withoutId } = acme;
const fixed: SmppCarrierAnswer = { ...withoutId, name: "Fixed", source: "configuration" };
const answer = (...data: CarrierAnswer[]) => ({ body: { message: "Carriers", data } });

test("a card says how a carrier does; those of the configuration cannot be changed", async () => {
  signedInServer({ [listCall]: answer(acme, fixed) });
  renderApp("/admin-dashboard/carriers");
  const card = await screen.findByRole("article", { name: "Acme Telecom" });
  for (const text of ["Connected", "2 of 2", "42 of 100", "99.5% of 2,000", "smpp.acme.example:2775", "234803, 234806"])
    expect(within(card).getByText(text)).toBeVisible();
  const other = screen.getByRole("article", { name: "Fixed" });
  expect(within(other).getByText("From configuration")).toBeVisible();
  expect(within(other).queryByRole("button")).not.toBeInTheDocument();
});

test("priority and weight are said in words, beside the carriers that take the same numbers", () => {
  const [backup, half, abroad, off] = [
    { ...acme, name: "Backup", prefixes: ["234803"], priority: 5 },
    { ...acme, name: "Half", weight: 3 },
    { ...acme, name: "Abroad", prefixes: [] },
    { ...acme, name: "Off", isEnabled: false },
  ];
  const all = [acme, backup, half, abroad, off];
  expect(all.map((carrier) => orderInWords(carrier, all))).toEqual([
    "First choice",
    "After Acme Telecom, Half",
    "First choice",
    "First choice",
    "First choice",
  ]);
  expect([acme, backup, half, abroad].map((carrier) => shareInWords(carrier, all))).toEqual([
    "1 of 4 messages",
    "All messages",
    "3 of 4 messages",
    "All messages",
  ]);
});

test("a lost link is on screen at once, with its reason", async () => {
  let data = [acme];
  signedInServer({ [listCall]: () => answer(...data) });
  renderApp("/admin-dashboard/carriers");
  expect(await screen.findByText("Connected")).toBeVisible();
  data = [
    {
      ...acme,
      health: {
        ...acme.health,
        link: "connecting",
        boundBinds: 0,
        lastError: "Connection lost: closed by the peer",
        lastErrorAt: new Date().toISOString(),
      },
    },
  ];
  act(() => FakeEventSource.opened[0]?.say("change", { topics: ["carriers"] }));
  expect(await screen.findByText("Connecting")).toBeVisible();
  expect(screen.getByText(/Connection lost: closed by the peer/)).toBeVisible();
  expect(screen.getByText("Down since")).toBeVisible();
});

test("a carrier is tested and added", async () => {
  const addCall = `POST /api/${adminId}/add-carrier`;
  const testCall = `POST /api/${adminId}/test-carrier`;
  const requests = signedInServer({
    [listCall]: answer(acme),
    [testCall]: {
      body: { message: "", data: { isBound: false, text: "The password is wrong (ESME_RINVPASWD).", durationMs: 12 } },
    },
    [addCall]: { status: 201, body: { message: "The carrier is added", data: { _id: carrierId } } },
  });
  renderApp("/admin-dashboard/carriers");
  await userEvent.click(await screen.findByRole("button", { name: "Add carrier" }));
  const dialog = await screen.findByRole("dialog", { name: "Add a carrier" });
  const fields = within(dialog);
  expect(fields.getByRole("button", { name: "Add carrier" })).toHaveAccessibleDescription(
    "Still needed: name, host, system id, password",
  );
  await userEvent.type(fields.getByLabelText("Name"), "Beta");
  await userEvent.type(fields.getByLabelText("Host"), "smpp.beta.example");
  expect(fields.getByLabelText("Encryption")).toHaveValue("on");
  await userEvent.clear(fields.getByLabelText("Host"));
  await userEvent.type(fields.getByLabelText("Host"), "127.0.0.1");
  expect(fields.getByLabelText("Encryption")).toHaveValue("off");
  await userEvent.type(fields.getByLabelText("System id"), "beta");
  await userEvent.click(fields.getByRole("button", { name: "Test connection" }));
  expect(requests.some(({ call }) => call === testCall)).toBe(false);
  await userEvent.type(fields.getByLabelText("Password"), "pw");
  await userEvent.click(fields.getByRole("button", { name: "Test connection" }));
  expect(await fields.findByText("The password is wrong (ESME_RINVPASWD).")).toBeVisible();
  await userEvent.type(fields.getByLabelText("Password"), "2");
  expect(fields.queryByText("The password is wrong (ESME_RINVPASWD).")).not.toBeInTheDocument();
  await userEvent.type(fields.getByLabelText("Prefixes"), "234803, 234806");
  await userEvent.click(fields.getByRole("button", { name: "Add carrier" }));
  expect(await screen.findByText("The carrier is added")).toBeVisible();
  expect(requests.find(({ call }) => call === addCall)?.body).toMatchObject({
    name: "Beta",
    port: 2775,
    password: "pw2",
    tls: false,
    prefixes: ["234803", "234806"],
    messagesPerSecond: 100,
  });
});

test("an edit keeps the password, unless the carrier is elsewhere", async () => {
  const editCall = `PATCH /api/${adminId}/${carrierId}/edit-carrier`;
  const requests = signedInServer({
    [listCall]: answer(acme),
    [editCall]: refusal(400, "VALIDATION", "Some fields are missing or incorrect", {
      host: "is no address of a carrier",
    }),
  });
  renderApp("/admin-dashboard/carriers");
  await userEvent.click(await screen.findByRole("button", { name: "Edit Acme Telecom" }));
  const fields = within(await screen.findByRole("dialog", { name: "Edit Acme Telecom" }));
  expect(fields.getByLabelText("Password")).toHaveValue("");
  expect(fields.getByText("Leave empty to keep the stored one.")).toBeVisible();
  await userEvent.type(fields.getByLabelText("Host"), "x");
  expect(fields.getByRole("button", { name: "Save changes" })).toHaveAccessibleDescription("Still needed: password");
  await userEvent.type(fields.getByLabelText("Host"), "{Backspace}");
  await userEvent.click(fields.getByRole("button", { name: "Save changes" }));
  expect(await fields.findByText("is no address of a carrier")).toBeVisible();
  expect(requests.find(({ call }) => call === editCall)?.body).toMatchObject({
    password: "",
    host: "smpp.acme.example",
  });
});

test("switching off and removing the only carrier say what follows", async () => {
  const switchCall = `PATCH /api/${adminId}/${carrierId}/switch-carrier`;
  const removeCall = `DELETE /api/${adminId}/${carrierId}/remove-carrier`;
  const requests = signedInServer({
    [listCall]: answer(acme),
    [switchCall]: { body: { message: "The carrier is off" } },
    [removeCall]: refusal(404, "NOT_FOUND", "Not found"),
  });
  renderApp("/admin-dashboard/carriers");
  await userEvent.click(await screen.findByRole("button", { name: "Switch Acme Telecom off" }));
  expect(await screen.findByText(/Messages will wait until you switch it on again/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("The carrier is off")).toBeVisible();
  expect(requests.find(({ call }) => call === switchCall)?.body).toEqual({ isEnabled: false });
  await userEvent.click(screen.getByRole("button", { name: "Remove Acme Telecom" }));
  expect(await screen.findByText(/If the simulator is on, it takes over/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Unable to remove the carrier")).toBeVisible();
});

test("states and shares in words", () => {
  expect(stateOf({ ...acme, isEnabled: false }).word).toBe("Off");
  expect(stateOf({ ...acme, isLocked: true }).word).toBe("Locked");
  expect(stateOf({ ...acme, health: { ...acme.health, boundBinds: 1 } }).word).toBe("Partly connected");
  expect(stateOf({ ...acme, health: { ...acme.health, link: "idle" } }).word).toBe("No worker");
  expect(goodShare({ ...acme.health, goodCount: 99_999, badCount: 1 })).toBe("99.9% of 100,000");
  expect(goodShare({ ...acme.health, goodCount: 0, badCount: 0 })).toBe("No messages");
});

test("a carrier over HTTP is shown, tested with a message, added by its key alone, and edited without showing what is stored", async () => {
  const addCall = `POST /api/${adminId}/add-carrier`;
  const testCall = `POST /api/${adminId}/test-carrier`;
  const editCall = `PATCH /api/${adminId}/${carrierId}/edit-carrier`;
  const { host, port, systemId, systemType, tls, receiptIds, longMessages, dndErrorCodes, ...facts } = acme;
  expect([host, port, systemId, systemType, tls, receiptIds, longMessages, dndErrorCodes]).toHaveLength(8);
  const overHttp: HttpCarrierAnswer = {
    ...facts,
    kind: "http",
    name: "Infobip",
    preset: "infobip",
    url: "https://abc.api.infobip.com/sms/3/messages",
    method: "POST",
    headerNames: ["Authorization"],
    secretNames: ["apiKey"],
    takesReports: true,
  };
  const accepted = {
    isBound: true,
    text: "The carrier accepted the message (200).",
    durationMs: 90,
    answer: '{"code":"ok"}',
  };
  const requests = signedInServer({
    [listCall]: answer(overHttp),
    [testCall]: { body: { message: "", data: accepted } },
    [addCall]: { status: 201, body: { message: "The carrier is added", data: { _id: carrierId } } },
    [editCall]: { body: { message: "The carrier is changed" } },
  });
  const bodyOf = (wanted: string) => requests.findLast(({ call }) => call === wanted)?.body;
  renderApp("/admin-dashboard/carriers");
  const card = await screen.findByRole("article", { name: "Infobip" });
  for (const text of ["Ready", "https://abc.api.infobip.com/sms/3/messages", "Taken"])
    expect(within(card).getByText(text)).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Add carrier" }));
  const fields = within(await screen.findByRole("dialog", { name: "Add a carrier" }));
  await userEvent.selectOptions(fields.getByLabelText("Protocol"), "http");
  expect(fields.getByRole("button", { name: "Add carrier" })).toHaveAccessibleDescription(
    "Still needed: name, API key",
  );
  await userEvent.selectOptions(fields.getByLabelText("Provider"), "infobip");
  expect(fields.getByRole("button", { name: "Add carrier" })).toHaveAccessibleDescription(
    "Still needed: name, address, API key",
  );
  await userEvent.selectOptions(fields.getByLabelText("Provider"), "termii");
  await userEvent.type(fields.getByLabelText("Name"), "Termii");
  await userEvent.type(fields.getByLabelText("API key"), "key-1");
  // What the account may have, and need not.
  await userEvent.type(fields.getByLabelText("Secret key"), "sign-1");
  await userEvent.click(fields.getByRole("button", { name: "Send a test" }));
  expect(bodyOf(testCall)).toBeUndefined();
  await userEvent.type(fields.getByLabelText("To"), "2348030000001");
  await userEvent.type(fields.getByLabelText("Sender name"), "Ewebal");
  await userEvent.click(fields.getByRole("button", { name: "Send a test" }));
  expect(await fields.findByText(accepted.text)).toBeVisible();
  expect(fields.getByText(accepted.answer)).toBeVisible();
  const address = fields.getByLabelText<HTMLInputElement>("Report address").value;
  const path = address.split("/").at(-1);
  expect(address).toMatch(/\/carrier-reports\/[0-9a-f]{32}$/);
  const link = { kind: "http", preset: "termii", secrets: { apiKey: "key-1", secretKey: "sign-1" }, report: { path } };
  expect(bodyOf(testCall)).toEqual({ ...link, to: "2348030000001", from: "Ewebal", text: "Test of this carrier" });
  await userEvent.click(fields.getByRole("button", { name: "Add carrier" }));
  expect(await screen.findByText("The carrier is added")).toBeVisible();
  expect(bodyOf(addCall)).toMatchObject({ ...link, name: "Termii", window: 10, prefixes: [], classes: acme.classes });

  await userEvent.click(screen.getByRole("button", { name: "Edit Infobip" }));
  const edited = within(await screen.findByRole("dialog", { name: "Edit Infobip" }));
  expect(edited.queryByLabelText("Report address")).not.toBeInTheDocument();
  await userEvent.clear(edited.getByLabelText("Window"));
  await userEvent.type(edited.getByLabelText("Window"), "7");
  await userEvent.click(edited.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText("The carrier is changed")).toBeVisible();
  expect(bodyOf(editCall)).toEqual({
    kind: "http",
    preset: "infobip",
    window: 7,
    messagesPerSecond: 100,
    prefixes: acme.prefixes,
    weight: 1,
    priority: 0,
    classes: acme.classes,
    reachesDnd: false,
  });
});
