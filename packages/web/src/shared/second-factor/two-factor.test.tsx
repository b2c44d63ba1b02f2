import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { getSession, startAdminSession, startUserSession } from "../../lib/session/session.ts";
import { fakeServer, tokenFor, userAnswer, userId, type FakeAnswer } from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";

vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-cccc-ddd${index}`);
const view = `GET /api/${userId}/two-factor`;
const noSessions = {
  [`GET /api/${userId}/sessions`]: { body: { data: [], next: null } },
  [`GET /api/${userId}/account-access`]: { body: { data: [], next: null } },
};
const viewUser = { [`GET /api/${userId}/view-one-user`]: { body: userAnswer } };
const refused = (status: number, code: string, message: string): FakeAnswer => ({ status, body: { message, code } });
const codeRequired = refused(401, "CODE_REQUIRED", "Enter the code of your authenticator app");

const state = (isOn: boolean, recoveryCodesLeft = isOn ? 10 : 0): FakeAnswer => ({
  body: { message: "Two-factor sign-in", data: { isOn, recoveryCodesLeft } },
});
const fill = async (label: string, text: string): Promise<void> => {
  await userEvent.click(await screen.findByLabelText(label));
  await userEvent.paste(text);
};
const press = async (name: string): Promise<void> => await userEvent.click(await screen.findByRole("button", { name }));

beforeEach(() => startUserSession(userId));

describe("the panel", () => {
  test("sets up: QR code and key, a wrong code, then the recovery codes, once", async () => {
    let isOn = false;
    const requests = fakeServer({
      ...viewUser,
      ...noSessions,
      [view]: () => state(isOn),
      [`POST /api/${userId}/start-two-factor`]: {
        status: 201,
        body: { message: "", data: { secret, otpauth: `otpauth://totp/Ewebal:ada%40gmail.com?secret=${secret}` } },
      },
      [`POST /api/${userId}/confirm-two-factor`]: ({ body }) => {
        if ((body as { code: string }).code !== "123 456") return refused(400, "CODE_WRONG", "This code is incorrect");
        isOn = true;
        return { body: { message: "On", data: { recoveryCodes } } };
      },
    });
    renderApp("/user-dashboard/profile-info");
    await press("Set up");
    expect(await screen.findByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
    expect(screen.getByText("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")).toBeVisible();
    await fill("Code", "000000");
    await press("Turn on");
    expect(await screen.findByRole("alert")).toHaveTextContent("This code is incorrect");
    await userEvent.clear(screen.getByLabelText("Code"));
    await fill("Code", "123 456");
    await press("Turn on");
    const list = await screen.findByRole("list", { name: "Recovery codes" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(recoveryCodes);
    await press("I've saved them");
    expect(await screen.findByText("10 recovery codes left.")).toBeVisible();
    await waitFor(() => expect(screen.queryByText(recoveryCodes[0] ?? "")).not.toBeInTheDocument());
    // Nothing but the person's click begins a set-up: a second one would make the scanned key worthless.
    expect(requests.filter(({ call }) => call.endsWith("/start-two-factor"))).toHaveLength(1);
  });

  test("turns off with password and code, and says when recovery codes run out", async () => {
    let answer = state(true, 1);
    const requests = fakeServer({
      ...viewUser,
      ...noSessions,
      [view]: () => answer,
      [`DELETE /api/${userId}/two-factor`]: () => {
        answer = state(false);
        return { body: { message: "Two-factor sign-in is off" } };
      },
    });
    renderApp("/user-dashboard/profile-info");
    expect(await screen.findByText("You have only 1 recovery code left")).toBeVisible();
    await press("Turn off");
    await fill("Password", "secret1");
    await fill("Code", "123456");
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Turn off" }));
    expect(await screen.findByRole("button", { name: "Set up" })).toBeVisible();
    expect(requests.find(({ call }) => call.startsWith("DELETE"))?.body).toEqual({
      password: "secret1",
      code: "123456",
    });
  });
});

