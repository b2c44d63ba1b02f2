import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { durationsMs } from "@ewebal/contract";
import { getSession, startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { takeConsoleErrors } from "../../../testing/setup.ts";
import {
  ada,
  adminId,
  bola,
  overview,
  refusal,
  requestOf,
  signedInServer,
  waitingOf,
} from "../testing/admin-answers.ts";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const requestsCall = "GET /api/view-whitelist-requests";
const usersCall = "GET /api/view-all-users";

describe("the guard", () => {
  const pages = ["/admin-dashboard", "/admin-dashboard/action-whitelist", "/admin-dashboard/credit-a-user"];

  test.each(pages)("leads a visitor of %s to the administrators' login", async (page) => {
    fakeServer({});
    const { pathname } = renderApp(page);
    expect(await screen.findByRole("heading", { name: "Admin Login" })).toBeVisible();
    expect(pathname()).toBe("/admin-login-page");
  });

  test("leads a customer there too", async () => {
    fakeServer({});
    startUserSession(userId);
    const { pathname } = renderApp("/admin-dashboard");
    expect(await screen.findByRole("heading", { name: "Admin Login" })).toBeVisible();
    expect(pathname()).toBe("/admin-login-page");
  });

  test("leads there when the server knows the session no more", async () => {
    signedInServer({ "GET /api/view-waiting": refusal(401, "AUTH_REQUIRED", "Please sign in") });
    renderApp("/admin-dashboard");
    expect(await screen.findByRole("heading", { name: "Admin Login" })).toBeVisible();
    expect(getSession().adminId).toBeNull();
  });
});

describe("the shell", () => {
  test("shows who is signed in, and logs out", async () => {
    const requests = signedInServer({ [`POST /api/${adminId}/sign-out`]: { body: { message: "Bye" } } });
    renderApp("/admin-dashboard");
    expect(await screen.findByText("ops")).toBeVisible();
    expect(screen.getByText("Ops Example")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Logout" }));
    expect(await screen.findByText("Logged Out Successfully")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Admin Login" })).toBeVisible();
    expect(requests.some(({ call }) => call === `POST /api/${adminId}/sign-out`)).toBe(true);
  });

  test("the menu has the specified entries in their order, and Logout at the end", async () => {
    signedInServer();
    renderApp("/admin-dashboard");
    const menu = await screen.findByRole("navigation", { name: "Admin dashboard" });
    const specified = [
      "Overview",
      "Manage Users",
      "Whitelists",
      "Credit User",
      "Transactions",
      "Drafts",
      "All Messages",
      "Admin Summary",
      "Announcement",
      "Distribute API",
    ];
    const labels = within(menu)
      .getAllByRole("link")
      .map(({ textContent }) => textContent);
    expect(labels.filter((label) => specified.includes(label))).toEqual(specified);
    const titles = within(menu)
      .getAllByRole("heading")
      .map(({ textContent }) => textContent);
    expect(titles.filter((title) => /Panel|Settings/.test(title))).toEqual([
      "Main Panel",
      "Actions Panel",
      "Profile Settings",
      "Message Panel",
    ]);
    expect(within(menu).getByRole("button", { name: "Logout" })).toBeVisible();
  });

  test("20 minutes without a touch end the session with the notice", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      signedInServer({ [`POST /api/${adminId}/sign-out`]: { body: { message: "Bye" } } });
      renderApp("/admin-dashboard");
      expect(await screen.findByRole("heading", { name: "Overview" })).toBeVisible();
      await act(async () => await vi.advanceTimersByTimeAsync(durationsMs.inactivity - 30_000));
      expect(getSession().adminId).toBe(adminId);
      for (let second = 0; second < 60 && getSession().adminId !== null; second += 1)
        await act(async () => await vi.advanceTimersByTimeAsync(1_000));
      expect(getSession().adminId).toBeNull();
      expect(screen.getByText("Logged Out...!")).toBeVisible();
    } finally {
      vi.useRealTimers();
    }
  });

  test("a page that breaks shows the fallback, with one main landmark", async () => {
    signedInServer({ [requestsCall]: { body: { data: [null], next: null } } });
    renderApp("/admin-dashboard/action-whitelist");
    expect(await screen.findByRole("heading", { name: "500 Network Error" })).toBeVisible();
    expect(screen.getAllByRole("main")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Login again" })).toHaveAttribute("href", "/login");
    expect(takeConsoleErrors()).not.toHaveLength(0);
  });
});

describe("the overview", () => {
  test("shows the specified figures, each where it leads", async () => {
    signedInServer();
    renderApp("/admin-dashboard");
    const figures: [RegExp, string, string][] = [
      [/^Registered users/, "Registered users1,204", "/admin-dashboard/manage-all-users"],
      [/^Total transactions/, "Total transactions31", "/admin-dashboard/manage-all-transactions"],
      [/^Successful SMS/, "Successful SMS45,678", "/admin-dashboard/manage-all-sms"],
      [/^Drafted SMS/, "Drafted SMS17", "/admin-dashboard/manage-all-drafts"],
      [/^Open requests/, "Open requests1", "/admin-dashboard/action-whitelist"],
    ];
    for (const [name, text, address] of figures) {
      const card = await screen.findByRole("link", { name });
      await waitFor(() => expect(card).toHaveTextContent(text));
      expect(card).toHaveAttribute("href", address);
    }
    for (const text of ["Worth of units₦98,765.50", "Active users9", "Total contact lists230"]) {
      expect(screen.getByText((_, element) => element?.textContent === text)).toBeVisible();
    }
  });

  test("figures follow a pushed change", async () => {
    let registeredUsers = 5;
    signedInServer({
      "GET /api/view-overview": () => ({ body: { message: "Overview", data: { ...overview, registeredUsers } } }),
    });
    renderApp("/admin-dashboard");
    const card = await screen.findByRole("link", { name: /^Registered users/ });
    await waitFor(() => expect(card).toHaveTextContent("Registered users5"));
    registeredUsers = 6;
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["admin"] }));
    await waitFor(() => expect(card).toHaveTextContent("Registered users6"));
  });

  test("figures that cannot be read say so, and the rest of the page stands", async () => {
    signedInServer({ "GET /api/view-overview": "offline" });
    renderApp("/admin-dashboard");
    expect(await screen.findByText("No Internet Connection")).toBeVisible();
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
  });

  test("what waits is there when it is asked, without a look again", async () => {
    let rows: unknown[] = [];
    signedInServer({ "GET /api/view-waiting": () => ({ body: { data: rows, next: null } }) });
    renderApp("/admin-dashboard");
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
    rows = [waitingOf({ flagged: true })];
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["admin"] }));
    expect(await screen.findByText("Bank deposit of 12,000.00 naira")).toBeVisible();
    expect(screen.getByText("Look twice")).toBeVisible();
    expect(screen.queryByText("Nothing is waiting")).toBeNull();
    expect(screen.getByRole("link", { name: "Decide" })).toHaveAttribute("href", "/admin-dashboard/waiting");
  });
});

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

  test("one that another administrator decided is told kindly, and the list is read again", async () => {
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
    expect(await screen.findByText(/Another administrator was quicker/)).toBeVisible();
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
    let answer = refusal(400, "VALIDATION", "Some fields are missing or incorrect", { senderName: '"Ad@" has @' });
    signedInServer({ [usersCall]: { body: { data: [ada], next: null } }, [call]: () => answer });
    renderApp("/admin-dashboard/action-whitelist");
    await userEvent.click(await screen.findByRole("combobox", { name: "User" }));
    await userEvent.click(await screen.findByRole("option", { name: /ada@gmail.com/ }));
    await userEvent.type(screen.getByLabelText("Sender ID"), "Ad@");
    await userEvent.click(screen.getByRole("button", { name: "Whitelist User" }));
    expect(await screen.findByText('"Ad@" has @')).toBeVisible();
    answer = refusal(404, "EMAIL_UNKNOWN", "There is no account with this email");
    await userEvent.click(screen.getByRole("button", { name: "Whitelist User" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Credentials ErrorThere is no account with this email");
  });
});

describe("crediting a user", () => {
  const call = `PATCH /api/${adminId}/credit-a-user`;
  const adaCall = `GET /api/${ada._id}/view-one-user`;

  const choose = async (email: string): Promise<void> => {
    await userEvent.click(await screen.findByRole("combobox", { name: "User" }));
    await userEvent.click(await screen.findByRole("option", { name: new RegExp(email) }));
  };
  const enterUnits = async (text: string): Promise<void> => {
    await userEvent.click(await screen.findByLabelText("SMS credit (units)"));
    await userEvent.paste(text);
  };
  const credit = async (): Promise<void> => {
    await userEvent.click(screen.getByRole("button", { name: "Credit User" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  };
  const keysOf = (requests: ReturnType<typeof signedInServer>): (string | null)[] =>
    requests.filter((request) => request.call === call).map(({ headers }) => headers.get("idempotency-key"));

  test("the button is inert until a user is chosen, and the field takes digits only", async () => {
    signedInServer({});
    renderApp("/admin-dashboard/credit-a-user");
    await enterUnits("1,5x00");
    expect(screen.getByLabelText("SMS credit (units)")).toHaveValue("1500");
    expect(screen.getByRole("button", { name: "Credit User" })).toHaveAccessibleDescription("Still needed: a user");
  });

  test("asks with the name, the amount in words and the balance of now, not of the list", async () => {
    const requests = signedInServer({
      [usersCall]: { body: { data: [ada], next: null } },
      [adaCall]: { body: { message: "User", data: { ...ada, units: 2000.5 } } },
    });
    renderApp("/admin-dashboard/credit-a-user");
    await choose(ada.email);
    expect(await screen.findByText("2,000.50")).toBeVisible();
    await enterUnits("1500");
    await userEvent.click(screen.getByRole("button", { name: "Credit User" }));
    const dialog = await screen.findByRole("dialog", { name: "About to credit ada?" });
    expect(dialog).toHaveTextContent(
      "1,500.00 units (one thousand five hundred) for Ada Example, ada@gmail.com. The balance is then 3,500.50 units. A mail will be sent to the user.",
    );
    await userEvent.click(within(dialog).getByRole("button", { name: "Nope" }));
    expect(keysOf(requests)).toEqual([]);
  });

  test("a retry after a lost answer carries the same key; after a success the next credit has another", async () => {
    let isOffline = true;
    const requests = signedInServer({
      [usersCall]: { body: { data: [ada], next: null } },
      [adaCall]: { body: { message: "User", data: ada } },
      [call]: () => {
        if (isOffline) throw new TypeError("Failed to fetch");
        return { body: { message: "ada was credited with 100 units. A mail was sent", data: { units: 1334.5 } } };
      },
    });
    renderApp("/admin-dashboard/credit-a-user");
    await choose(ada.email);
    await enterUnits("100");
    await credit();
    expect(await screen.findByRole("alert")).toHaveTextContent(/No Internet Connection.*credited once/);
    isOffline = false;
    await credit();
    expect(await screen.findByText("ada was credited with 100 units. A mail was sent")).toBeVisible();
    expect(screen.getByText("The balance is now 1,334.50 units")).toBeVisible();
    expect(screen.getByRole("button", { name: "Credit User" })).toHaveAccessibleDescription(
      "Still needed: a user, units",
    );
    await choose(ada.email);
    await enterUnits("100");
    await credit();
    const [first, retry, next] = keysOf(requests);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(retry).toBe(first);
    expect(next).not.toBe(first);
    expect(requests.findLast((request) => request.call === call)?.body).toEqual({
      email: "ada@gmail.com",
      units: "100",
    });
  });

  test("a refusal is a Credentials Error, and the form stays filled", async () => {
    signedInServer({
      [usersCall]: { body: { data: [ada], next: null } },
      [adaCall]: { body: { message: "User", data: ada } },
      [call]: refusal(404, "EMAIL_UNKNOWN", "There is no account with this email"),
    });
    renderApp("/admin-dashboard/credit-a-user");
    await choose(ada.email);
    await enterUnits("100");
    await credit();
    expect(await screen.findByRole("alert")).toHaveTextContent("Credentials ErrorThere is no account with this email");
    expect(screen.getByLabelText("SMS credit (units)")).toHaveValue("100");
  });

  test("the server is asked for what is typed", async () => {
    const addresses: string[] = [];
    signedInServer({ [usersCall]: { body: { data: [ada, bola], next: "more" } } });
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (address: string, options: RequestInit) => {
      addresses.push(address);
      return await fetch(address, options);
    });
    renderApp("/admin-dashboard/credit-a-user");
    await userEvent.type(await screen.findByRole("combobox", { name: "User" }), "bola");
    await vi.waitFor(() => expect(addresses).toContain("/api/view-all-users?search=bola&sort=email&limit=50"));
    expect(await screen.findByText(/There are more users than fit here/)).toBeVisible();
  });
});
