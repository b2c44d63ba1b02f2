import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createQueryClient } from "../../../lib/api/query.ts";
import { startUserSession } from "../../../lib/session/session.ts";
import { userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { ConfirmHost } from "../../../ui/dialogs/confirm.tsx";
import { Notices } from "../../../ui/feedback/notices.tsx";
import { ThemeProvider } from "../../../ui/theme/theme-provider.tsx";
import { SendToCatalogDialog } from "./send-to-catalog-dialog.tsx";
import { messageServer, refused, sent, sentWithDnd, whitelists } from "../testing/message-server.ts";

const catalogId = "01900000-0000-7000-8000-0000000000c1";
const address = `/user-dashboard/set-catalogs/${catalogId}/x`;
const sendCall = `POST /api/${userId}/send-bulk-sms`;

beforeEach(() => startUserSession(userId));

/** A page that has nothing but the dialog. */
function open(
  handlers: Parameters<typeof messageServer>[0] = {},
  // Few enough to be sent at one press.
  count = 25,
  columns: readonly { key: string; label: string }[] = [],
): { requests: FakeRequest[]; pathname: () => string } {
  const requests = messageServer(handlers);
  const Page = () => (
    <main>
      <SendToCatalogDialog
        catalogId={catalogId}
        catalogName="Regulars"
        code="234"
        count={count}
        columns={columns}
        opened
        onClose={vi.fn()}
      />
      <ConfirmHost />
      <Notices />
    </main>
  );
  const rootRoute = createRootRoute({ component: Page, notFoundComponent: () => null });
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory({ initialEntries: [address] }) });
  render(
    <QueryClientProvider client={createQueryClient(vi.fn())}>
      <ThemeProvider env="test">
        <RouterProvider router={router as never} />
      </ThemeProvider>
    </QueryClientProvider>,
  );
  return { requests, pathname: () => router.state.location.pathname };
}

const button = (name: string): HTMLElement => screen.getByRole("button", { name });

async function fillIn(): Promise<void> {
  fireEvent.change(await screen.findByRole("textbox", { name: "Message" }), { target: { value: "Hello" } });
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("AdaStores"));
}

test("both buttons are inert until sender name and message are there", async () => {
  const { requests } = open({
    [`GET /api/${userId}/whitelists`]: { body: { message: "", data: { ...whitelists, senderNames: [] } } },
  });
  expect(await screen.findByText("Still needed: sender name, message")).toBeVisible();
  for (const name of ["Send SMS", "Draft SMS"]) {
    expect(button(name)).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(button(name));
  }
  expect(requests.filter(({ call }) => call.startsWith("POST"))).toHaveLength(0);
});

test("a catalog without contacts has nobody to send to", async () => {
  open({}, 0);
  await fillIn();
  expect(screen.getByText("Still needed: a contact in the catalog")).toBeVisible();
});

test("the field holds 18 characters; more than 11 are said beforehand, refused, and never cut", async () => {
  const { requests } = open();
  await fillIn();
  const field = screen.getByRole("textbox", { name: "Sender name" });
  expect(field).toHaveAccessibleDescription(/At most 11 characters/);
  await userEvent.clear(field);
  await userEvent.type(field, "ABCDEFGHIJKLMNOPQRSTUVW");
  expect(field).toHaveValue("ABCDEFGHIJKLMNOPQR");
  expect(screen.getByText("18 characters; a sender name has at most 11")).toBeVisible();
  await userEvent.click(button("Send SMS"));
  expect(requests.some(({ call }) => call === sendCall)).toBe(false);
});

test("a rate of three decimals is shown whole, so that the charge adds up", async () => {
  open(
    { "GET /api/rates": { body: { data: [{ code: "234", country: "Nigeria", rate: 5.925 }], nextChangeAt: null } } },
    1_000,
  );
  await fillIn();
  expect(await screen.findByText("× 5.925")).toBeVisible();
  expect(screen.getByText("5,925.00")).toBeVisible();
});

test("charge and pages are shown for all contacts", async () => {
  open({}, 250);
  fireEvent.change(await screen.findByRole("textbox", { name: "Message" }), { target: { value: "a".repeat(161) } });
  const charge = screen.getByRole("region", { name: "SMS charge" });
  for (const words of ["Recipients250", "Pages× 2", "Units per page× 3.00", "Charge1,500.00"])
    expect(charge).toHaveTextContent(words);
});

