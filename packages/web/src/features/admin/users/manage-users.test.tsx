import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, bola, refusal, signedInServer } from "../testing/admin-answers.ts";
import { changesOf, findMissingForUpdate } from "./user-record-panel.tsx";

vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const usersCall = "GET /api/view-all-users";
const viewAda = `GET /api/${ada._id}/view-one-user`;
const patchAda = (call: string): string => `PATCH /api/${ada._id}/${call}`;
const adaPage = `/admin-dashboard/manage-all-users/more-details-about-user/${ada._id}`;
const one = (user: object) => ({ body: { message: "User", data: user } });

/** jsdom has the narrow one, where a row is a card. */
function wideScreen(): void {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: true,
        media: query,
        addEventListener: vi.fn(),
        removeEventListener: vi.fn(),
      }) as unknown as MediaQueryList,
  );
}

describe("the list of users", () => {
  const address = "/admin-dashboard/manage-all-users";

  test("has the specified columns, and every way to a user", async () => {
    wideScreen();
    const blocked = { ...bola, verified: false, blocked: true, loginStatus: false };
    signedInServer({ [usersCall]: { body: { data: [ada, blocked], next: null } } });
    renderApp(address);
    const table = await screen.findByRole("table", { name: "Users" });
    const titles = within(table)
      .getAllByRole("columnheader")
      .map(({ textContent }) => textContent);
    expect(titles).toEqual([
      "S/N",
      "User Name",
      "Full Name",
      "Email Address",
      "Units (NGN)",
      "Contact",
      "Status",
      "Actions",
    ]);
    const [, first, second] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("1adaAda Exampleada@gmail.com1,234.50+234 8000000001Active");
    expect(second).toHaveTextContent("2bolaBola Examplebola@gmail.com0.10+234 8000000001InactiveBlocked");
    expect(within(first as HTMLElement).getByRole("img", { name: "Verified" })).toBeVisible();
    expect(within(second as HTMLElement).queryByRole("img", { name: "Verified" })).not.toBeInTheDocument();
    for (const [name, path] of [
      ["Details", "more-details-about-user"],
      ["Transactions", "user-transactions"],
      ["Messages", "user-messages"],
    ]) {
      expect(screen.getByRole("link", { name: `${name} of ada` })).toHaveAttribute(
        "href",
        `${address}/${path}/${ada._id}`,
      );
    }
  });

  test("search, filter and order stand in the address and are the server's work", async () => {
    const requests = signedInServer({ [usersCall]: { body: { data: [], next: null } } });
    renderApp(`${address}?search=obi&show=blocked&sort=email`);
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    expect(requests.find(({ call }) => call === usersCall)?.query).toBe(
      "search=obi&sort=email&order=asc&filter=blocked",
    );
    expect(screen.getByRole("searchbox", { name: "Search users" })).toHaveValue("obi");
    const [clear] = screen.getAllByRole("button", { name: "Clear filters" });
    await userEvent.click(clear ?? document.body);
    expect(await screen.findByText("There are no users yet")).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Not verified");
    await waitFor(() => expect(requests.at(-1)?.query).toBe("filter=unverified"));
  });

  test("is read page by page, and a pushed change is seen", async () => {
    let units = 0.1;
    signedInServer({
      [usersCall]: ({ query }) => ({
        body: query.includes("after=") ? { data: [{ ...bola, units }], next: null } : { data: [ada], next: "more" },
      }),
    });
    renderApp(address);
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByText("0.10")).toBeVisible();
    units = 7;
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["admin"] }));
    expect(await screen.findByText("7.00")).toBeVisible();
  });
});

