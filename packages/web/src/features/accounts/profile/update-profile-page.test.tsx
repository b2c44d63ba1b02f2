import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const viewUser = `GET /api/${userId}/view-one-user`;
const update = `PATCH /api/${userId}/update-personal-info`;

beforeEach(() => startUserSession(userId));

async function retype(label: string, text: string): Promise<HTMLElement> {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  if (text !== "") await userEvent.type(field, text);
  return field;
}

test("names take letters and spaces only, the phone digits without leading zeros, the e-mail nothing", async () => {
  fakeServer({ [viewUser]: { body: userAnswer } });
  renderApp("/user-dashboard/update-tel");
  expect(await retype("Full Name", "Adé 2 O'Neil!")).toHaveValue("Adé  ONeil");
  expect(await retype("Tel", "0080-12a")).toHaveValue("8012");
  expect(screen.getByLabelText("Email")).toHaveAttribute("readonly");
});

test("all three are needed", async () => {
  fakeServer({ [viewUser]: { body: userAnswer } });
  renderApp("/user-dashboard/update-tel");
  await retype("User Name", "");
  expect(screen.getByRole("button", { name: "Update Info" })).toHaveAccessibleDescription("Still needed: user name");
});

test("a failure keeps the form and shows the catalogue's hint", async () => {
  fakeServer({
    [viewUser]: { body: userAnswer },
    [update]: { status: 500, body: { message: "Something went wrong", code: "INTERNAL" } },
  });
  renderApp("/user-dashboard/update-tel");
  await retype("User Name", "adaeze");
  await userEvent.click(screen.getByRole("button", { name: "Update Info" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Something went wrongCheck your internet connection");
});

test("success sends the three fields and goes to the summary", async () => {
  const answer = { message: "Your info is updated", data: { ...userAnswer.data, userName: "adaeze" } };
  const requests = fakeServer({ [viewUser]: { body: userAnswer }, [update]: { body: answer } });
  const { pathname } = renderApp("/user-dashboard/update-tel");
  await retype("User Name", "adaeze");
  await userEvent.click(screen.getByRole("button", { name: "Update Info" }));
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/profile-info"));
  expect(requests.find(({ call }) => call === update)?.body).toEqual({
    userName: "adaeze",
    fullName: "Ada Example",
    phoneNo: "8000000001",
  });
  expect(await screen.findByText("Your info is updated")).toBeVisible();
});

test("an owner takes the data along, and closes the account with the password", async () => {
  const waiting = {
    _id: "x",
    state: "waiting",
    createdAt: "2026-01-02T10:00:00.000Z",
    until: "2026-01-09T10:00:00.000Z",
  };
  let newest: object | null = null;
  let answer: { status?: number; body: object } = {
    status: 400,
    body: { message: "The password is incorrect", code: "PASSWORD_WRONG" },
  };
  const closing = `POST /api/${userId}/close-account`;
  const requests = fakeServer({
    [viewUser]: { body: userAnswer },
    [`GET /api/${userId}/data-export`]: () => ({ body: { message: "Newest export", data: newest } }),
    [`POST /api/${userId}/export-data`]: () => {
      newest = { ...waiting, byteCount: null };
      return { status: 202, body: { message: "We are making the file" } };
    },
    [closing]: () => answer,
  });
  const { pathname } = renderApp("/user-dashboard/profile-info");
  await userEvent.click(await screen.findByRole("button", { name: "Make a file for 7 days" }));
  expect(await screen.findByRole("button", { name: "We are making your file" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "Close my account" }));
  const dialog = await screen.findByRole("dialog", { name: "Close your account" });
  const send = within(dialog).getByRole("button", { name: "Close my account" });
  expect(send).toHaveAccessibleDescription("Still needed: your password");
  await userEvent.type(within(dialog).getByLabelText("Your password"), "wrong horse");
  await userEvent.click(send);
  expect(await within(dialog).findByText("The password is incorrect")).toBeVisible();
  answer = { body: { message: "Your account is closed", data: { erasedAt: "2026-02-01T10:00:00.000Z" } } };
  await userEvent.click(send);
  await waitFor(() => expect(pathname()).toBe("/login"));
  expect(requests.filter(({ call }) => call === closing)).toHaveLength(2);
});
