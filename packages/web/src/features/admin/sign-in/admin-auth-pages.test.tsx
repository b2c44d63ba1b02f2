import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { getSession, startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, tokenFor, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    const field = await screen.findByLabelText(label);
    await userEvent.clear(field);
    await userEvent.click(field);
    await userEvent.paste(text);
  }
}

const press = async (name: string): Promise<void> => await userEvent.click(screen.getByRole("button", { name }));

describe("registering", () => {
  const filled = {
    "Admin Name": "ops",
    "Full Name": "Ops Example",
    Email: "ops@ewebal.com",
    Contact: "08000000002",
    Password: "secret1",
    "Confirm Password": "secret1",
  };

  test("the button is inert until all is there, and says what is missing", async () => {
    const requests = fakeServer({});
    renderApp("/admin-register");
    await fill({ ...filled, "Confirm Password": "secret2" });
    const button = screen.getByRole("button", { name: "Create Account" });
    expect(button).toHaveAccessibleDescription("Still needed: the same password twice");
    await userEvent.click(button);
    expect(requests.map(({ call }) => call)).toEqual(["GET /api/brand"]);
  });

  test("409 tells that the email is registered and leads to the administrators' login", async () => {
    fakeServer({ "POST /api/create-admin": refusal(409, "EMAIL_TAKEN", "This account already exists") });
    renderApp("/admin-register");
    await fill(filled);
    await press("Create Account");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("This account already existsEmail already registered");
    expect(within(alert).getByRole("link", { name: "Login" })).toHaveAttribute("href", "/admin-login-page");
  });

  test("another company's mailbox is refused in the server's words", async () => {
    fakeServer({
      "POST /api/create-admin": refusal(403, "HOST_NOT_ALLOWED", "Administrators register with a company mailbox"),
    });
    renderApp("/admin-register");
    await fill({ ...filled, Email: "ops@example.com" });
    await press("Create Account");
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Administrators register with a company mailbox$/);
  });

  test("success sends the five fields, tells of the OTP mail and leads to the page that speaks of it", async () => {
    const requests = fakeServer({
      "POST /api/create-admin": { status: 201, body: { message: "Registration successful" } },
    });
    const { pathname } = renderApp("/admin-register");
    await fill(filled);
    await press("Create Account");
    expect(await screen.findByRole("heading", { name: "Registration Successful" })).toBeVisible();
    expect(screen.getByText("An OTP mail has been sent to you")).toBeVisible();
    expect(pathname()).toBe("/otp-message");
    expect(requests.at(-1)?.body).toEqual({
      adminName: "ops",
      adminFullName: "Ops Example",
      email: "ops@ewebal.com",
      contact: "8000000002",
      password: "secret1",
    });
  });

  test("/otp-page sends who opens it to the link in the mail", async () => {
    fakeServer({});
    renderApp("/otp-page");
    expect(await screen.findByText("To enter your code, open the link in the mail that we sent you.")).toBeVisible();
  });
});

describe("the code", () => {
  const call = "POST /api/tok/verify-otp";
  const digits = (): string[] => screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);
  const open = async (): Promise<ReturnType<typeof renderApp>> => {
    const app = renderApp("/tok/verify-otp");
    await screen.findByRole("group", { name: "Code of 4 digits" });
    return app;
  };

  test("goes box by box and sends itself with its last digit", async () => {
    const requests = fakeServer({ [call]: { body: { message: "Your code is confirmed" } } });
    const { pathname } = await open();
    await userEvent.keyboard("12x3");
    expect(digits()).toEqual(["1", "2", "3", ""]);
    expect(requests.some((request) => request.call === call)).toBe(false);
    await userEvent.keyboard("4");
    expect(await screen.findByRole("heading", { name: "Your code is confirmed" })).toBeVisible();
    expect(screen.getByText("A verification mail has been sent to you")).toBeVisible();
    expect(pathname()).toBe("/otp-message");
    expect(requests.filter((request) => request.call === call).map(({ body }) => body)).toEqual([{ otp: "1234" }]);
  });

  test("is pasted into all boxes from any of them", async () => {
    const requests = fakeServer({ [call]: { body: { message: "Your code is confirmed" } } });
    await open();
    await userEvent.click(screen.getByLabelText("Digit 3 of 4"));
    await userEvent.paste("56 78");
    await waitFor(() => expect(requests.at(-1)?.body).toEqual({ otp: "5678" }));
  });

  test("backspace and arrows move between the boxes", async () => {
    fakeServer({});
    await open();
    await userEvent.keyboard("123{Backspace}");
    expect(digits()).toEqual(["1", "2", "", ""]);
    expect(screen.getByLabelText("Digit 3 of 4")).toHaveFocus();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(screen.getByLabelText("Digit 1 of 4")).toHaveFocus();
    await userEvent.keyboard("9");
    expect(digits()).toEqual(["9", "2", "", ""]);
  });

  test("a wrong one shows the server's message, empties the boxes and starts at the first", async () => {
    fakeServer({ [call]: refusal(400, "OTP_WRONG", "The code is incorrect") });
    await open();
    await userEvent.keyboard("1234");
    expect(await screen.findByRole("alert")).toHaveTextContent(/^The code is incorrect$/);
    expect(digits()).toEqual(["", "", "", ""]);
    await waitFor(() => expect(screen.getByLabelText("Digit 1 of 4")).toHaveFocus());
    expect(screen.getByRole("group")).toHaveAccessibleDescription("The code is incorrect");
  });

  test.each(["OTP_INVALID", "LINK_INVALID"])("%s leads to a new registration", async (code) => {
    fakeServer({ [call]: refusal(400, code, "No longer valid") });
    await open();
    await userEvent.keyboard("1234");
    expect(await screen.findByRole("link", { name: "Register again" })).toHaveAttribute("href", "/admin-register");
  });

  test("one that never arrived stays and is sent again", async () => {
    let isOffline = true;
    const requests = fakeServer({
      [call]: () => {
        if (isOffline) throw new TypeError("Failed to fetch");
        return { body: { message: "Your code is confirmed" } };
      },
    });
    await open();
    await userEvent.keyboard("1234");
    expect(await screen.findByRole("alert")).toHaveTextContent("No Internet Connection");
    expect(digits()).toEqual(["1", "2", "3", "4"]);
    isOffline = false;
    await press("Try again");
    expect(await screen.findByRole("heading", { name: "Your code is confirmed" })).toBeVisible();
    expect(requests.filter((request) => request.call === call)).toHaveLength(2);
  });
});

