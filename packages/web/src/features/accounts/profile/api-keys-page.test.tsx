import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const viewUser = { [`GET /api/${userId}/view-one-user`]: { body: userAnswer } };
const list = `GET /api/${userId}/api-keys`;
const create = `POST /api/${userId}/api-keys`;
const till = {
  _id: "01900000-0000-7000-8000-0000000000c1",
  name: "Till",
  kind: "api",
  mode: "live",
  scopes: ["messages:send"],
  addresses: [],
  createdAt: "2026-01-02T10:00:00.000Z",
  expiresAt: null,
};
const edit = `PATCH /api/${userId}/${till._id}/edit-api-key`;
const revoke = `DELETE /api/${userId}/${till._id}/revoke-api-key`;

beforeEach(() => startUserSession(userId));

test("a refusal stays in the dialog in the server's words", async () => {
  const refusal = {
    status: 402,
    body: { message: "You have 100 keys already. Revoke one first", code: "LIMIT_REACHED" },
  };
  fakeServer({ ...viewUser, [list]: { body: { data: [], next: null } }, [create]: refusal });
  renderApp("/user-dashboard/api-keys");
  await userEvent.click(await screen.findByRole("button", { name: "Create your first key" }));
  expect(await screen.findByRole("button", { name: "Create key" })).toHaveAccessibleDescription("Still needed: name");
  await userEvent.type(screen.getByLabelText("Name"), "Till");
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("You have 100 keys already. Revoke one first");
});

test("the key is shown once and gone when the dialog closes", async () => {
  const requests = fakeServer({
    ...viewUser,
    [list]: { body: { data: [till], next: null } },
    [create]: {
      status: 201,
      body: { message: "Copy this key now", data: { ...till, mode: "test", key: "ewebal_secret" } },
    },
  });
  renderApp("/user-dashboard/api-keys");
  await userEvent.click(await screen.findByRole("button", { name: "New key" }));
  await userEvent.type(await screen.findByLabelText("Last day (optional)"), "2099-12-31");
  await userEvent.selectOptions(screen.getByLabelText("Mode"), "test");
  await userEvent.click(screen.getByLabelText("Inbox"));
  await userEvent.type(screen.getByLabelText("Addresses (optional)"), "203.0.113.7, 198.51.100.0/24");
  await userEvent.type(await screen.findByLabelText("Name"), " Till {Enter}");
  expect(await screen.findByText("ewebal_secret")).toBeVisible();
  expect(requests.find(({ call }) => call === create)?.body).toEqual({
    name: " Till ",
    kind: "api",
    mode: "test",
    scopes: ["messages:send", "messages:read", "contacts", "billing:read", "webhooks"],
    addresses: ["203.0.113.7", "198.51.100.0/24"],
    expiresAt: "2099-12-31T23:59:59+01:00",
  });
  await userEvent.click(screen.getByRole("button", { name: "I have saved it" }));
  await waitFor(() => expect(screen.queryByText("ewebal_secret")).not.toBeInTheDocument());
  expect(localStorage.length + sessionStorage.length).toBe(1);
});

test("a key for SMPP asks for binds and pace; a wrong number is shown at its field", async () => {
  const requests = fakeServer({
    ...viewUser,
    [list]: { body: { data: [{ ...till, kind: "smpp", systemId: "ew23", binds: 4, perSecond: 1_500 }], next: null } },
    [create]: {
      status: 400,
      body: { message: "Some fields are wrong", code: "VALIDATION", fields: { binds: "is at most 20" } },
    },
  });
  renderApp("/user-dashboard/api-keys");
  expect(await screen.findByText("4 binds, 1,500 a second")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "New key" }));
  await userEvent.type(await screen.findByLabelText("Name"), "Till");
  expect(screen.queryByLabelText("Connections at once")).not.toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText("For"), "smpp");
  const binds = screen.getByLabelText("Connections at once");
  expect(binds).toHaveValue("2");
  await userEvent.clear(binds);
  await userEvent.type(binds, "3x0");
  await userEvent.clear(screen.getByLabelText("Messages a second"));
  await userEvent.click(screen.getByRole("button", { name: "Create key" }));
  await waitFor(() => expect(binds).toHaveAccessibleDescription(expect.stringContaining("is at most 20")));
  expect(requests.find(({ call }) => call === create)?.body).toEqual({
    name: "Till",
    kind: "smpp",
    mode: "live",
    binds: 30,
  });
});

