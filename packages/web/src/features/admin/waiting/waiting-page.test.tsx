import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { WaitingAnswer } from "@ewebal/contract";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer, waitingOf } from "../testing/admin-answers.ts";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });

const id = (last: string): string => `01900000-0000-7000-8000-0000000000${last}`;
const deposit = waitingOf();
const credit = waitingOf({
  _id: id("e2"),
  kind: "approval",
  what: "Credit 200,000.00 units to ada",
  by: "Bola, bola@ewebal.com",
});
const own = waitingOf({
  _id: id("e3"),
  kind: "approval",
  what: "Let ada send as GTBANK",
  by: "ops, ops@ewebal.com",
  mayDecide: false,
});
const request = waitingOf({ _id: id("e4"), kind: "request", what: "Sender name UBA", flagged: true });
const dispute = waitingOf({ _id: id("e5"), kind: "dispute", what: "Disputed card payment of 657.50 naira" });
const waitingCall = "GET /api/view-waiting";
const page = (data: WaitingAnswer[]) => ({ body: { data, next: null } });
const call = (verb: string): string => `PATCH /api/${adminId}/${credit._id}/${verb}`;

async function rowOf(text: string): Promise<HTMLElement> {
  const row = (await screen.findByText(text)).closest("li");
  if (row === null) throw new Error(`${text} has no row`);
  return row;
}

describe("the page of what waits", () => {
  test("leads to each kind, in the server's order, with its age", async () => {
    signedInServer({ [waitingCall]: page([request, deposit, dispute]) });
    renderApp("/admin-dashboard/waiting");
    expect(await rowOf("Sender name UBA")).toHaveTextContent("Check carefully");
    expect(within(await rowOf(deposit.what)).getByRole("link")).toHaveAttribute(
      "href",
      `/admin-dashboard/manage-all-transactions/more-about-transaction/${deposit._id}`,
    );
    expect(within(await rowOf(request.what)).getByRole("link")).toHaveAttribute(
      "href",
      "/admin-dashboard/action-whitelist",
    );
    expect(within(await rowOf(dispute.what)).getByRole("link")).toHaveAttribute(
      "href",
      "/admin-dashboard/card-payments",
    );
    expect(await rowOf(deposit.what)).toHaveTextContent("Arrived 5 minutes ago");
    expect(screen.getAllByRole("link", { name: /^View/ }).map((link) => link.getAttribute("aria-label"))).toEqual(
      [request, deposit, dispute].map(({ what, by }) => `View ${what} of ${by}`),
    );
  });

  test("says that nothing waits", async () => {
    signedInServer();
    renderApp("/admin-dashboard/waiting");
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
  });
});

describe("a second signature", () => {
  test("cannot be given by who asked", async () => {
    signedInServer({ [waitingCall]: page([own]) });
    renderApp("/admin-dashboard/waiting");
    const row = await rowOf(own.what);
    expect(row).toHaveTextContent("Another administrator must decide this.");
    expect(within(row).queryByRole("button")).toBeNull();
  });

  test("is asked about first; Nope changes nothing", async () => {
    const requests = signedInServer({ [waitingCall]: page([credit]) });
    renderApp("/admin-dashboard/waiting");
    await userEvent.click(await screen.findByRole("button", { name: `Approve: ${credit.what}` }));
    const dialog = await screen.findByRole("dialog", { name: "About to approve this?" });
    expect(dialog).toHaveTextContent("Credit 200,000.00 units to ada. Asked for by Bola, bola@ewebal.com.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call: made }) => made.startsWith("PATCH"))).toBe(false);
  });

  test.each(["Approve", "Decline"])("%s is sent, told, and the row is gone", async (word) => {
    let rows = [credit];
    const requests = signedInServer({
      [waitingCall]: () => page(rows),
      [call(word.toLowerCase())]: () => {
        rows = [];
        return { body: { message: "Done as asked" } };
      },
    });
    renderApp("/admin-dashboard/waiting");
    await userEvent.click(await screen.findByRole("button", { name: `${word}: ${credit.what}` }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Done as asked")).toBeVisible();
    expect(await screen.findByText("Nothing is waiting")).toBeVisible();
    expect(requests.filter(({ call: made }) => made.startsWith("PATCH"))).toHaveLength(1);
  });

  test("that somebody else gave a moment ago says so", async () => {
    signedInServer({
      [waitingCall]: page([credit]),
      [call("approve")]: refusal(409, "ALREADY_DECIDED", "This was already decided"),
    });
    renderApp("/admin-dashboard/waiting");
    await userEvent.click(await screen.findByRole("button", { name: `Approve: ${credit.what}` }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("This was already decided")).toBeVisible();
  });
});