describe.each([
  { page: "/login", call: "POST /api/sign-in-user", email: "ada@gmail.com", kind: "userId" as const },
  { page: "/admin-login-page", call: "POST /api/sign-in-admin", email: "ops@ewebal.com", kind: "adminId" as const },
])("signing in on $page", ({ page, call, email, kind }) => {
  test("asks for the code after the right password, and goes on with it", async () => {
    localStorage.clear();
    const bodies: unknown[] = [];
    fakeServer({
      ...viewUser,
      [call]: ({ body }) => {
        bodies.push(body);
        const { code } = body as { code?: string };
        if (code === undefined) return codeRequired;
        return code === "111111"
          ? refused(400, "CODE_WRONG", "This code is incorrect or already used")
          : { status: 201, body: { message: "Login successful", data: tokenFor(userId) } };
      },
    });
    startUserSession("");
    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage", { key: null }));
    renderApp(page);
    await fill("Email", email);
    await fill("Password", "secret1");
    expect(screen.queryByLabelText("Code")).not.toBeInTheDocument();
    await press("Login");
    await waitFor(() => expect(screen.getByLabelText("Code")).toHaveFocus());
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Login" })).toHaveAccessibleDescription("Still needed: code");
    await userEvent.paste("111111");
    await press("Login");
    expect(await screen.findByRole("alert")).toHaveTextContent(/^This code is incorrect or already used$/);
    await userEvent.clear(screen.getByLabelText("Code"));
    await fill("Code", "222222");
    await press("Login");
    await waitFor(() => expect(getSession()[kind]).toBe(userId));
    expect(bodies).toEqual([
      { email, password: "secret1" },
      { email, password: "secret1", code: "111111" },
      { email, password: "secret1", code: "222222" },
    ]);
  });
});

describe("a call that needs a fresh code", () => {
  const keys = `/api/${userId}/api-keys`;
  const open = async (): Promise<string[]> => {
    const codes: string[] = [];
    fakeServer({
      ...viewUser,
      [`GET ${keys}`]: { body: { data: [], next: null } },
      [`POST ${keys}`]: ({ headers }) => {
        const code = headers.get("x-second-factor");
        codes.push(code ?? "");
        if (code === null) return codeRequired;
        return code === "111111"
          ? refused(400, "CODE_WRONG", "This code is incorrect or already used")
          : { status: 201, body: { message: "Made", data: { _id: userId, key: "ewk_secret" } } };
      },
    });
    renderApp("/user-dashboard/api-keys");
    await press("New key");
    await fill("Name", "till");
    await press("Create key");
    expect(await screen.findByRole("dialog", { name: "Confirm it's you" })).toBeVisible();
    return codes;
  };

  test("asks for it, again after a wrong one, and is repeated", async () => {
    const codes = await open();
    await waitFor(() => expect(screen.getByLabelText("Code")).toHaveFocus());
    await userEvent.paste("111111");
    await press("Continue");
    expect(await screen.findByText("This code is incorrect or already used")).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Code"));
    await fill("Code", "222222");
    await press("Continue");
    expect(await screen.findByText("ewk_secret")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirm it's you" })).not.toBeInTheDocument());
    expect(codes).toEqual(["", "111111", "222222"]);
  });

  test("is refused in plain words to who gives none", async () => {
    const codes = await open();
    await userEvent.click(
      within(screen.getByRole("dialog", { name: "Confirm it's you" })).getByRole("button", { name: "Close" }),
    );
    expect(await screen.findByText("Enter the code of your authenticator app")).toBeVisible();
    expect(codes).toEqual([""]);
  });
});

test("an administrator who must set it up is led there from every page, and back into everything", async () => {
  startAdminSession(userId);
  let isOn = false;
  const duty = refused(403, "TWO_FACTOR_REQUIRED", "Administrators need two-factor sign-in here. Set it up first");
  const admin = {
    _id: userId,
    adminName: "ops",
    adminFullName: "Ops Example",
    email: "ops@ewebal.com",
    contact: "8000000002",
    role: "admin",
    createdAt: "2026-01-02T10:00:00.000Z",
    updatedAt: "2026-01-02T10:00:00.000Z",
  };
  fakeServer({
    ...noSessions,
    [view]: () => state(isOn),
    [`GET /api/${userId}/view-one-admin`]: () => (isOn ? { body: { message: "Administrator", data: admin } } : duty),
    "GET /api/view-audit-entries": () => duty,
    [`POST /api/${userId}/start-two-factor`]: {
      status: 201,
      body: { message: "", data: { secret, otpauth: `otpauth://totp/E:a?secret=${secret}` } },
    },
    [`POST /api/${userId}/confirm-two-factor`]: () => {
      isOn = true;
      return { body: { message: "On", data: { recoveryCodes } } };
    },
  });
  const { pathname } = renderApp("/admin-dashboard/audit-log");
  expect(await screen.findByText("Set up two-factor sign-in to continue")).toBeVisible();
  expect(pathname()).toBe("/admin-dashboard/admin-profile-summary");
  await press("Set up");
  await fill("Code", "123456");
  await press("Turn on");
  await press("I've saved them");
  expect(await screen.findByDisplayValue("Ops Example")).toBeVisible();
  expect(screen.queryByText("Set up two-factor sign-in to continue")).not.toBeInTheDocument();
});
