import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";

const sessions = { body: { data: [], next: null } };

beforeEach(() => {
  startUserSession(userId);
  fakeServer({ [`GET /api/${userId}/view-one-user`]: { body: userAnswer }, [`GET /api/${userId}/sessions`]: sessions });
});

test("a question mark shows the keys, but not while one types", async () => {
  renderApp("/user-dashboard/update-tel");
  await userEvent.type(await screen.findByLabelText("User Name"), "?");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Keyboard" })).toBeVisible();
});

test("the keys, asked for in the palette, give the focus back to what had it before the palette", async () => {
  renderApp("/user-dashboard/update-tel");
  const field = await screen.findByLabelText("User Name");
  field.focus();
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.type(await screen.findByLabelText("Go to a page", { selector: "input" }), "shortcuts{Enter}");
  await screen.findByRole("dialog", { name: "Keyboard" });
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(field).toHaveFocus();
});

test("Ctrl+K finds a page by a part of its name and goes there", async () => {
  const { pathname } = renderApp("/user-dashboard/update-tel");
  await screen.findByLabelText("User Name");
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.type(await screen.findByLabelText("Go to a page", { selector: "input" }), "summ{Enter}");
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/profile-info"));
});

test("a slash goes anywhere when the page has no list to search", async () => {
  renderApp("/user-dashboard/update-tel");
  await screen.findByLabelText("User Name");
  await userEvent.keyboard("/");
  expect(await screen.findByLabelText("Go to a page", { selector: "input" })).toHaveFocus();
});
