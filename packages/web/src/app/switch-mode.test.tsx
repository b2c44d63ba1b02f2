import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { getSession, startAdminSession, startUserSession } from "../lib/session/session.ts";
import { fakeServer, tokenFor, userAnswer, userId } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";

const adminId = "01900000-0000-7000-8000-00000000000a";
const admin = {
  _id: adminId,
  adminName: "ops",
  adminFullName: "Ops Example",
  email: "ada@ewebal.com",
  contact: "8000000002",
  role: "admin",
  createdAt: "2026-01-01T10:00:00.000Z",
  updatedAt: "2026-01-01T10:00:00.000Z",
};
const sessions = { body: { data: [], next: null } };
const reads = {
  [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data: { ...userAnswer.data, role: "admin" } } },
  [`GET /api/${userId}/sessions`]: sessions,
  [`GET /api/${adminId}/sessions`]: sessions,
  [`GET /api/${adminId}/passkeys`]: sessions,
  [`GET /api/${adminId}/view-one-admin`]: { body: { message: "Administrator", data: admin } },
  "GET /api/view-waiting-counts": {
    body: {
      message: "Waiting",
      data: { deposits: 0, requests: 0, approvals: 0, disputes: 0, held: 0, reviews: 0, alarms: 0 },
    },
  },
  [`GET /api/${adminId}/two-factor`]: {
    body: { message: "Two-factor sign-in", data: { isOn: false, recoveryCodesLeft: 0 } },
  },
};
const toAdmin = `POST /api/${userId}/switch-to-admin`;
const toUser = `POST /api/${adminId}/switch-to-user`;

test("a customer who is nobody else has no switch", async () => {
  startUserSession(userId);
  fakeServer({ ...reads, [`GET /api/${userId}/view-one-user`]: { body: userAnswer } });
  renderApp("/user-dashboard/profile-info");
  await screen.findByRole("heading", { name: "Personal Summary" });
  expect(screen.queryByRole("button", { name: "Switch Mode" })).not.toBeInTheDocument();
});

test("a refusal says why and stays", async () => {
  startUserSession(userId);
  fakeServer({
    ...reads,
    [toAdmin]: { status: 403, body: { message: "You don't have access to this", code: "FORBIDDEN" } },
  });
  const { pathname } = renderApp("/user-dashboard/profile-info");
  const button = await screen.findByRole("button", { name: "Switch Mode" });
  expect(button).toHaveAccessibleDescription("to the admin side");
  await userEvent.click(button);
  expect(await screen.findByText("You don't have access to this")).toBeVisible();
  expect(pathname()).toBe("/user-dashboard/profile-info");
});

test("switching leads to the other dashboard and says so, both ways", async () => {
  startUserSession(userId);
  fakeServer({
    ...reads,
    [toAdmin]: { status: 201, body: { message: "Successfully switched to admin mode", data: tokenFor(adminId) } },
    [toUser]: { status: 201, body: { message: "Successfully switched to user mode", data: tokenFor(userId) } },
  });
  const { pathname } = renderApp("/user-dashboard/profile-info");
  await userEvent.click(await screen.findByRole("button", { name: "Switch Mode" }));
  expect(await screen.findByText("Successfully switched to admin mode")).toBeVisible();
  await waitFor(() => expect(pathname()).toBe("/admin-dashboard"));
  expect(getSession()).toEqual({ userId: null, adminId });
});