describe("outcomes", () => {
  test.each<{ answer: FakeAnswer; title: string; text?: string; goesTo?: string }>([
    { answer: refused(400, "WRONG_COUNTRY_CODE"), title: "The server's words", text: "Phone Number starts with 234" },
    { answer: refused(402, "LIMIT_REACHED"), title: "The server's words" },
    { answer: refused(550, "NO_ROUTE"), title: "The server's words" },
    { answer: refused(503, "UNAVAILABLE"), title: "The server's words" },
    {
      answer: refused(400, "VALIDATION", "Some fields are missing or incorrect", { catalogId: "is not there" }),
      title: "Some fields are missing or incorrect",
      text: "Catalog is not there",
    },
    {
      answer: refused(403, "ADDRESS_NOT_APPROVED"),
      title: "The server's words",
      text: "Send your IP Address for whitelisting",
      goesTo: "/user-dashboard/whitelists",
    },
    {
      answer: refused(409, "SENDER_NOT_APPROVED"),
      title: "The server's words",
      text: "Send the Id for whitelisting",
      goesTo: "/user-dashboard/whitelists",
    },
    {
      answer: refused(401, "UNITS_REQUIRED"),
      title: "The server's words",
      text: "You need to buy SMS Units",
      goesTo: "/user-dashboard/buy-sms",
    },
    {
      answer: sentWithDnd,
      title: "Message Sent",
      text: "DND Phone numbers Detected...",
      goesTo: "/user-dashboard/sms-history",
    },
    { answer: sent, title: "Message sent", goesTo: "/user-dashboard/sms-history" },
  ])("$answer.status $answer.body.code: $title / $text, goes to $goesTo", async ({ answer, title, text, goesTo }) => {
    const { pathname } = open({ [sendCall]: answer });
    await fillIn();
    await userEvent.click(button("Send SMS"));
    // Here the dialog stays, so that beside the notice it may say the same.
    expect((await screen.findAllByText(title))[0]).toBeVisible();
    if (text !== undefined) expect(screen.getAllByText(text)[0]).toBeVisible();
    await waitFor(() => expect(pathname()).toBe(goesTo ?? address));
  });
});

test("the catalog stands in the place of the numbers, and a retry carries the same key", async () => {
  const answers: Array<FakeAnswer | "offline"> = ["offline", sent];
  const { requests, pathname } = open({
    [sendCall]: () => {
      const answer = answers.shift();
      if (answer === undefined || answer === "offline") throw new TypeError("Failed to fetch");
      return answer;
    },
  });
  await fillIn();
  await userEvent.click(button("Send SMS"));
  expect(await screen.findByRole("alert")).toHaveTextContent("No Internet Connection");
  await userEvent.click(button("Send SMS"));
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/sms-history"));
  const sends = requests.filter(({ call }) => call === sendCall);
  expect(sends.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ senderName: "AdaStores", message: "Hello", code: "234", catalogId })),
  );
  expect(sends[1]?.headers.get("idempotency-key")).toBe(sends[0]?.headers.get("idempotency-key"));
});

test("above 100 contacts Send SMS opens the review first, and Ctrl+Enter always does", async () => {
  const { requests, pathname } = open({ [sendCall]: sent }, 101);
  await fillIn();
  await userEvent.click(button("Send SMS"));
  const review = await screen.findByRole("dialog", { name: "Send to 101 recipients?" });
  expect(review).toHaveTextContent("AdaStores");
  expect(review).toHaveTextContent("Charge303.00Balance after931.50");
  await userEvent.click(button("Nope"));
  screen.getByRole("textbox", { name: "Message" }).focus();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByRole("dialog", { name: "Send to 101 recipients?" });
  expect(requests.some(({ call }) => call === sendCall)).toBe(false);
  await userEvent.click(button("Proceed"));
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/sms-history"));
});

test("a balance that is short is named in the review, which sends nothing", async () => {
  const { requests } = open({ [sendCall]: sent }, 500);
  await fillIn();
  await userEvent.click(button("Send SMS"));
  const review = await screen.findByRole("dialog", { name: "Send to 500 recipients?" });
  expect(within(review).getByText("You need 265.50 more units")).toBeVisible();
  expect(within(review).getByRole("link", { name: "Buy SMS units" })).toHaveAttribute(
    "href",
    "/user-dashboard/buy-sms",
  );
  expect(button("Proceed")).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(button("Proceed"));
  expect(review).toBeVisible();
  expect(requests.some(({ call }) => call === sendCall)).toBe(false);
});

test("a draft is saved with the catalog, and leads to the drafts", async () => {
  const draftCall = `POST /api/${userId}/draft-message`;
  const { requests, pathname } = open({
    [draftCall]: { status: 201, body: { message: "Saved as a draft", data: { _id: catalogId } } },
  });
  await fillIn();
  await userEvent.click(button("Draft SMS"));
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/drafted-sms"));
  expect(requests.find(({ call }) => call === draftCall)?.body).toEqual({
    senderName: "AdaStores",
    message: "Hello",
    code: "234",
    catalogId,
  });
});