describe("the verification link", () => {
  const call = "GET /api/tok/verify-admin";

  test("verifies once, by script, and says that the administrator can log in", async () => {
    const requests = fakeServer({ [call]: { body: { message: "You can login to your dashboard" } } });
    renderApp("/tok/verify-admin");
    expect(await screen.findByText("You can login to your dashboard")).toBeVisible();
    expect(screen.getByRole("button", { name: "Login" })).toBeVisible();
    window.dispatchEvent(new Event("focus"));
    expect(requests.filter((request) => request.call === call)).toHaveLength(1);
  });

  test("says when an owner has yet to let the administrator in", async () => {
    fakeServer({
      [call]: { body: { message: "Your email is verified. An owner must approve you first; we will e-mail you" } },
    });
    renderApp("/tok/verify-admin");
    expect(await screen.findByText(/An owner must approve you first/)).toBeVisible();
    expect(screen.queryByText("You can login to your dashboard")).toBeNull();
  });

  test("a spent one says so", async () => {
    fakeServer({ [call]: refusal(400, "LINK_INVALID", "This link is no longer valid") });
    renderApp("/tok/verify-admin");
    expect(await screen.findByRole("alert")).toHaveTextContent("This link is no longer valid");
  });
});

describe("the login", () => {
  const filled = { Email: "ops@ewebal.com", Password: "secret1" };
  const call = "POST /api/sign-in-admin";

  test("is active only with the company's host and a password", async () => {
    fakeServer({});
    renderApp("/admin-login-page");
    await fill({ Email: "ops@example.com", Password: "secret1" });
    const button = screen.getByRole("button", { name: "Login" });
    await waitFor(() => expect(button).toHaveAccessibleDescription("Still needed: an email with ewebal.com"));
    await fill({ Email: "ops@ewebal.com" });
    expect(button).toHaveAttribute("aria-disabled", "false");
  });

  test.each([
    [404, "EMAIL_UNKNOWN", "Email is not registered"],
    [401, "NOT_VERIFIED", "You have not verified your account"],
    [400, "PASSWORD_WRONG", "Try again or reset your password"],
  ])("%i shows the message and the catalogue's words", async (status, code, text) => {
    fakeServer({ [call]: refusal(status, code, "The server's message") });
    renderApp("/admin-login-page");
    await fill(filled);
    await press("Login");
    expect(await screen.findByRole("alert")).toHaveTextContent(`The server's message${text}`);
    expect(getSession().adminId).toBeNull();
  });

  test("a wrong password, and one that is forgotten, lead to a new one", async () => {
    fakeServer({ "POST /api/sign-in-admin": refusal(400, "PASSWORD_WRONG", "The password is wrong") });
    renderApp("/admin-login-page");
    expect(await screen.findByRole("link", { name: "Forgot Password" })).toHaveAttribute("href", "/reset-password");
    await fill({ Email: "ada@ewebal.com", Password: "wrong-one" });
    await press("Login");
    expect(await screen.findByRole("link", { name: "Reset password" })).toHaveAttribute("href", "/reset-password");
  });

  test("success keeps the administrator's id, ends a customer's, and opens the dashboard", async () => {
    signedInServer({ [call]: { status: 201, body: { message: "Login successful", data: tokenFor(adminId) } } });
    startUserSession(userId);
    const { pathname } = renderApp("/admin-login-page");
    await fill(filled);
    await press("Login");
    expect(await screen.findByRole("heading", { name: "Overview" })).toBeVisible();
    expect(pathname()).toBe("/admin-dashboard");
    expect(getSession()).toEqual({ userId: null, adminId });
  });
});