test("editing changes what is changed, leaves a passed end alone, and shows a wrong address at its field", async () => {
  const key = { ...till, addresses: ["203.0.113.7"], expiresAt: "2026-01-03T22:59:59.000Z" };
  const answer = { status: 200, body: { message: "The key is changed", data: key } as object };
  const requests = fakeServer({ ...viewUser, [list]: { body: { data: [key], next: null } }, [edit]: () => answer });
  const bodies = (): unknown[] => requests.filter(({ call }) => call === edit).map(({ body }) => body);
  const open = async (): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name: "Edit Till" }));
  renderApp("/user-dashboard/api-keys");
  await open();
  const name = await screen.findByLabelText("Name");
  expect(name).toHaveValue("Till");
  expect(screen.getByLabelText("Last day (optional)")).toHaveValue("2026-01-03");
  expect(screen.queryByLabelText("Mode")).not.toBeInTheDocument();
  await userEvent.type(name, " two");
  await userEvent.click(screen.getByLabelText("Inbox"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The key is changed")).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(bodies()).toEqual([{ name: "Till two", scopes: ["messages:send", "inbox"] }]);

  await open();
  answer.status = 400;
  answer.body = { message: "Some fields are wrong", code: "VALIDATION", fields: { "addresses.0": "is no address" } };
  const addresses = await screen.findByLabelText("Addresses (optional)");
  await userEvent.clear(addresses);
  await userEvent.type(addresses, "10.0.0");
  await userEvent.clear(screen.getByLabelText("Last day (optional)"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(addresses).toHaveAccessibleDescription(expect.stringContaining("neither an IP address")));
  expect(bodies()[1]).toEqual({ name: "Till", scopes: ["messages:send"], expiresAt: null, addresses: ["10.0.0"] });
});

test("revoking asks first, and Nope keeps the key", async () => {
  const requests = fakeServer({
    ...viewUser,
    [list]: { body: { data: [till], next: null } },
    [revoke]: { body: { message: "The key is revoked" } },
  });
  renderApp("/user-dashboard/api-keys");
  const press = async (answer: string): Promise<void> => {
    await userEvent.click(await screen.findByRole("button", { name: "Revoke Till" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: answer }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  };
  await press("Nope");
  expect(requests.map(({ call }) => call)).not.toContain(revoke);
  await press("Proceed");
  expect(await screen.findByText("The key is revoked")).toBeVisible();
});

test("the first five minutes begin with a test key, and show what is done", async () => {
  fakeServer({ ...viewUser, [list]: { body: { data: [], next: null } } });
  const { unmount } = renderApp("/user-dashboard/api-keys");
  const steps = async (): Promise<(string | null)[]> => {
    const heading = await screen.findByRole("heading", { name: "Your first five minutes" });
    const panel = heading.closest("section") as HTMLElement;
    return within(panel)
      .getAllByRole("heading", { level: 3 })
      .map(({ textContent }) => textContent);
  };
  const names = [
    "Make a test key",
    "Send a message",
    "See it in your history",
    "Hear what becomes of it",
    "Try what can go wrong",
    "Go live",
  ];
  expect(await steps()).toEqual(names);
  expect(screen.getByRole("link", { name: "Test messages" })).toHaveAttribute(
    "href",
    expect.stringContaining("mode=test"),
  );
  unmount();
  const tested = { ...till, mode: "test", lastUsedAt: "2026-01-02T10:05:00.000Z" };
  fakeServer({ ...viewUser, [list]: { body: { data: [tested], next: null } } });
  renderApp("/user-dashboard/api-keys");
  expect(await steps()).toEqual(names.map((name, index) => (index < 2 ? `${name} (done)` : name)));
});
