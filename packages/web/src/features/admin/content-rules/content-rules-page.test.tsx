import type { ContentRuleAnswer } from "@ewebal/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const path = "/admin-dashboard/content-rules";
const listCall = "GET /api/view-content-rules";
const addCall = `POST /api/${adminId}/add-content-rule`;
const casino: ContentRuleAnswer = {
  _id: "01900000-0000-7000-8000-0000000000d1",
  pattern: "casino",
  where: "text",
  countries: ["234"],
  networks: ["MTN"],
  action: "refuse",
  note: "Gambling needs a licence",
  isEnabled: true,
  createdAt: new Date().toISOString(),
};
const bank: ContentRuleAnswer = {
  ...casino,
  _id: "01900000-0000-7000-8000-0000000000d2",
  pattern: "GTBANK",
  where: "sender",
  countries: [],
  networks: [],
  action: "review",
  note: "",
};
const editCall = `PATCH /api/${adminId}/${casino._id}/edit-content-rule`;
const removeCall = `DELETE /api/${adminId}/${casino._id}/remove-content-rule`;

function open(handlers: Parameters<typeof signedInServer>[0] = {}): FakeRequest[] {
  const requests = signedInServer({ [listCall]: { body: { data: [casino, bank], next: null } }, ...handlers });
  renderApp(path);
  return requests;
}

test("without rules the page says what to add, and a try meets none", async () => {
  open({ [listCall]: { body: { data: [], next: null } } });
  expect(await screen.findByText("There are no content rules")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Message"), "casino");
  expect(await screen.findByText("No rule is met")).toBeVisible();
});

test("a rule that the server refuses stays in the dialog, at its field", async () => {
  let answer = refusal(400, "VALIDATION", "Check the form", { pattern: "must be a host name such as bit.ly" });
  const requests = open({ [addCall]: () => answer });
  await userEvent.click(await screen.findByRole("button", { name: "Add rule" }));
  const dialog = await screen.findByRole("dialog", { name: "Add a rule" });
  const add = within(dialog).getByRole("button", { name: "Add rule" });
  await userEvent.selectOptions(within(dialog).getByLabelText("Where"), "Link");
  expect(add).toHaveAccessibleDescription("Still needed: host name");
  await userEvent.type(within(dialog).getByLabelText("Host name"), "bitly");
  await userEvent.type(within(dialog).getByLabelText("Country codes"), "+0234");
  expect(add).toHaveAccessibleDescription("Still needed: country codes such as 234");
  await userEvent.clear(within(dialog).getByLabelText("Country codes"));
  await userEvent.type(within(dialog).getByLabelText("Country codes"), "+234 233,,234");
  await userEvent.type(within(dialog).getByLabelText("Networks"), "MTN, Glo ,");
  await userEvent.selectOptions(within(dialog).getByLabelText("Action"), "Warn while it is typed");
  await userEvent.type(within(dialog).getByLabelText("Note"), "MTN often blocks it");
  await userEvent.click(add);
  expect(await within(dialog).findByText("must be a host name such as bit.ly")).toBeVisible();
  answer = { status: 201, body: { message: "The rule is added", data: casino } };
  await userEvent.type(within(dialog).getByLabelText("Host name"), ".com");
  await userEvent.click(add);
  expect(await screen.findByText("The rule is added")).toBeVisible();
  expect(requests.filter(({ call }) => call === addCall).at(-1)?.body).toEqual({
    where: "link",
    action: "warn",
    pattern: "bitly.com",
    countries: ["234", "233"],
    networks: ["MTN", "Glo"],
    note: "MTN often blocks it",
  });
});

test("a rule is changed, switched off after a question, on without one, and deleted", async () => {
  let data = [casino];
  const requests = open({
    [listCall]: () => ({ body: { data, next: null } }),
    [editCall]: ({ body }) => {
      data = [{ ...casino, ...(body as object) }];
      return { body: { message: "The rule is changed", data: data[0] } };
    },
    [removeCall]: () => {
      data = [];
      return { body: { message: "The rule is removed" } };
    },
  });
  const press = async (name: string): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name }));
  const edits = () => requests.filter(({ call }) => call === editCall).map(({ body }) => body);
  await press("Edit the rule casino");
  const dialog = await screen.findByRole("dialog", { name: "Edit the rule" });
  await userEvent.clear(within(dialog).getByLabelText("Note"));
  await userEvent.click(within(dialog).getByRole("button", { name: "Save rule" }));
  await waitFor(() => expect(edits()).toHaveLength(1));
  expect(edits()[0]).toMatchObject({ pattern: "casino", countries: ["234"], networks: ["MTN"], note: "" });
  await press("Switch the rule casino off");
  await press("Nope");
  expect(edits()).toHaveLength(1);
  await press("Switch the rule casino off");
  await press("Proceed");
  expect(await screen.findByText("Refuse (off)")).toBeVisible();
  await press("Switch the rule casino on");
  expect(await screen.findByText("Refuse")).toBeVisible();
  expect(edits().slice(1)).toEqual([{ isEnabled: false }, { isEnabled: true }]);
  await press("Delete the rule casino");
  await press("Nope");
  expect(requests.some(({ call }) => call === removeCall)).toBe(false);
  await press("Delete the rule casino");
  await press("Proceed");
  expect(await screen.findByText("There are no content rules")).toBeVisible();
});

test("a try says what a message would meet, and for whom", async () => {
  open();
  await screen.findByText("casino");
  await userEvent.type(screen.getByLabelText("Sender name"), "GT 8ANK");
  expect(await screen.findByText("The message waits for review")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Message"), "Casino tonight");
  expect(await screen.findByText("The message is refused")).toBeVisible();
  const met = screen.getByRole("list", { name: "Rules that are met" });
  expect(within(met).getAllByRole("listitem")).toHaveLength(2);
  expect(met).toHaveTextContent("Text: casino+234; MTN only");
});
