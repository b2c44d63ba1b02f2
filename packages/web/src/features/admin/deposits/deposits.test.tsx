import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { DepositAnswer } from "@ewebal/contract";
import { depositOf, reviewOf } from "../../../testing/deposit-answers.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, refusal, signedInServer } from "../testing/admin-answers.ts";
import { cleanUnitsText, defaultUnits, readUnits } from "./credit-deposit-dialog.tsx";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const allCall = "GET /api/view-all-transactions";
const ownCall = `GET /api/${userId}/user-transfer-details`;
const pending = depositOf({ review: reviewOf() });
const oneCall = `GET /api/${pending._id}/view-one-transaction`;
const creditCall = `PATCH /api/${userId}/${pending._id}/${adminId}/credit-user`;
const declineCall = `PATCH /api/${userId}/${pending._id}/${adminId}/declined-transaction`;
const approvalId = "01990000-0000-7000-8000-00000000000a";
const customer = { [`GET /api/${userId}/view-one-user`]: { body: { message: "User", data: ada } } };
const page = (data: DepositAnswer[]) => ({ body: { data, next: null } });
const one = (data: DepositAnswer) => ({ body: { message: "Transaction", data } });
const detail = `/admin-dashboard/manage-all-transactions/more-about-transaction/${pending._id}`;
const verified = {
  ...pending,
  verified: true,
  creditedUnits: 5_000,
  decidedAt: "2026-03-06T10:00:00.000Z",
  review: reviewOf({ decidedBy: "ops" }),
};

beforeEach(() => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: query.includes("min-width"),
        media: query,
        addEventListener: vi.fn(),
        removeEventListener: vi.fn(),
      }) as unknown as MediaQueryList,
  );
});

describe("the lists", () => {
  test.each([
    ["/admin-dashboard/manage-all-transactions", "There are no transactions made by any user."],
    [`/admin-dashboard/manage-all-users/user-transactions/${userId}`, "There are no transactions made by this user."],
  ])("%s without any says so in the specified words", async (address, words) => {
    signedInServer({ ...customer, [allCall]: page([]), [ownCall]: page([]) });
    renderApp(address);
    expect(await screen.findByText(words)).toBeVisible();
  });

  test("have the specified columns, a tick, a cross, and words for what waits and what to look at twice", async () => {
    const declined = {
      ...pending,
      _id: "01900000-0000-7000-8000-0000000000d3",
      declined: true,
      review: reviewOf({ flagged: true }),
    };
    signedInServer({
      ...customer,
      [allCall]: page([{ ...verified, _id: "01900000-0000-7000-8000-0000000000d2" }, declined, pending]),
    });
    renderApp("/admin-dashboard/manage-all-transactions");
    const table = await screen.findByRole("table", { name: "Transactions of all users" });
    expect(
      within(table)
        .getAllByRole("columnheader")
        .map(({ textContent }) => textContent),
    ).toEqual(["S/N", "Depositor", "Paid to", "Amount", "Teller ID", "Contact", "Date", "Actions"]);
    const [, first, second, third] = within(table).getAllByRole("row");
    expect(within(first as HTMLElement).getByRole("img", { name: "Verified" })).toBeVisible();
    expect(within(second as HTMLElement).getByRole("img", { name: "Declined" })).toBeVisible();
    expect(second).toHaveTextContent("Possible duplicate");
    expect(within(third as HTMLElement).queryByRole("img")).toBeNull();
    expect(within(third as HTMLElement).getByText("Waiting")).toBeVisible();
    for (const row of [first, second]) expect(row).not.toHaveTextContent("Waiting");
    expect(third).toHaveTextContent(
      "3Ada Exampleada@gmail.comExample Microfinance Bank₦10,000.00TRF-0001+234 80312345675 Mar 2026",
    );
    expect(within(third as HTMLElement).getByRole("link", { name: "More details about Ada Example" })).toHaveAttribute(
      "href",
      detail,
    );
  });

  test("one user's lead to their own details, and name the user", async () => {
    signedInServer({ ...customer, [ownCall]: page([pending]) });
    renderApp(`/admin-dashboard/manage-all-users/user-transactions/${userId}`);
    expect(await screen.findByText(`${ada.userName}, ${ada.email}`)).toBeVisible();
    const link = await screen.findByRole("link", { name: /^More details/ });
    expect(link).toHaveAttribute(
      "href",
      `/admin-dashboard/manage-all-users/user-transactions/${userId}/more-detailed-transaction/${pending._id}`,
    );
  });

  test("a deposit that is reported appears by itself", async () => {
    let deposits: DepositAnswer[] = [];
    signedInServer({ [allCall]: () => page(deposits) });
    renderApp("/admin-dashboard/manage-all-transactions");
    expect(await screen.findByText("There are no transactions made by any user.")).toBeVisible();
    deposits = [pending];
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["transfers", "admin"] }));
    expect(await screen.findByText("Ada Example")).toBeVisible();
  });

  test("filters stand in the address and are asked of the server; nonsense in it is ignored", async () => {
    const requests = signedInServer({ [allCall]: page([]) });
    renderApp("/admin-dashboard/manage-all-transactions?state=nonsense&from=yesterday&to=2026-03-31&flagged=yes");
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "State" }), "Waiting");
    await waitFor(() => {
      const last = new URLSearchParams(requests.findLast(({ call }) => call === allCall)?.query);
      expect(Object.fromEntries(last)).toEqual({ state: "pending", to: "2026-03-31", flagged: "true" });
    });
  });
});