describe("a user's details", () => {
  test("show tiles, facts and what may be done", async () => {
    signedInServer({ [viewAda]: one({ ...ada, lastSignInAt: "2026-01-05T10:00:00.000Z" }) });
    renderApp(adaPage);
    expect(await screen.findByRole("heading", { name: "ada", level: 1 })).toBeVisible();
    expect(screen.getByRole("link", { name: /^Successful messages/ })).toHaveTextContent("12");
    expect(screen.getByRole("link", { name: /^Transactions made/ })).toHaveTextContent("4");
    for (const text of ["Drafted SMS3", "Contact lists2", "SMS units1,234.50"]) {
      expect(screen.getByText((_, element) => element?.textContent === text)).toBeVisible();
    }
    expect(screen.getByText("AdaStores")).toBeVisible();
    expect(screen.getByText("Date Created").nextSibling).toHaveTextContent("2 Jan 2026");
    expect(screen.getByText("Last sign-in").nextSibling).toHaveTextContent("5 Jan 2026");
    expect(screen.getByRole("link", { name: "Ledger statement (CSV)" })).toHaveAttribute(
      "href",
      `/api/${ada._id}/statement?format=csv`,
    );
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  });

  test("of nobody say so", async () => {
    signedInServer({ [viewAda]: refusal(404, "NOT_FOUND", "Not found") });
    renderApp(adaPage);
    expect(await screen.findByText("Not found")).toBeVisible();
  });

  test("edit sends what was changed and nothing else, after the question", async () => {
    const requests = signedInServer({
      [viewAda]: one(ada),
      [patchAda("update-user")]: { body: { message: "ada is updated" } },
    });
    renderApp(adaPage);
    await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
    const update = screen.getByRole("button", { name: "Update" });
    expect(update).toHaveAttribute("aria-disabled", "true");
    expect(update).toHaveAccessibleDescription("Nothing changed yet.");
    expect(screen.getByRole("textbox", { name: "Date Created" })).toHaveAttribute("readonly");
    await userEvent.clear(screen.getByRole("textbox", { name: "Full Name" }));
    expect(update).toHaveAccessibleDescription("Still needed: full name");
    await userEvent.type(screen.getByRole("textbox", { name: "Full Name" }), "Ada Obi");
    await userEvent.type(screen.getByRole("textbox", { name: "Sender IDs" }), ", Shop 7");
    await userEvent.click(update);
    const dialog = await screen.findByRole("dialog", { name: "About to update user?" });
    expect(dialog).toHaveTextContent("This action can't be reversed");
    await userEvent.click(within(dialog).getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call.startsWith("PATCH"))).toBe(false);
    await userEvent.click(update);
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("ada is updated")).toBeVisible();
    expect(requests.find(({ call }) => call === patchAda("update-user"))?.body).toEqual({
      fullName: "Ada Obi",
      senderID: "AdaStores, Shop 7",
    });
    expect(await screen.findByRole("button", { name: "Edit" })).toBeVisible();
  });

  test("cancel forgets what was typed", async () => {
    signedInServer({ [viewAda]: one(ada) });
    renderApp(adaPage);
    await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
    await userEvent.type(screen.getByRole("textbox", { name: "User Name" }), "xyz");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await userEvent.click(screen.getByRole("button", { name: "Edit" }));
    expect(screen.getByRole("textbox", { name: "User Name" })).toHaveValue("ada");
  });

  test("a wrong field is told at the field, a refusal in the catalogue's words", async () => {
    let answer = refusal(400, "VALIDATION", "Some fields are missing or incorrect", {
      senderID: '"Bäd" may have letters only',
    });
    signedInServer({ [viewAda]: one(ada), [patchAda("update-user")]: () => answer });
    renderApp(adaPage);
    await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
    await userEvent.type(screen.getByRole("textbox", { name: "User Name" }), "n");
    const press = async (): Promise<void> => {
      await userEvent.click(screen.getByRole("button", { name: "Update" }));
      await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    };
    await press();
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Sender IDs" })).toHaveAccessibleDescription(/may have letters only/),
    );
    answer = refusal(409, "EMAIL_TAKEN", "This account already exists");
    await press();
    expect(await screen.findByText("Update Failed")).toBeVisible();
    expect(screen.getByText("This may be due to network")).toBeVisible();
  });

  test("only what differs is a change", () => {
    const before = { userName: "ada", fullName: "Ada", phoneNo: "80", email: "a@gmail.com", senderID: "" };
    expect(changesOf(before, { ...before, userName: " ada " })).toEqual({});
    expect(changesOf(before, { ...before, senderID: "Shop" })).toEqual({ senderID: "Shop" });
    expect(findMissingForUpdate(before, before)).toEqual(["Nothing changed yet."]);
  });
});

