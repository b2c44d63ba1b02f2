import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { getSession, startUserSession } from "../../lib/session/session.ts";
import { fakeServer, tokenFor, userAnswer, userId } from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";

const passkey = {
  _id: "01900000-0000-7000-8000-0000000000c1",
  name: "My phone",
  isBackedUp: true,
  createdAt: "2026-01-02T10:00:00.000Z",
};
const credential = { id: "AQID", rawId: "AQID", type: "public-key", response: {} };
const options = { status: 201, body: { message: "Confirm with your device", data: { challenge: "AQID" } } };
const viewUser = `GET /api/${userId}/view-one-user`;

/** A browser that has passkeys, and a device that answers as given. */
function haveDevice(answer: () => Promise<unknown>): void {
  vi.stubGlobal("PublicKeyCredential", {
    parseCreationOptionsFromJSON: (given: unknown) => given,
    parseRequestOptionsFromJSON: (given: unknown) => given,
  });
  Object.defineProperty(navigator, "credentials", { configurable: true, value: { create: answer, get: answer } });
}

afterEach(() => {
  Reflect.deleteProperty(navigator, "credentials");
  vi.unstubAllGlobals();
});

const press = async (name: string): Promise<void> => await userEvent.click(await screen.findByRole("button", { name }));
const forget = (): void => {
  startUserSession("");
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: null }));
};

test.each([
  ["/login", "user", "userId"],
  ["/admin-login-page", "admin", "adminId"],
] as const)(
  "%s: a browser without passkeys says so, who gives up reads so, and a passkey leads to its side",
  async (page, kind, id) => {
    const requests = fakeServer({
      "POST /api/start-passkey-sign-in": options,
      "POST /api/finish-passkey-sign-in": {
        status: 201,
        body: { message: "Login successful", data: tokenFor(userId), role: kind },
      },
    });
    forget();
    renderApp(page);
    await press("Sign in with a passkey");
    expect(await screen.findByRole("alert")).toHaveTextContent("This browser can't use passkeys here");
    haveDevice(async () => await Promise.reject(new DOMException("", "NotAllowedError")));
    await press("Sign in with a passkey");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("No passkey was used"));
    haveDevice(async () => await Promise.resolve({ toJSON: () => credential }));
    await press("Sign in with a passkey");
    await waitFor(() => expect(getSession()[id]).toBe(userId));
    expect(requests.find(({ call }) => call === "POST /api/finish-passkey-sign-in")?.body).toEqual({ credential });
  },
);

test("one is added with the password and removed with it", async () => {
  startUserSession(userId);
  let rows: object[] = [];
  const remove = `DELETE /api/${userId}/${passkey._id}/passkey`;
  const requests = fakeServer({
    [viewUser]: { body: userAnswer },
    [`GET /api/${userId}/sessions`]: { body: { data: [], next: null } },
    [`GET /api/${userId}/account-access`]: { body: { data: [], next: null } },
    [`GET /api/${userId}/two-factor`]: { body: { message: "", data: { isOn: false, recoveryCodesLeft: 0 } } },
    [`GET /api/${userId}/passkeys`]: () => ({ body: { data: rows, next: null } }),
    [`POST /api/${userId}/start-passkey`]: options,
    [`POST /api/${userId}/finish-passkey`]: () => {
      rows = [passkey];
      return { status: 201, body: { message: "The passkey is added", data: passkey } };
    },
    [remove]: () => {
      rows = [];
      return { body: { message: "The passkey is removed" } };
    },
  });
  haveDevice(async () => await Promise.resolve({ toJSON: () => credential }));
  renderApp("/user-dashboard/profile-info");
  expect(await screen.findByText("You have no passkeys")).toBeVisible();
  await press("Add a passkey");
  await userEvent.type(await screen.findByLabelText("Password"), "secret1");
  await userEvent.type(screen.getByLabelText("Name"), "My phone");
  await press("Continue");
  expect(await screen.findByText("My phone")).toBeVisible();
  expect(screen.getByText("Never")).toBeVisible();
  await press("Remove: My phone");
  await userEvent.type(await screen.findByLabelText("Password"), "secret1");
  await press("Remove");
  expect(await screen.findByText("You have no passkeys")).toBeVisible();
  const sent = (wanted: string): unknown => requests.find(({ call }) => call === wanted)?.body;
  expect(sent(`POST /api/${userId}/start-passkey`)).toEqual({ password: "secret1" });
  expect(sent(`POST /api/${userId}/finish-passkey`)).toEqual({ credential, name: "My phone" });
  expect(sent(remove)).toEqual({ password: "secret1" });
});