describe("the details", () => {
  test("show the proof and what was reported; a PDF in a frame", async () => {
    signedInServer({ [oneCall]: one({ ...pending, receiptType: "pdf" }) });
    renderApp(detail);
    expect((await screen.findByTitle("Receipt of Ada Example")).tagName).toBe("IFRAME");
    const names = screen.getAllByRole("term").map(({ textContent }) => textContent);
    expect(names.slice(0, 6)).toEqual([
      "Depositor",
      "Bank Paid to",
      "Amount Deposited",
      "Teller Id",
      "Contact",
      "Date Transacted",
    ]);
    expect(screen.getByRole("button", { name: "Accept" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Decline" })).toBeVisible();
  });

  test.each([
    [verified, "Transaction Verified"],
    [{ ...pending, declined: true, decidedAt: "2026-03-06T10:00:00.000Z" }, "Transaction Declined"],
    [{ ...pending, withdrawn: true, decidedAt: "2026-03-06T10:00:00.000Z" }, "Transaction Withdrawn"],
  ])("of what is decided have a fixed badge and no buttons (%#)", async (deposit, badge) => {
    signedInServer({ [oneCall]: one(deposit) });
    renderApp(detail);
    expect(await screen.findByText(badge)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Accept" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Decline" })).toBeNull();
  });

  test("warn of duplicates, with the way to each", async () => {
    const duplicate = {
      _id: "01900000-0000-7000-8000-0000000000d9",
      userID: userId,
      userName: "bola",
      state: "verified",
      same: ["receipt", "tellerId"],
      createdAt: pending.createdAt,
    } as const;
    signedInServer({
      [oneCall]: one({
        ...pending,
        review: reviewOf({ flagged: true, doubles: [{ ...duplicate, same: [...duplicate.same] }] }),
      }),
    });
    renderApp(detail);
    const link = await screen.findByRole("link", { name: "bola" });
    expect(link).toHaveAttribute(
      "href",
      `/admin-dashboard/manage-all-transactions/more-about-transaction/${duplicate._id}`,
    );
    expect(link.closest("li")).toHaveTextContent(
      "bola: the same receipt and the same teller ID, verified, 5 minutes ago",
    );
  });

  test("of a deposit that is not there say so", async () => {
    signedInServer({ [oneCall]: refusal(404, "NOT_FOUND", "Not found") });
    renderApp(detail);
    expect(await screen.findByText("Not found")).toBeVisible();
  });

  test("change by themselves when another administrator decides", async () => {
    let deposit: DepositAnswer = pending;
    signedInServer({ ...customer, [oneCall]: () => one(deposit) });
    renderApp(detail);
    await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
    expect(await screen.findByRole("dialog", { name: "Credit User" })).toBeVisible();
    deposit = verified;
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["transfers", "admin"] }));
    expect(await screen.findByText("Transaction Verified")).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Credit User" })).toBeNull());
  });
});