describe("blocking and approving", () => {
  test.each([
    {
      flag: "block",
      blocked: false,
      button: "Block user",
      title: "About to block user?",
      text: "User won't be able to use your service",
      failure: "Unable to block user",
    },
    {
      flag: "unblock",
      blocked: true,
      button: "Unblock user",
      title: "About to unblock user?",
      text: "About to unblock user?",
      failure: "Unable to unblock user",
    },
  ])(
    "$flag asks in the specified words, and a failure is named",
    async ({ flag, blocked, button, title, text, failure }) => {
      let answer = refusal(500, "INTERNAL", "Something went wrong on our side");
      const requests = signedInServer({
        [viewAda]: one({ ...ada, blocked }),
        [patchAda(`${flag}-user`)]: () => answer,
      });
      renderApp(adaPage);
      await userEvent.click(await screen.findByRole("button", { name: button }));
      const dialog = await screen.findByRole("dialog", { name: title });
      expect(dialog).toHaveTextContent(text);
      expect(within(dialog).getByRole("button", { name: "Nope" })).toHaveFocus();
      await userEvent.click(within(dialog).getByRole("button", { name: "Proceed" }));
      expect(await screen.findByText(failure)).toBeVisible();
      answer = { body: { message: "Done with ada" } };
      await userEvent.click(screen.getByRole("button", { name: button }));
      await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
      expect(await screen.findByText("Done with ada")).toBeVisible();
      expect(requests.filter(({ call }) => call === patchAda(`${flag}-user`))).toHaveLength(2);
    },
  );

  test("approving gives the badge at once", async () => {
    let isApproved = false;
    signedInServer({
      [viewAda]: () => one({ ...ada, isApproved }),
      [patchAda("approve-user")]: () => {
        isApproved = true;
        return { body: { message: "ada is approved" } };
      },
    });
    renderApp(adaPage);
    await userEvent.click(await screen.findByRole("button", { name: "Approve user" }));
    expect(await screen.findByText("ada is approved")).toBeVisible();
    expect(await screen.findByText("Approved")).toBeVisible();
    expect(screen.getByRole("button", { name: "Remove approval" })).toBeVisible();
  });

  test("two-factor sign-in is turned off after a question, and only where it is on", async () => {
    let hasTwoFactor = true;
    signedInServer({
      [viewAda]: () => one({ ...ada, hasTwoFactor }),
      [patchAda("turn-off-two-factor")]: () => {
        hasTwoFactor = false;
        return { body: { message: "Two-factor sign-in is off" } };
      },
    });
    renderApp(adaPage);
    await userEvent.click(await screen.findByRole("button", { name: "Turn two-factor sign-in off" }));
    expect(await screen.findByText(/Make sure that this person asked for it/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Two-factor sign-in is off")).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole("button", { name: "Turn two-factor sign-in off" })).not.toBeInTheDocument(),
    );
  });
});

test("calls a second of a user's keys are changed", async () => {
  const setCall = `PATCH /api/${adminId}/set-call-limit`;
  let callsPerSecond = 100;
  const requests = signedInServer({
    [viewAda]: one(ada),
    [`GET /api/${ada._id}/daily-limits`]: () => ({
      body: { message: "Daily limits", data: { recipientsMax: 10_000, limits: [], callsPerSecond } },
    }),
    [setCall]: () => {
      callsPerSecond = 250;
      return { body: { message: "The limit of calls is changed" } };
    },
  });
  renderApp(adaPage);
  const field = await screen.findByRole("textbox", { name: "API calls a second" });
  expect(screen.getByRole("button", { name: "Save calls a second" })).toHaveAccessibleDescription(
    "Still needed: another number",
  );
  await userEvent.clear(field);
  await userEvent.type(field, "2x50");
  await userEvent.click(screen.getByRole("button", { name: "Save calls a second" }));
  expect(await screen.findByText("The limit of calls is changed")).toBeVisible();
  expect(requests.find(({ call }) => call === setCall)?.body).toEqual({ userId: ada._id, perSecond: 250 });
  expect(screen.getByRole("textbox", { name: "API calls a second" })).toHaveValue("250");
});

test("a user's own price is set for a class and from a time, and given back", async () => {
  const setCall = `PATCH /api/${adminId}/set-customer-price`;
  let prices: object[] = [];
  const price = {
    _id: "01900000-0000-7000-8000-0000000000f1",
    userID: ada._id,
    code: "234",
    country: "Nigeria",
    class: "promotional",
    rate: 2.125,
    from: "2026-11-25T10:00:00.000Z",
    state: "current",
    createdAt: "2026-11-25T10:00:00.000Z",
  };
  const requests = signedInServer({
    [viewAda]: one(ada),
    [`GET /api/${ada._id}/view-customer-prices`]: () => ({
      body: { message: "Prices", data: { prices, discountPercent: 2.25, unitsPerMonth: 1_000.5 } },
    }),
    [setCall]: ({ body }) => {
      prices = (body as { rate: number | null }).rate === null ? [] : [price];
      return { body: { message: "The price is changed", data: price } };
    },
  });
  renderApp(adaPage);
  expect(
    await screen.findByText(
      "Every country costs the list's rate less 2.25 %. Most units in a month, last or this: 1,000.",
    ),
  ).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Set a price" }));
  const save = screen.getByRole("button", { name: "Save the price" });
  await userEvent.type(screen.getByLabelText("Naira for one page"), "2.125");
  await userEvent.selectOptions(screen.getByLabelText("For"), "Promotional messages only");
  await userEvent.selectOptions(screen.getByLabelText("Starts"), "At a set time");
  expect(save).toHaveAccessibleDescription("Still needed: a date");
  await userEvent.selectOptions(screen.getByLabelText("Starts"), "At once");
  await userEvent.click(save);
  await userEvent.click(await screen.findByRole("button", { name: "Use the rate of the list for +234" }));
  expect(await screen.findByText("No price is set for this customer")).toBeVisible();
  expect(requests.filter(({ call }) => call === setCall).map(({ body }) => body)).toEqual([
    { userId: ada._id, code: "234", rate: 2.125, class: "promotional" },
    { userId: ada._id, code: "234", rate: null, class: "promotional" },
  ]);
});

describe("daily limits of a user", () => {
  const limitsCall = `GET /api/${ada._id}/daily-limits`;
  const setCall = `PATCH /api/${adminId}/set-daily-limit`;
  const limitsAnswer = (...limits: object[]): { body: unknown } => ({
    body: { message: "Daily limits", data: { recipientsMax: 10_000, limits, callsPerSecond: 100 } },
  });
  const nigeria = { code: "234", recipientsMax: 500, isOwn: true, usedToday: 1_499 };

  test("show what was sent today and whose limit holds, and give back everybody's", async () => {
    wideScreen();
    let answer = limitsAnswer(nigeria, { code: "233", recipientsMax: 10_000, isOwn: false, usedToday: 7 });
    const requests = signedInServer({
      [viewAda]: one(ada),
      [limitsCall]: () => answer,
      [setCall]: () => {
        answer = limitsAnswer();
        return { body: { message: "The daily limit is changed" } };
      },
    });
    renderApp(adaPage);
    const table = await screen.findByRole("table", { name: "Daily limits" });
    const [, first, second] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("Nigeria (+234)1,499500This user");
    expect(second).toHaveTextContent("Ghana (+233)710,000All users");
    expect(within(second as HTMLElement).queryByRole("button")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Use the limit of all users for +234" }));
    expect(await screen.findByText("Nothing was sent today")).toBeVisible();
    expect(requests.find(({ call }) => call === setCall)?.body).toEqual({
      userId: ada._id,
      code: "234",
      recipientsMax: null,
    });
  });

  test("are set for a country in digits; a refusal stays near the button", async () => {
    let answer = refusal(400, "VALIDATION", "Some fields are missing or incorrect", { recipientsMax: "is too large" });
    const requests = signedInServer({ [viewAda]: one(ada), [limitsCall]: limitsAnswer(), [setCall]: () => answer });
    renderApp(adaPage);
    await userEvent.click(await screen.findByRole("button", { name: "Set a limit" }));
    const save = screen.getByRole("button", { name: "Save the limit" });
    expect(save).toHaveAccessibleDescription("Still needed: recipients a day");
    const field = screen.getByRole("textbox", { name: "Recipients a day" });
    await userEvent.type(field, "5,0x0");
    expect(field).toHaveValue("500");
    await userEvent.click(save);
    await waitFor(() => expect(field).toHaveAccessibleDescription("is too large"));
    answer = { body: { message: "The daily limit is changed" } };
    await userEvent.click(save);
    expect(await screen.findByText("The daily limit is changed")).toBeVisible();
    expect(requests.filter(({ call }) => call === setCall).at(-1)?.body).toEqual({
      userId: ada._id,
      code: "234",
      recipientsMax: 500,
    });
    expect(screen.getByRole("button", { name: "Set a limit" })).toBeVisible();
  });
});
