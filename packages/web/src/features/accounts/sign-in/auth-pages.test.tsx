import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { getSession, startUserSession } from "../../../lib/session/session.ts";
import {
  brandAnswer,
  fakeServer,
  tokenFor,
  userAnswer,
  userId,
  type FakeAnswer,
} from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const refusal = (status: number, code: string, message: string, fields?: Record<string, string>): FakeAnswer => ({
  status,
  body: { message, code, fields },
});

async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(values)) {
    const field = await screen.findByLabelText(label);
    await userEvent.clear(field);
    await userEvent.type(field, text);
  }
}

const press = async (name: string): Promise<void> => await userEvent.click(screen.getByRole("button", { name }));

describe("register", () => {
  const filled = {
    "Full Name": "Ada Example",
    "User Name": "ada",
    Email: "ada@gmail.com",
    Password: "secret1",
    "Confirm Password": "secret1",
    Tel: "08000000001",
  };

  test("the button is inert, says what is missing, and Enter does not pass it", async () => {
    const requests = fakeServer({});
    renderApp("/register");
    await fill({ ...filled, "Confirm Password": "secret2" });
    const button = screen.getByRole("button", { name: "Create Account" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription("Still needed: the same password twice");
    await userEvent.type(screen.getByLabelText("Full Name"), "{Enter}");
    await userEvent.click(button);
    expect(requests.map(({ call }) => call)).toEqual(["GET /api/brand"]);
  });

  test("says beforehand which addresses can sign in, while that rule is on", async () => {
    fakeServer({});
    renderApp("/register");
    await waitFor(() => expect(screen.getByLabelText("Email")).toHaveAccessibleDescription(/gmail\.com/));
  });

  test("says nothing of the kind when every address can sign in", async () => {
    fakeServer({ "GET /api/brand": { body: { ...brandAnswer, data: { ...brandAnswer.data, emailRules: "any" } } } });
    renderApp("/register");
    expect(await screen.findByText("Ewebal")).toBeVisible();
    expect(screen.getByLabelText("Email")).not.toHaveAccessibleDescription();
  });

  test("a short password is refused at its field, before anything is sent", async () => {
    const requests = fakeServer({});
    renderApp("/register");
    await fill({ ...filled, Password: "12345", "Confirm Password": "12345" });
    await press("Create Account");
    expect(await screen.findByText("must have at least 6 characters")).toBeVisible();
    expect(screen.getByLabelText("Password")).toHaveFocus();
    expect(requests).toHaveLength(1);
  });

  test("409 says that the email is registered", async () => {
    fakeServer({ "POST /api/create-user": refusal(409, "EMAIL_TAKEN", "This account already exists") });
    renderApp("/register");
    await fill(filled);
    await press("Create Account");
    expect(await screen.findByRole("alert")).toHaveTextContent("This account already existsEmail already registered");
  });

  test("a lost network is said so, and what was typed stays", async () => {
    fakeServer({ "POST /api/create-user": "offline" });
    renderApp("/register");
    await fill(filled);
    await press("Create Account");
    expect(await screen.findByRole("alert")).toHaveTextContent("No Internet ConnectionPlease check your network");
    expect(screen.getByLabelText("User Name")).toHaveValue("ada");
  });

  test("a field that the server refuses has its reason at the field", async () => {
    fakeServer({
      "POST /api/create-user": refusal(400, "VALIDATION", "Some fields are missing or incorrect", {
        phoneNo: "is too short",
      }),
    });
    renderApp("/register");
    await fill(filled);
    await press("Create Account");
    expect(await screen.findByText("is too short")).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
  });

  test("success sends the five fields, shows the notice and goes to /message", async () => {
    let answer = (_: FakeAnswer): void => undefined;
    const requests = fakeServer({
      "POST /api/create-user": async () => await new Promise<FakeAnswer>((resolve) => (answer = resolve)),
    });
    const { pathname } = renderApp("/register");
    await fill(filled);
    await press("Create Account");
    expect(await screen.findByText("Creating your account")).toBeVisible();
    answer({
      status: 201,
      body: { message: "Your account is made", data: { message: "Your account is made", _id: userId } },
    });
    expect(await screen.findByRole("heading", { name: "Registration Successful" })).toBeVisible();
    expect(screen.getByText("Your account is made")).toBeVisible();
    expect(screen.getByText("A Mail has been sent to you")).toBeVisible();
    expect(pathname()).toBe("/message");
    expect(requests.find(({ call }) => call === "POST /api/create-user")?.body).toEqual({
      fullName: "Ada Example",
      userName: "ada",
      email: "ada@gmail.com",
      password: "secret1",
      phoneNo: "8000000001",
    });
  });
});

describe("login", () => {
  const filled = { Email: "ada@gmail.com", Password: "secret1" };

  test("is active only with a gmail address and a password", async () => {
    fakeServer({});
    renderApp("/login");
    await fill({ Email: "ada@example.com", Password: "secret1" });
    const button = screen.getByRole("button", { name: "Login" });
    expect(button).toHaveAccessibleDescription("Still needed: a gmail.com address");
    await userEvent.clear(screen.getByLabelText("Email"));
    expect(button).toHaveAccessibleDescription("Still needed: email");
    await fill({ Email: "ada@gmail.com" });
    expect(button).toHaveAttribute("aria-disabled", "false");
    await userEvent.clear(screen.getByLabelText("Password"));
    expect(button).toHaveAccessibleDescription("Still needed: password");
  });

  test("the password can be shown and hidden, without sending the form", async () => {
    fakeServer({});
    renderApp("/login");
    const field = await screen.findByLabelText("Password");
    expect(field).toHaveAttribute("type", "password");
    await press("Show: Password");
    expect(field).toHaveAttribute("type", "text");
    await press("Hide: Password");
    expect(field).toHaveAttribute("type", "password");
  });

  test("takes every address when the rule is off", async () => {
    fakeServer({ "GET /api/brand": { body: { ...brandAnswer, data: { ...brandAnswer.data, emailRules: "any" } } } });
    renderApp("/login");
    await screen.findByText("Ewebal");
    await fill({ Email: "ada@example.com", Password: "secret1" });
    expect(screen.getByRole("button", { name: "Login" })).toHaveAttribute("aria-disabled", "false");
  });

  test.each([
    [404, "EMAIL_UNKNOWN", "Email is not registered", "Register"],
    [400, "PASSWORD_WRONG", "Try again or reset your password", "Reset password"],
  ])("%i tells the catalogue's words and offers the way on", async (status, code, text, way) => {
    fakeServer({ "POST /api/sign-in-user": refusal(status, code, "The server's message") });
    renderApp("/login");
    await fill(filled);
    await press("Login");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(`The server's message${text}`);
    expect(alert).toContainElement(screen.getAllByRole("link", { name: way })[0] ?? null);
  });

  test("401 offers to send the verification mail again", async () => {
    const requests = fakeServer({
      "POST /api/sign-in-user": refusal(401, "NOT_VERIFIED", "Verify your email first"),
      "POST /api/resend-verification": { body: { message: "If the address waits for it, a mail is on its way" } },
    });
    renderApp("/login");
    await fill(filled);
    await press("Login");
    expect(await screen.findByRole("alert")).toHaveTextContent("You have not verified your account");
    await press("Send the mail again");
    expect(await screen.findByText("If the address waits for it, a mail is on its way")).toBeVisible();
    expect(requests.at(-1)?.body).toEqual({ email: "ada@gmail.com" });
  });

  test("too many tries show the server's message alone", async () => {
    fakeServer({ "POST /api/sign-in-user": refusal(429, "RATE_LIMITED", "Too many attempts. Please wait a moment") });
    renderApp("/login");
    await fill(filled);
    await press("Login");
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Too many attempts. Please wait a moment$/);
  });

  test("success keeps the id of the token and opens the dashboard", async () => {
    fakeServer({
      "POST /api/sign-in-user": { status: 201, body: { message: "Welcome back", data: tokenFor(userId) } },
      [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    });
    const { pathname } = renderApp("/login");
    await fill(filled);
    await press("Login");
    expect(await screen.findByRole("heading", { name: "Basement" })).toBeVisible();
    expect(pathname()).toBe("/user-dashboard");
    expect(getSession()).toEqual({ userId, adminId: null });
    expect(screen.getByText("Welcome back")).toBeVisible();
  });
});

describe("verification", () => {
  const address = "GET /api/abc/verify-user";

  test("a good link verifies once and says that the user can log in", async () => {
    const requests = fakeServer({ [address]: { body: { message: "Your account is verified" } } });
    renderApp("/abc/verify-user");
    const status = await screen.findByText("Your account is verified");
    expect(status).toBeVisible();
    expect(screen.getByText("You can login to your dashboard")).toBeVisible();
    window.dispatchEvent(new Event("focus"));
    expect(requests.filter(({ call }) => call === address)).toHaveLength(1);
  });

  test("the login there has no Forgot Password link", async () => {
    fakeServer({ [address]: { body: { message: "Your account is verified" } } });
    renderApp("/abc/verify-user");
    expect(await screen.findByRole("link", { name: "Register" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Forgot Password" })).not.toBeInTheDocument();
  });

  test("a spent link offers a new mail, and asks for the address first", async () => {
    const requests = fakeServer({ [address]: refusal(400, "LINK_INVALID", "This link is no longer valid") });
    renderApp("/abc/verify-user");
    expect(await screen.findByText("This link is no longer valid")).toBeVisible();
    await press("Send the mail again");
    expect(await screen.findByText("Enter the email that you registered with")).toBeVisible();
    expect(screen.getByLabelText("Email")).toHaveFocus();
    expect(requests.some(({ call }) => call.startsWith("POST"))).toBe(false);
  });
});

describe("password reset", () => {
  test.each([
    ["ada@example.org", false],
    ["ada@example.ng", true],
    ["ada@example.com", true],
  ])("%s makes the request active: %s", async (email, isActive) => {
    fakeServer({});
    renderApp("/reset-password");
    await fill({ Email: email });
    expect(screen.getByRole("button", { name: "Send the link" })).toHaveAttribute("aria-disabled", String(!isActive));
  });

  test("404 says that the email is not on record", async () => {
    fakeServer({
      "PATCH /api/reset-user-password": refusal(404, "EMAIL_UNKNOWN", "There is no account with this email"),
    });
    renderApp("/reset-password");
    await fill({ Email: "ada@gmail.com" });
    await press("Send the link");
    expect(await screen.findByRole("alert")).toHaveTextContent("This email is not in our record");
  });

  test("the specified 401 is the success: the notice, and /reset-message", async () => {
    fakeServer({ "PATCH /api/reset-user-password": refusal(401, "VISIT_MAIL", "A mail with a link is on its way") });
    const { pathname } = renderApp("/reset-password");
    await fill({ Email: "ada@gmail.com" });
    await press("Send the link");
    expect(await screen.findByText("Visit mail for Reset Password Verification")).toBeVisible();
    await waitFor(() => expect(pathname()).toBe("/reset-message"));
  });
});

describe("new password", () => {
  test("needs 6 characters", async () => {
    fakeServer({});
    renderApp("/tok/reset-user-password");
    await fill({ "New Password": "12345" });
    const button = screen.getByRole("button", { name: "Change Password" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    await fill({ "New Password": "123456" });
    expect(button).toHaveAttribute("aria-disabled", "false");
  });

  test("an administrator's leads to the administrators' login", async () => {
    fakeServer({
      "PATCH /api/tok/change-user-password": { body: { message: "Your password is changed", data: { role: "admin" } } },
    });
    const { pathname } = renderApp("/tok/reset-user-password");
    await fill({ "New Password": "a-new-one" });
    await press("Change Password");
    await waitFor(() => expect(pathname()).toBe("/admin-login-page"));
  });

  test.each(["/tok/reset-user-password", "/change-password/tok"])(
    "%s sends the token and leads to the login",
    async (address) => {
      const requests = fakeServer({
        "PATCH /api/tok/change-user-password": {
          body: { message: "Your password is changed", data: { role: "user" } },
        },
      });
      const { pathname } = renderApp(address);
      await fill({ "New Password": "a-new-one" });
      await press("Change Password");
      expect(await screen.findByText("Your password is changed")).toBeVisible();
      await waitFor(() => expect(pathname()).toBe("/login"));
      expect(requests.find(({ call }) => call.startsWith("PATCH"))?.body).toEqual({ password: "a-new-one" });
    },
  );

  test("a spent link offers a new one", async () => {
    fakeServer({ "PATCH /api/tok/change-user-password": refusal(400, "LINK_INVALID", "This link is no longer valid") });
    renderApp("/tok/reset-user-password");
    await fill({ "New Password": "a-new-one" });
    await press("Change Password");
    expect(await screen.findByRole("link", { name: "Ask for a new link" })).toHaveAttribute("href", "/reset-password");
  });

  test("a signed-in person proves it with the current password", async () => {
    startUserSession(userId);
    const requests = fakeServer({
      [`PATCH /api/${userId}/change-user-password`]: {
        body: { message: "Your password is changed", data: { role: "user" } },
      },
      [`POST /api/${userId}/sign-out`]: { body: { message: "Bye" } },
    });
    const { pathname } = renderApp("/change-password");
    await fill({ "New Password": "a-new-one" });
    expect(screen.getByRole("button", { name: "Change Password" })).toHaveAccessibleDescription(
      "Still needed: current password",
    );
    await fill({ "Current Password": "secret1" });
    await press("Change Password");
    await waitFor(() => expect(pathname()).toBe("/login"));
    expect(requests.find(({ call }) => call.startsWith("PATCH"))?.body).toEqual({
      password: "a-new-one",
      currentPassword: "secret1",
    });
    expect(getSession().userId).toBeNull();
  });

  test("without a link and without a session a link is offered", async () => {
    fakeServer({});
    renderApp("/change-password");
    expect(await screen.findByRole("link", { name: "Send me a link" })).toHaveAttribute("href", "/reset-password");
  });
});