describe("accepting", () => {
  async function openModal(): Promise<HTMLElement> {
    renderApp(detail);
    await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
    return await screen.findByRole("dialog", { name: "Credit User" });
  }

  test("offers half the deposited amount, and credits what stands there", async () => {
    let deposit: DepositAnswer = pending;
    const credit = () => {
      deposit = verified;
      return { body: { message: "ada was credited with 5000 units. A mail was sent", data: verified } };
    };
    const requests = signedInServer({ ...customer, [oneCall]: () => one(deposit), [creditCall]: credit });
    const modal = await openModal();
    const field = await within(modal).findByLabelText("Units");
    expect(field).toHaveValue("5,000");
    expect(modal).toHaveTextContent("User Nameada");
    await userEvent.click(within(modal).getByRole("button", { name: "Credit User" }));
    expect(await screen.findByText("ada was credited with 5000 units. A mail was sent")).toBeVisible();
    expect(requests.find(({ call }) => call === creditCall)?.body).toEqual({ units: "5,000" });
    expect(await screen.findByText("Transaction Verified")).toBeVisible();
  });

  test("takes digits and commas; 10,5 is no number of units", async () => {
    const requests = signedInServer({ ...customer, [oneCall]: one(pending) });
    const modal = await openModal();
    const field = await within(modal).findByLabelText("Units");
    await userEvent.clear(field);
    await userEvent.type(field, "x10,5.");
    expect(field).toHaveValue("10,5");
    const button = within(modal).getByRole("button", { name: "Credit User" });
    expect(button).toHaveAccessibleDescription("Still needed: whole units");
    await userEvent.click(button);
    expect(requests.some(({ call }) => call === creditCall)).toBe(false);
  });

  test("more than was deposited waits for a second administrator, and says so before and after", async () => {
    const proposed = {
      ...pending,
      review: reviewOf({
        proposal: { _id: approvalId, units: 20_000, adminID: adminId, adminName: "ops", createdAt: pending.createdAt },
      }),
    };
    let deposit: DepositAnswer = pending;
    const credit = () => {
      deposit = proposed;
      return {
        status: 202,
        body: { message: "This credit waits for a second administrator", data: { _id: approvalId } },
      };
    };
    signedInServer({ ...customer, [oneCall]: () => one(deposit), [creditCall]: credit });
    const modal = await openModal();
    const field = await within(modal).findByLabelText("Units");
    await userEvent.clear(field);
    await userEvent.type(field, "20,000");
    expect(within(modal).getByText("More than was deposited")).toBeVisible();
    await userEvent.click(within(modal).getByRole("button", { name: "Credit User" }));
    expect(await screen.findByText("This credit waits for a second administrator")).toBeVisible();
    expect(
      await screen.findByText("You asked for 20,000.00 units. Another administrator has to approve it."),
    ).toBeVisible();
  });

  test("the second administrator is offered what the first one asked for", async () => {
    const proposal = {
      _id: approvalId,
      units: 20_000,
      adminID: ada._id,
      adminName: "Bola",
      createdAt: pending.createdAt,
    };
    signedInServer({ ...customer, [oneCall]: one({ ...pending, review: reviewOf({ proposal }) }) });
    const modal = await openModal();
    const field = await within(modal).findByLabelText("Units");
    expect(field).toHaveValue("20,000");
    expect(within(modal).getByText("By accepting, you agree: the units are credited now.")).toBeVisible();
    expect(within(modal).queryByText("More than was deposited")).toBeNull();
    await userEvent.clear(field);
    await userEvent.type(field, "21,000");
    expect(within(modal).getByText("More than was deposited")).toBeVisible();
    expect(
      screen.getByText(
        "Bola asks for 20,000.00 units. To agree, approve it under Waiting, or accept this deposit with the same units.",
      ),
    ).toBeInTheDocument();
  });

  test("a refusal has the specified words, and the reason", async () => {
    signedInServer({
      ...customer,
      [oneCall]: one(pending),
      [creditCall]: refusal(409, "ALREADY_DECIDED", "This was already decided"),
    });
    const modal = await openModal();
    await userEvent.click(await within(modal).findByRole("button", { name: "Credit User" }));
    const alert = await within(modal).findByRole("alert");
    expect(alert).toHaveTextContent("Unable to Credit UserCheck your credentials or networkThis was already decided");
  });
});

