import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";

const here = {
  _id: "01900000-0000-7000-8000-0000000000b1",
  device: "Chrome on Android",
  address: "203.0.113.9",
  isCurrent: true,
  createdAt: "2026-01-02T10:00:00.000Z",
  lastActiveAt: "2026-01-02T11:00:00.000Z",
};
const there = { ...here, _id: "01900000-0000-7000-8000-0000000000b2", device: "Firefox on Windows", isCurrent: false };
const list = `GET /api/${userId}/sessions`;
const viewUser = `GET /api/${userId}/view-one-user`;
const endOthers = `POST /api/${userId}/end-other-sessions`;

beforeEach(() => startUserSession(userId));

test("this device cannot be ended here, another one can", async () => {
  const end = `DELETE /api/${userId}/${there._id}/end-session`;
  let rows = [there, here];
  const requests = fakeServer({
    [viewUser]: { body: userAnswer },
    [list]: () => ({ body: { data: rows, next: null } }),
    [end]: () => {
      rows = [here];
      return { body: { message: "Signed out there" } };
    },
  });
  renderApp("/user-dashboard/profile-info");
  expect(await screen.findByText("Firefox on Windows")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Sign out: Chrome on Android" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Sign out: Firefox on Windows" }));
  await waitFor(() => expect(screen.queryByText("Firefox on Windows")).not.toBeInTheDocument());
  expect(requests.map(({ call }) => call)).toContain(end);
  expect(screen.queryByRole("button", { name: "Sign out everywhere else" })).not.toBeInTheDocument();
});

test("everywhere else asks first; Nope ends nothing", async () => {
  const requests = fakeServer({
    [viewUser]: { body: userAnswer },
    [list]: { body: { data: [there, here], next: null } },
    [endOthers]: { body: { message: "Signed out everywhere else", data: { ended: 1 } } },
  });
  renderApp("/user-dashboard/profile-info");
  const press = async (answer: string): Promise<void> => {
    await userEvent.click(await screen.findByRole("button", { name: "Sign out everywhere else" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: answer }));
  };
  await press("Nope");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(requests.map(({ call }) => call)).not.toContain(endOthers);
  await press("Proceed");
  expect(await screen.findByText("Signed out everywhere else")).toBeVisible();
  expect(requests.map(({ call }) => call)).toContain(endOthers);
});
