import type { DndNumberAnswer } from "@ewebal/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const listCall = "GET /api/view-dnd-numbers";
const addCall = `POST /api/${adminId}/add-dnd-numbers`;
const removeCall = `DELETE /api/${adminId}/remove-dnd-numbers`;
const byAdmin: DndNumberAnswer = { phoneNo: "2348030000001", source: "admin", createdAt: new Date().toISOString() };
const byCarrier: DndNumberAnswer = { ...byAdmin, phoneNo: "2348030000002", source: "Acme Telecom" };
const listOf = (...data: DndNumberAnswer[]) => ({ body: { data, next: null } });

test("pasted numbers are added; what is no number is named at the field", async () => {
  let data: DndNumberAnswer[] = [];
  let answer = refusal(400, "VALIDATION", "Some fields are missing or incorrect", {
    phoneNo: "has entries that are not numbers with a country code: 12",
  });
  const requests = signedInServer({
    [listCall]: () => listOf(...data),
    [addCall]: () => answer,
  });
  renderApp("/admin-dashboard/dnd-numbers");
  const button = await screen.findByRole("button", { name: "Add to the list" });
  expect(button).toHaveAccessibleDescription("Still needed: numbers");
  expect(await screen.findByText("There are no numbers on the list")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Numbers"), "12, 08030000001");
  await userEvent.click(button);
  expect(await screen.findByText("has entries that are not numbers with a country code: 12")).toBeVisible();
  data = [byAdmin];
  answer = { status: 201, body: { message: "1 added to the list", data: { added: 1, existing: 2 } } };
  await userEvent.click(button);
  expect(await screen.findByText("1 added to the list")).toBeVisible();
  expect(screen.getByText("2 were already on the list")).toBeVisible();
  expect(await screen.findByText("+2348030000001")).toBeVisible();
  expect(screen.getByLabelText("Numbers")).toHaveValue("");
  expect(requests.find(({ call }) => call === addCall)?.body).toEqual({ phoneNo: "12,\n08030000001,\n" });
});

test("the field keeps digits and commas, and takes a list that one call can carry", async () => {
  signedInServer({ [listCall]: () => listOf() });
  renderApp("/admin-dashboard/dnd-numbers");
  const field = await screen.findByLabelText("Numbers");
  await userEvent.type(field, "0803x1y2z3-4567;+44 7911 123456");
  expect(field).toHaveValue("08031234567,\n447911123456");
  const paste = (count: number): void => {
    const text = Array.from({ length: count }, (_, index) => `23480${30_000_000 + index}`).join("\n");
    const event = new InputEvent("beforeinput", { data: text, inputType: "insertText", cancelable: true });
    act(() => void field.dispatchEvent(event));
  };
  paste(4_500);
  expect(await screen.findByText("Add at most 3,529 numbers at a time")).toBeVisible();
  paste(3_500);
  expect((field as HTMLTextAreaElement).value.match(/[0-9]+/g)).toHaveLength(3_502);
});

test("the list says where each number came from, and is searched by digits", async () => {
  const requests = signedInServer({
    [listCall]: ({ query }) => (query.includes("search=9") ? listOf() : listOf(byAdmin, byCarrier)),
  });
  renderApp("/admin-dashboard/dnd-numbers");
  expect(await screen.findByText("Reported by Acme Telecom")).toBeVisible();
  expect(screen.getByText("An administrator")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Search by number"), "+9 9");
  await waitFor(() => expect(requests.some(({ query }) => query === "search=99")).toBe(true));
  await waitFor(() => expect(screen.queryByText("+2348030000001")).not.toBeInTheDocument());
});

test("a number is taken off after a question, and a refusal is told", async () => {
  let data = [byAdmin];
  let answer = refusal(500, "INTERNAL", "Something went wrong on our side");
  const requests = signedInServer({
    [listCall]: () => listOf(...data),
    [removeCall]: () => answer,
  });
  renderApp("/admin-dashboard/dnd-numbers");
  await userEvent.click(await screen.findByRole("button", { name: "Remove +2348030000001" }));
  await userEvent.click(await screen.findByRole("button", { name: "Nope" }));
  expect(requests.some(({ call }) => call === removeCall)).toBe(false);
  await userEvent.click(await screen.findByRole("button", { name: "Remove +2348030000001" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Unable to remove the number")).toBeVisible();
  data = [];
  answer = { body: { message: "1 taken off the list", data: { removed: 1 } } };
  await userEvent.click(await screen.findByRole("button", { name: "Remove +2348030000001" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("There are no numbers on the list")).toBeVisible();
});

test("a number is erased everywhere by a dialog that says what that means", async () => {
  const erase = `PATCH /api/${adminId}/erase-number`;
  let answer = refusal(400, "VALIDATION", "Some fields are missing or incorrect", { phoneNo: "takes one number" });
  const requests = signedInServer({ [listCall]: () => listOf(), [erase]: () => answer });
  renderApp("/admin-dashboard/dnd-numbers");
  await userEvent.click(await screen.findByRole("button", { name: "Erase a number" }));
  const dialog = await screen.findByRole("dialog", { name: "Erase a number" });
  await userEvent.type(within(dialog).getByLabelText("Number"), "08030000001");
  await userEvent.click(within(dialog).getByRole("button", { name: "Erase the number" }));
  expect(await within(dialog).findByText("takes one number")).toBeVisible();
  answer = { body: { message: "The number is being erased" } };
  await userEvent.click(within(dialog).getByRole("button", { name: "Erase the number" }));
  expect(await screen.findByText("The number is being erased")).toBeVisible();
  expect(requests.findLast(({ call }) => call === erase)?.body).toEqual({ phoneNo: "08030000001" });
});
