import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { durationsMs, type CarrierHealthAnswer, type SendingAnswer } from "@ewebal/contract";
import { getSession, startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { takeConsoleErrors } from "../../../testing/setup.ts";
import { adminId, overview, refusal, signedInServer, waitingOf } from "../testing/admin-answers.ts";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const requestsCall = "GET /api/view-whitelist-requests";
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

  test("the menu says how much waits where, and follows a push", async () => {
    let data = { deposits: 2, requests: 1, approvals: 1, disputes: 0, held: 3, reviews: 0, alarms: 0 };
    signedInServer({ "GET /api/view-waiting-counts": () => ({ body: { message: "Waiting", data } }) });
    renderApp("/admin-dashboard/waiting");
    const menu = await screen.findByRole("navigation", { name: "Admin dashboard" });
    const entry = (name: string) => within(menu).getByRole("link", { name });
    await waitFor(() => expect(entry("Waiting")).toHaveAccessibleDescription("4 waiting"));
    expect(entry("Transactions")).toHaveAccessibleDescription("2 waiting");
    expect(entry("Whitelists")).toHaveAccessibleDescription("1 waiting");
    expect(entry("Held messages")).toHaveAccessibleDescription("3 waiting");
    expect(entry("Card payments")).not.toHaveAccessibleDescription();
    data = { ...data, deposits: 0, disputes: 1_200 };
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["waiting"] }));
    await waitFor(() => expect(entry("Card payments")).toHaveAccessibleDescription("999+ waiting"));
    expect(entry("Transactions")).not.toHaveAccessibleDescription();
  });

  test("is marked as the administrators', and its switch says to which side", async () => {
    signedInServer();
    renderApp("/admin-dashboard/waiting");
    expect(await screen.findByRole("button", { name: "Switch Mode" })).toHaveAccessibleDescription(
      "to the customer side",
    );
    expect(screen.getAllByText("Admin", { exact: true }).length).toBeGreaterThan(0);
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

  test("what is being sent: how much waits, the pace, and each carrier with its failures, as workers push it", async () => {
    const health: CarrierHealthAnswer = {
      link: "bound",
      since: new Date(Date.now() - 3_600_000).toISOString(),
      boundBinds: 2,
      heldBinds: 2,
      lastError: null,
      lastErrorAt: null,
      messagesPerSecond: 42,
      inFlight: 7,
      goodCount: 1_990,
      badCount: 10,
    };
    const on = { isEnabled: true, isLocked: false, health };
    const carrier = { kind: "smpp" as const, name: "Acme", binds: 2, messagesPerSecond: 100, ...on };
    let data: SendingAnswer = {
      waitingRecipients: 12_345,
      waitingSince: null,
      workers: [],
      carriers: [carrier, { ...carrier, name: "Backup", health: { ...health, badCount: 0 } }],
    };
    signedInServer({ "GET /api/view-sending": () => ({ body: { message: "Sending", data } }) });
    renderApp("/admin-dashboard");
    const list = await screen.findByRole("list", { name: "Carriers now" });
    expect(screen.getByText("Recipients waiting").nextSibling).toHaveTextContent("12,345");
    expect(screen.getByText("Sent a second").nextSibling).toHaveTextContent("84");
    const [acme, backup] = within(list).getAllByRole("listitem");
    expect(acme).toHaveTextContent("Acme42 of 100 a second, 10 failed in 15 minutes (99.5% of 2,000 good)Connected");
    expect(backup).toHaveTextContent("42 of 100 a second, no failures in 15 minutes");
    data = {
      waitingRecipients: 0,
      waitingSince: null,
      workers: [],
      carriers: [{ ...carrier, health: { ...health, link: "connecting", lastError: "Connection refused" } }],
    };
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["carriers"] }));
    expect(await screen.findByText(/^Down since/)).toHaveTextContent("Down since 1 hour ago: Connection refused");
    expect(screen.getByText("Connecting")).toBeVisible();
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
    expect(screen.getByText("Possible duplicate")).toBeVisible();
    expect(screen.getByRole("link", { name: "Bank deposit of 12,000.00 naira" })).toHaveAttribute(
      "href",
      `/admin-dashboard/manage-all-transactions/more-about-transaction/${waitingOf()._id}`,
    );
    expect(screen.queryByText("Nothing is waiting")).toBeNull();
    expect(screen.getByRole("link", { name: "Decide" })).toHaveAttribute("href", "/admin-dashboard/waiting");
  });
});
