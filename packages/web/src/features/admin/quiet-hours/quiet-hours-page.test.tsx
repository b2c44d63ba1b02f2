import type { QuietHoursAnswer } from "@ewebal/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminAnswer, adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const path = "/admin-dashboard/quiet-hours";
const listCall = "GET /api/view-quiet-hours";
const deferredCall = "GET /api/view-deferred";
const auditCall = "GET /api/view-audit-entries";
const setCall = `POST /api/${adminId}/set-quiet-hours`;
const nigeria: QuietHoursAnswer = {
  _id: "01900000-0000-7000-8000-0000000000d1",
  code: "234",
  timeZone: "Africa/Lagos",
  opensAt: "08:00",
  closesAt: "20:00",
};
const removeCall = `DELETE /api/${adminId}/${nigeria._id}/remove-quiet-hours`;
const change = {
  _id: "01900000-0000-7000-8000-0000000000d2",
  adminID: adminId,
  adminName: "Bola",
  adminEmail: "bola@ewebal.com",
  action: "set-quiet-hours",
  subjectID: nigeria._id,
  address: "127.0.0.1",
  createdAt: new Date().toISOString(),
};
const waiting = [{ code: "234", messages: 3, recipients: 4_200, until: "2026-11-24T07:00:00.000Z" }];
const deferred = (isOn: boolean, codes: object[] = []) => ({
  body: { message: "Deferred", data: { isOn, codes } },
});

function open(handlers: Parameters<typeof signedInServer>[0] = {}): FakeRequest[] {
  const requests = signedInServer({
    [listCall]: { body: { data: [nigeria], next: null } },
    [deferredCall]: deferred(true, waiting),
    [auditCall]: { body: { data: [change], next: null } },
    ...handlers,
  });
  renderApp(path);
  return requests;
}

test("without hours the page says that messages leave at any time", async () => {
  open({ [listCall]: { body: { data: [], next: null } }, [deferredCall]: deferred(true) });
  expect(await screen.findByText("No country has quiet hours")).toBeVisible();
  expect(screen.queryByText("No hours hold now")).not.toBeInTheDocument();
});

test("where the installation keeps no hours the page does not say that any are closed", async () => {
  open({ [deferredCall]: deferred(false) });
  expect(await screen.findByText("No hours hold now")).toBeVisible();
  expect(screen.queryByText(/^(Open|Closed) until/)).not.toBeInTheDocument();
});

test("a role that does not read the audit asks for none of it", async () => {
  const requests = open({
    [`GET /api/${adminId}/view-one-admin`]: {
      body: { ...adminAnswer, data: { ...adminAnswer.data, role: "support" } },
    },
  });
  expect(await screen.findByText("08:00 to 20:00")).toBeVisible();
  await screen.findByText("Ops Example");
  expect(requests.some(({ call }) => call.startsWith(auditCall))).toBe(false);
});

test("a country shows its hours, what waits for them, and who changed them", async () => {
  open();
  expect(await screen.findByText("08:00 to 20:00")).toBeVisible();
  expect(await screen.findByText(/^(Open|Closed) until/)).toBeVisible();
  expect(screen.getByText("3 messages")).toBeVisible();
  expect(screen.getByText("4,200 recipients")).toBeVisible();
  expect(await screen.findByText("Bola")).toBeVisible();
});

test("hours are changed; equal times and a refusal stay in the dialog", async () => {
  let answer = refusal(400, "VALIDATION", "Check the form", { closesAt: "must be another time than opensAt" });
  const requests = open({ [setCall]: () => answer });
  await userEvent.click(await screen.findByRole("button", { name: "Edit the hours of Nigeria (+234)" }));
  const dialog = await screen.findByRole("dialog", { name: "Quiet hours of Nigeria (+234)" });
  const until = within(dialog).getByLabelText("Until");
  const save = within(dialog).getByRole("button", { name: "Save hours" });
  await userEvent.clear(until);
  await userEvent.type(until, "08:00");
  expect(save).toHaveAccessibleDescription("Still needed: two different times");
  await userEvent.clear(until);
  await userEvent.type(until, "06:30");
  expect(within(dialog).getByText("On the next day")).toBeVisible();
  await userEvent.click(save);
  expect(await within(dialog).findByText("must be another time than opensAt")).toBeVisible();
  answer = { body: { message: "The quiet hours are changed", data: { ...nigeria, closesAt: "06:30" } } };
  await userEvent.click(save);
  expect(await screen.findByText("The quiet hours are changed")).toBeVisible();
  expect(requests.filter(({ call }) => call === setCall).at(-1)?.body).toEqual({
    code: "234",
    timeZone: "Africa/Lagos",
    opensAt: "08:00",
    closesAt: "06:30",
  });
});

test("setting a country again says that it replaces the hours", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Set hours" }));
  const dialog = await screen.findByRole("dialog", { name: "Set quiet hours" });
  expect(await within(dialog).findByText(/has hours already/)).toBeVisible();
});

test("hours are removed after a question", async () => {
  let data = [nigeria];
  const requests = open({
    [listCall]: () => ({ body: { data, next: null } }),
    [removeCall]: () => {
      data = [];
      return { body: { message: "Messages to this code may leave at any time" } };
    },
  });
  const button = await screen.findByRole("button", { name: "Remove the hours of Nigeria (+234)" });
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole("button", { name: "Nope" }));
  expect(requests.some(({ call }) => call === removeCall)).toBe(false);
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  await waitFor(() => expect(screen.getByText("No country has quiet hours")).toBeVisible());
});