describe("declining", () => {
  test("asks in the specified words; Nope changes nothing", async () => {
    const requests = signedInServer({ [oneCall]: one(pending) });
    renderApp(detail);
    await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
    const dialog = await screen.findByRole("dialog", { name: "About to decline transaction?" });
    expect(dialog).toHaveTextContent("A Mail will be sent to the user about declination");
    await userEvent.click(within(dialog).getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call === declineCall)).toBe(false);
  });

  test("Proceed declines, with a reason or without", async () => {
    const declined = { ...pending, declined: true, decidedAt: "2026-03-06T10:00:00.000Z", reason: "Not there" };
    let deposit: DepositAnswer = pending;
    const decline = () => {
      deposit = declined;
      return { body: { message: "Transaction declined. A mail was sent to the user", data: declined } };
    };
    const requests = signedInServer({ [oneCall]: () => one(deposit), [declineCall]: decline });
    renderApp(detail);
    await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
    const dialog = await screen.findByRole("dialog", { name: "About to decline transaction?" });
    await userEvent.type(within(dialog).getByLabelText("Reason (optional)"), " Not there ");
    await userEvent.click(within(dialog).getByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Transaction declined. A mail was sent to the user")).toBeVisible();
    expect(await screen.findByText("Transaction Declined")).toBeVisible();
    expect(requests.find(({ call }) => call === declineCall)?.body).toEqual({ reason: "Not there" });
  });

  test("a refusal has the specified words, and the reason", async () => {
    signedInServer({
      [oneCall]: one(pending),
      [declineCall]: refusal(409, "ALREADY_DECIDED", "The customer has withdrawn this deposit"),
    });
    renderApp(detail);
    await userEvent.click(await screen.findByRole("button", { name: "Decline" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Unable to decline transaction")).toBeVisible();
    expect(screen.getAllByText("The customer has withdrawn this deposit")[0]).toBeVisible();
  });
});

describe("the units of a credit", () => {
  test.each([
    [10_000, "5,000"],
    [10_001, "5,000"],
    [1, "1"],
    [100_000_000, "50,000,000"],
  ])("a deposit of %i offers %s units", (amount, units) => {
    expect(defaultUnits(amount)).toBe(units);
    expect(readUnits(defaultUnits(amount))).toBe(Math.max(1, Math.floor(amount / 2)));
  });

  test.each([
    ["1,000", 1_000],
    ["1000", 1_000],
    ["10,5", undefined],
    ["1,0000", undefined],
    [",", undefined],
    ["", undefined],
    ["0", undefined],
    ["100,000,001", undefined],
  ])("%s is read as %s units", (text, units) => {
    expect(readUnits(text)).toBe(units);
  });

  test("only digits and commas can be typed", () => {
    expect(cleanUnitsText("NGN 1,000.50 ٣")).toBe("1,00050");
  });
});
