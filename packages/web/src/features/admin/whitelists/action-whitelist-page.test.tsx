import { configure, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, bola, refusal, requestOf, signedInServer } from "../testing/admin-answers.ts";
import { findMissingForUserWhitelist } from "./action-whitelist-page.tsx";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const requestsCall = "GET /api/view-whitelist-requests";
const usersCall = "GET /api/view-all-users";

describe("whitelist requests", () => {
  const flagged = requestOf({
    _id: "01900000-0000-7000-8000-0000000000f2",
    senderName: "GTBank",
    flagged: true,
    warnings: ["Reads like Bank (a bank or payment service)"],
  });
  const decide = (id: string, verb: "approve" | "decline"): string => `PATCH /api/${id}/${verb}-whitelist-request`;

  test("a flagged one shows why, and who asked since when", async () => {
    signedInServer({ [requestsCall]: { body: { data: [flagged], next: null } } });
    renderApp("/admin-dashboard/action-whitelist");
    const row = (await screen.findByText("GTBank")).closest("li");
    if (row === null) throw new Error("The request has no row");
    expect(within(row).getByText("Reads like Bank (a bank or payment service)")).toBeVisible();
    expect(within(row).getByText("ada@gmail.com")).toBeVisible();
    expect(row).toHaveTextContent("Sender ID, asked 5 minutes ago");
  });

  test("approving asks first; Nope approves nothing", async () => {
    const requests = signedInServer({ [requestsCall]: { body: { data: [flagged], next: null } } });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("button", { name: "Approve GTBank" }));
    const dialog = await screen.findByRole("dialog", { name: "About to approve GTBank?" });
    expect(dialog).toHaveTextContent("Reads like Bank");
    expect(within(dialog).getByRole("button", { name: "Nope" })).toHaveFocus();
    await userEvent.click(within(dialog).getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call.startsWith("PATCH"))).toBe(false);
  });

  test("an approved one leaves the list", async () => {
    let waiting = [flagged];
    signedInServer({
      [requestsCall]: () => ({ body: { data: waiting, next: null } }),
      [decide(flagged._id, "approve")]: () => {
        waiting = [];
        return { body: { message: "Approved. A mail was sent to the customer" } };
      },
    });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("button", { name: "Approve GTBank" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Approved. A mail was sent to the customer")).toBeVisible();
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
  });

  test("declining needs a reason, which is sent", async () => {
    const requests = signedInServer({
      [requestsCall]: { body: { data: [flagged], next: null } },
      [decide(flagged._id, "decline")]: { body: { message: "Declined. A mail was sent to the customer" } },
    });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("button", { name: "Decline GTBank" }));
    const proceed = await screen.findByRole("button", { name: "Proceed" });
    expect(proceed).toHaveAccessibleDescription("Still needed: a reason");
    expect(screen.getByRole("button", { name: "Nope" })).toHaveFocus();
    await userEvent.type(screen.getByLabelText("Reason"), "Not your bank ");
    await userEvent.click(proceed);
    expect(await screen.findByText("Declined. A mail was sent to the customer")).toBeVisible();
    expect(requests.find(({ call }) => call === decide(flagged._id, "decline"))?.body).toEqual({
      reason: "Not your bank",
    });
  });

  test("deciding second is explained, and the list is read again", async () => {
    let waiting = [flagged];
    signedInServer({
      [requestsCall]: () => ({ body: { data: waiting, next: null } }),
      [decide(flagged._id, "approve")]: () => {
        waiting = [];
        return refusal(409, "ALREADY_DECIDED", "This was already decided");
      },
    });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("button", { name: "Approve GTBank" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText(/Another administrator decided first/)).toBeVisible();
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
  });

  test("a failure has the catalogue's title", async () => {
    signedInServer({
      [requestsCall]: { body: { data: [flagged], next: null } },
      [decide(flagged._id, "approve")]: refusal(500, "INTERNAL", "Something went wrong on our side"),
    });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("button", { name: "Approve GTBank" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Credentials Error")).toBeVisible();
  });

  test("the decided ones are a list of their own, and its address can be kept", async () => {
    signedInServer({
      [requestsCall]: { body: { data: [{ ...flagged, state: "declined", reason: "Not your bank" }], next: null } },
    });
    renderApp("/admin-dashboard/action-whitelist?state=declined");
    expect(await screen.findByText("Reason: Not your bank")).toBeVisible();
    expect(screen.getByRole("radio", { name: "Declined" })).toBeChecked();
    expect(screen.queryByRole("button", { name: /^Approve/ })).not.toBeInTheDocument();
  });
});

describe("whitelisting a user", () => {
  const call = `PATCH /api/${adminId}/whitelist-user-senderID`;

  test("sends the chosen user's email and the names, and empties the form", async () => {
    const requests = signedInServer({
      [usersCall]: { body: { data: [ada, bola], next: null } },
      [call]: { body: { message: "Approved: AdaStores" } },
    });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("combobox", { name: "User" }));
    const options = await screen.findAllByRole("option");
    expect(options.map(({ textContent }) => textContent)).toEqual([
      "ada@gmail.comAda Example",
      "bola@gmail.comBola Example",
    ]);
    await userEvent.click(options[0] as HTMLElement);
    await userEvent.type(screen.getByLabelText("Sender ID"), "AdaStores");
    await userEvent.click(screen.getByRole("button", { name: "Whitelist User" }));
    expect(await screen.findByText("Approved: AdaStores")).toBeVisible();
    expect(requests.find((request) => request.call === call)?.body).toEqual({
      email: "ada@gmail.com",
      senderName: "AdaStores",
    });
    expect(screen.getByLabelText("Sender ID")).toHaveValue("");
    expect(screen.getByRole("combobox", { name: "User" })).toHaveValue("");
  });

  test("a name that the server refuses has its reason at the field; another failure is a Credentials Error", async () => {
    let answer = refusal(400, "VALIDATION", "Some fields are missing or incorrect", { senderName: '"Adas@" has @' });
    signedInServer({ [usersCall]: { body: { data: [ada], next: null } }, [call]: () => answer });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("combobox", { name: "User" }));
    await userEvent.click(await screen.findByRole("option", { name: /ada@gmail.com/ }));
    await userEvent.type(screen.getByLabelText("Sender ID"), "Adas@");
    await userEvent.click(screen.getByRole("button", { name: "Whitelist User" }));
    expect(await screen.findByText('"Adas@" has @')).toBeVisible();
    answer = refusal(404, "EMAIL_UNKNOWN", "There is no account with this email");
    await userEvent.click(screen.getByRole("button", { name: "Whitelist User" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Credentials ErrorThere is no account with this email");
  });
});

describe("what whitelisting a user still needs", () => {
  test.each([
    ["", ["a sender ID of at least 5 characters"]],
    ["Adas", ["a sender ID of at least 5 characters"]],
    ["Adas ", []],
    ["Adaor", []],
    ["ABC,D", []],
    ["Ada Stores1", []],
    ["Ada Stores12", ['at most 11 characters in "Ada Stores12"']],
    ["AdaStores, Bola", []],
  ])("%j needs %j", (senderName, missing) => {
    expect(findMissingForUserWhitelist({ email: "ada@gmail.com", senderName })).toEqual(missing);
  });

  test("needs a user", () => {
    expect(findMissingForUserWhitelist({ email: "", senderName: "AdaStores" })).toEqual(["a user"]);
  });
});
