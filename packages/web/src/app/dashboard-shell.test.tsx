import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { getSession, startUserSession } from "../lib/session/session.ts";
import { FakeEventSource } from "../testing/fake-event-source.ts";
import { brandAnswer, fakeServer, userAnswer, userId, type FakeAnswer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";

const viewUser = `GET /api/${userId}/view-one-user`;
const signOut = `POST /api/${userId}/sign-out`;

afterEach(() => vi.useRealTimers());

test("the top bar shows the balance with two decimals, the names, and no more", async () => {
  startUserSession(userId);
  fakeServer({ [viewUser]: { body: userAnswer } });
  renderApp("/user-dashboard");
  const bar = await screen.findByRole("banner");
  await waitFor(() => expect(bar).toHaveTextContent("Units1,234.50"));
  expect(bar).toHaveTextContent("adaAda Example");
});

test("the balance follows a pushed change", async () => {
  startUserSession(userId);
  let units = 100;
  fakeServer({ [viewUser]: () => ({ body: { ...userAnswer, data: { ...userAnswer.data, units } } }) });
  renderApp("/user-dashboard");
  const bar = await screen.findByRole("banner");
  await waitFor(() => expect(bar).toHaveTextContent("Units100.00"));
  units = 97;
  FakeEventSource.opened[0]?.say("change", { topics: ["user"] });
  await waitFor(() => expect(bar).toHaveTextContent("Units97.00"));
});

test("the menu has the specified panels in their order, and marks where one is", async () => {
  startUserSession(userId);
  fakeServer({ [viewUser]: { body: userAnswer } });
  renderApp("/user-dashboard");
  const menu = await screen.findByRole("navigation", { name: "Dashboard" });
  const titles = within(menu)
    .getAllByRole("heading")
    .map(({ textContent }) => textContent);
  expect(titles).toEqual(["Main", "Messages", "Payment", "Profile", "Contacts"]);
  expect(within(menu).getByRole("link", { name: "Basement" })).toHaveAttribute("aria-current", "page");
  const names = within(menu)
    .getAllByRole("link")
    .map(({ textContent }) => textContent);
  // Of the profile's pages the specification names the first two.
  const profile = [
    "Personal Summary",
    "Update Profile",
    "Statement",
    "API keys",
    "API usage",
    "Webhooks",
    "Team",
    "Sub-accounts",
    "Change Password",
  ];
  expect(names.slice(names.indexOf("Personal Summary"), names.indexOf("Phonebook"))).toEqual(profile);
});

test("logout ends the session on the server, forgets the person and says so", async () => {
  startUserSession(userId);
  const requests = fakeServer({ [viewUser]: { body: userAnswer }, [signOut]: { body: { message: "Bye" } } });
  const { pathname } = renderApp("/user-dashboard");
  await userEvent.click(await screen.findByRole("button", { name: "Logout" }));
  expect(await screen.findByText("Logged Out Successfully")).toBeVisible();
  await waitFor(() => expect(pathname()).toBe("/login"));
  expect(requests.map(({ call }) => call)).toContain(signOut);
  expect(localStorage).toHaveLength(0);
  expect(FakeEventSource.opened.every(({ readyState }) => readyState === FakeEventSource.CLOSED)).toBe(true);
});

test("logout works without a network, and says that the server does not know", async () => {
  startUserSession(userId);
  fakeServer({ [viewUser]: { body: userAnswer }, [signOut]: "offline" });
  renderApp("/user-dashboard");
  await userEvent.click(await screen.findByRole("button", { name: "Logout" }));
  expect(await screen.findByText("No Internet Connection")).toBeVisible();
  expect(getSession().userId).toBeNull();
});

test("a session that the server ends shows the notice and leads to the login", async () => {
  startUserSession(userId);
  fakeServer({ [viewUser]: { body: userAnswer } });
  const { pathname } = renderApp("/user-dashboard");
  await screen.findByRole("heading", { name: "Basement" });
  FakeEventSource.opened[0]?.say("signed-out");
  expect(await screen.findByText("Logged Out...!")).toBeVisible();
  await waitFor(() => expect(pathname()).toBe("/login"));
});

test("the cover goes when the customer is there, and after 2 s at most", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  startUserSession(userId);
  fakeServer({ [viewUser]: async () => await new Promise<FakeAnswer>(() => undefined) });
  renderApp("/user-dashboard");
  expect(await screen.findByText("Loading your dashboard")).toBeVisible();
  await vi.advanceTimersByTimeAsync(2_000);
  await waitFor(() => expect(screen.queryByText("Loading your dashboard")).not.toBeInTheDocument());
});

test.each([
  [true, 1],
  [false, 0],
])("with a simulator (%s) the banner stands %i times", async (isSimulated, bannerCount) => {
  startUserSession(userId);
  fakeServer({
    [viewUser]: { body: userAnswer },
    "GET /api/brand": { body: { ...brandAnswer, data: { ...brandAnswer.data, isSimulated } } },
  });
  renderApp("/user-dashboard");
  await screen.findByRole("heading", { name: "Basement" });
  await screen.findAllByText("Ewebal");
  expect(screen.queryAllByText("Simulator: no real SMS leaves this machine")).toHaveLength(bannerCount);
});

test.each(["viewer", "approver", "owner"] as const)("what a role leaves out is said and hidden: %s", async (role) => {
  startUserSession(userId);
  const member = {
    _id: "01900000-0000-7000-8000-0000000000d1",
    role,
    userName: "Ada",
    fullName: "Ada Obi",
    email: "a@b.ng",
  };
  fakeServer({ [viewUser]: { body: { ...userAnswer, data: { ...userAnswer.data, member } } } });
  renderApp("/user-dashboard");
  await waitFor(() => expect(document.documentElement).toHaveAttribute("data-role", role));
  const note = screen.queryByText(/role in this account/);
  if (role === "owner") expect(note).not.toBeInTheDocument();
  else expect(note).toHaveTextContent(`Your role in this account is ${role}. What needs another role is not shown.`);
});