test("who signed in as a customer gives the administrator's own password", async () => {
  startUserSession(userId);
  const requests = fakeServer({
    ...reads,
    [toAdmin]: (request: { body: unknown }) => {
      const password = (request.body as { password?: string } | undefined)?.password;
      if (password === undefined)
        return { status: 401, body: { message: "Enter the password", code: "PASSWORD_REQUIRED" } };
      if (password !== "right one")
        return { status: 400, body: { message: "The password is incorrect", code: "PASSWORD_WRONG" } };
      return { status: 201, body: { message: "Successfully switched to admin mode", data: tokenFor(adminId) } };
    },
  });
  const { pathname } = renderApp("/user-dashboard/profile-info");
  await userEvent.click(await screen.findByRole("button", { name: "Switch Mode" }));
  const dialog = await screen.findByRole("dialog", { name: "Switch to the admin dashboard" });
  await userEvent.type(await within(dialog).findByLabelText("Administrator password"), "wrong one");
  await userEvent.click(within(dialog).getByRole("button", { name: "Switch" }));
  expect(await screen.findByText("The password is incorrect")).toBeVisible();
  await userEvent.clear(within(dialog).getByLabelText("Administrator password"));
  await userEvent.type(within(dialog).getByLabelText("Administrator password"), "right one");
  await userEvent.click(within(dialog).getByRole("button", { name: "Switch" }));
  await waitFor(() => expect(pathname()).toBe("/admin-dashboard"));
  expect(requests.filter(({ call }) => call === toAdmin).map(({ body }) => body)).toEqual([
    undefined,
    { password: "wrong one" },
    { password: "right one" },
  ]);
});

test("the administrator's own page saves the four fields and shows the role in upper case", async () => {
  startAdminSession(adminId);
  const update = `PATCH /api/${adminId}/update-admin-profile`;
  let isLost = true;
  const requests = fakeServer({
    ...reads,
    [update]: () =>
      isLost
        ? { status: 500, body: { message: "Something went wrong", code: "INTERNAL" } }
        : { body: { message: "Your profile is updated", data: { ...admin, adminName: "chief" } } },
  });
  renderApp("/admin-dashboard/admin-profile-summary");
  expect(await screen.findByText("ADMIN")).toBeVisible();
  const name = screen.getByLabelText("Admin Name");
  await userEvent.clear(name);
  expect(screen.getByRole("button", { name: "Save" })).toHaveAccessibleDescription("Still needed: admin name");
  await userEvent.type(name, "chief");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Network ErrorSlow or No Network");
  isLost = false;
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Your profile is updated")).toBeVisible();
  expect(requests.findLast(({ call }) => call === update)?.body).toEqual({
    adminName: "chief",
    adminFullName: "Ops Example",
    contact: "8000000002",
    email: "ada@ewebal.com",
  });
});

test("a new email is asked about, and signs out", async () => {
  startAdminSession(adminId);
  fakeServer({
    ...reads,
    [`PATCH /api/${adminId}/update-admin-profile`]: {
      body: { message: "Saved. Verify the new email", data: { ...admin, email: "new@ewebal.com" } },
    },
  });
  const { pathname } = renderApp("/admin-dashboard/admin-profile-summary");
  const email = await screen.findByLabelText("Email");
  await userEvent.clear(email);
  await userEvent.type(email, "new@ewebal.com");
  await userEvent.type(screen.getByLabelText("Your password"), "own password");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  await waitFor(() => expect(pathname()).toBe("/admin-login-page"));
  expect(screen.getByText("Saved. Verify the new email")).toBeVisible();
});

test("who looks at a customer's account is told so on every page, and leaves to the admin side", async () => {
  startUserSession(userId);
  const acting = { adminName: "ops", reason: "A failed message", endsAt: "2026-01-01T10:30:00.000Z" };
  const requests = fakeServer({
    ...reads,
    [`GET /api/${userId}/view-one-user`]: {
      body: { ...userAnswer, data: { ...userAnswer.data, acting } },
    },
    [toAdmin]: { status: 201, body: { message: "Successfully switched to admin mode", data: tokenFor(adminId) } },
  });
  const { pathname } = renderApp("/user-dashboard/profile-info");
  expect(await screen.findByText(/^You see the account of .* and can change nothing/)).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Switch Mode" }));
  await waitFor(() => expect(getSession()).toEqual({ userId: null, adminId }));
  await waitFor(() => expect(pathname()).toMatch(/^\/admin-dashboard/));
  expect(requests.map(({ call }) => call)).toContain(toAdmin);
});
