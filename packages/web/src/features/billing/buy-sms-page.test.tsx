import type { PaymentAnswer } from "@ewebal/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { clearSession, startUserSession } from "../../lib/session/session.ts";
import { findPurchase, storePurchase } from "../../shared/billing/stored-purchase.ts";
import { FakeEventSource } from "../../testing/fake-event-source.ts";
import {
  brandAnswer,
  fakeServer,
  userAnswer,
  userId,
  type FakeAnswer,
  type FakeRequest,
} from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";

const reference = "EWB-0190a000-0000-7000-8000-000000000001";
const start = "POST /api/paystack-payment";
const verify = `POST /api/transaction/verify/${reference}/${userId}`;
const list = `GET /api/${userId}/payments`;
const payment: PaymentAnswer = {
  reference,
  units: 500,
  totalKobo: 65_750,
  state: "paid",
  frozenUnits: 0,
  takenBackUnits: 0,
  createdAt: "2026-03-05T10:00:00.000Z",
  paidAt: "2026-03-05T10:01:00.000Z",
};
const notPaid: FakeAnswer = { status: 402, body: { message: "The payment is not complete", code: "NOT_PAID" } };

beforeEach(() => startUserSession(userId));

const open = (handlers: Parameters<typeof fakeServer>[0], query = ""): FakeRequest[] => {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [list]: { body: { data: [], next: null } },
    ...handlers,
  });
  renderApp(`/user-dashboard/buy-sms${query}`);
  return requests;
};
const count = (requests: FakeRequest[], call: string): number =>
  requests.filter((request) => request.call === call).length;

describe("buying", () => {
  test("the button is inert until there are 100 units, and pressing Enter changes nothing", async () => {
    const requests = open({});
    const field = await screen.findByLabelText("Units");
    expect(screen.getByRole("button", { name: "100 units and above" })).toHaveAttribute("aria-disabled", "true");
    await userEvent.type(field, "0099{Enter}");
    expect(field).toHaveValue("99");
    expect(screen.getByRole("button", { name: "100 units and above" })).toBeVisible();
    await userEvent.type(field, "9");
    expect(screen.getByRole("button", { name: "Buy Instant Unit" })).toHaveAttribute("aria-disabled", "false");
    expect(count(requests, start)).toBe(0);
  });

  test("the price follows in three lines", async () => {
    open({});
    await userEvent.type(await screen.findByLabelText("Units"), "500");
    expect(screen.getByLabelText("Price")).toHaveTextContent("Units₦500.00Transaction cost₦157.50Total₦657.50");
  });

  test("a double click begins one payment, stores it and leaves for the provider", async () => {
    const leave = vi.fn();
    const { href, origin, protocol, host, hostname, pathname, search, hash } = window.location;
    vi.stubGlobal("location", { href, origin, protocol, host, hostname, pathname, search, hash, assign: leave });
    const address = "https://checkout.paystack.com/abc";
    const requests = open({
      [start]: { status: 201, body: { message: "Payment started", data: { authorization_url: address, reference } } },
    });
    await userEvent.type(await screen.findByLabelText("Units"), "500");
    await userEvent.dblClick(screen.getByRole("button", { name: "Buy Instant Unit" }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith(address));
    expect(requests.filter(({ call }) => call === start).map(({ body }) => body)).toEqual([
      { email: "ada@gmail.com", amount: 657.5, proposedUnits: 500 },
    ]);
    expect(findPurchase(reference, userId)).toEqual({ reference, userId, units: 500 });
  });

  test("a refusal stands near the button, and the next try may succeed", async () => {
    open({
      [start]: {
        status: 503,
        body: { message: "The card provider does not answer. Please try again in a moment", code: "UNAVAILABLE" },
      },
    });
    await userEvent.type(await screen.findByLabelText("Units"), "500");
    await userEvent.click(screen.getByRole("button", { name: "Buy Instant Unit" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("The card provider does not answer");
    expect(screen.getByRole("button", { name: "Buy Instant Unit" })).toBeEnabled();
  });

  test("more than a card takes is said at the field", async () => {
    open({});
    await userEvent.type(await screen.findByLabelText("Units"), "5000001");
    expect(screen.getByText(/5,000,000 units at most/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Buy Instant Unit" })).toHaveAttribute("aria-disabled", "true");
  });

  test.each([
    [true, 1],
    [false, 0],
  ])("with the sandbox (%s) the panel says so", async (isCardSandbox, times) => {
    open({ "GET /api/brand": { body: { ...brandAnswer, data: { ...brandAnswer.data, isCardSandbox } } } });
    await screen.findByLabelText("Units");
    await screen.findAllByText("Ewebal");
    expect(screen.queryAllByText(/no money moves/)).toHaveLength(times);
  });
});

test("where no card is taken, the panel says how else to pay and asks for nothing", async () => {
  open({ "GET /api/brand": { body: { ...brandAnswer, data: { ...brandAnswer.data, hasCards: false } } } });
  expect(await screen.findByText(/Card payments are not available/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Buy Instant Unit" })).toBeNull();
});

describe("coming back from the provider", () => {
  test.each(["reference", "trxref"])("with ?%s= the stored units are verified, and then set to 0", async (name) => {
    storePurchase({ reference, userId, units: 500 });
    const requests = open(
      { [verify]: { body: { message: "Payment received", data: payment } } },
      `?${name}=${reference}`,
    );
    expect(await screen.findByText("Payment received")).toBeVisible();
    expect(screen.getByText(/500\.00 units for ₦657\.50/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Receipt" })).toHaveAttribute(
      "href",
      `/api/${userId}/${reference}/payment-receipt`,
    );
    expect(requests.find(({ call }) => call === verify)?.body).toEqual({ units: 500 });
    await waitFor(() => expect(findPurchase(reference, userId)?.units).toBe(0));
  });

  test("not paid yet: a push asks again, and the page then says paid", async () => {
    let answer = notPaid;
    const requests = open({ [verify]: () => answer }, `?reference=${reference}&trxref=${reference}`);
    expect(await screen.findByText("Not paid yet")).toBeVisible();
    const asked = count(requests, verify);
    answer = { body: { message: "Payment received", data: payment } };
    FakeEventSource.opened[0]?.say("change", { topics: ["payments", "user"] });
    expect(await screen.findByText("Payment received")).toBeVisible();
    expect(count(requests, verify)).toBeGreaterThan(asked);
  });

  test("the provider cannot be asked: it says so, and asking again works", async () => {
    let answer: FakeAnswer = {
      status: 503,
      body: { message: "The card provider does not answer", code: "UNAVAILABLE" },
    };
    open({ [verify]: () => answer }, `?reference=${reference}`);
    expect(await screen.findByText("Still confirming")).toBeVisible();
    answer = { body: { message: "Payment received", data: payment } };
    await userEvent.click(screen.getByRole("button", { name: "Check again" }));
    expect(await screen.findByText("Payment received")).toBeVisible();
  });

  test("somebody else's reference fails in the server's words; closing clears the address", async () => {
    open({ [verify]: { status: 404, body: { message: "Not found", code: "NOT_FOUND" } } }, `?reference=${reference}`);
    expect(await screen.findByText("Not found")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByText("Not found")).not.toBeInTheDocument());
  });

  test("another person's stored purchase is not used, and signing out forgets it", () => {
    storePurchase({ reference, userId: "somebody", units: 500 });
    expect(findPurchase(reference, userId)).toBeUndefined();
    storePurchase({ reference, userId, units: 500 });
    clearSession("asked");
    expect(findPurchase(reference, userId)).toBeUndefined();
    expect(sessionStorage).toHaveLength(0);
  });
});

describe("card payments", () => {
  test("without any, the list says so", async () => {
    open({});
    expect(await screen.findByText("There are no card payments yet")).toBeVisible();
  });

  test("each shows its state in words, and a receipt where money came", async () => {
    const data: PaymentAnswer[] = [
      { ...payment, reference: "a", state: "open", paidAt: null },
      { ...payment, reference: "b", state: "failed", paidAt: null },
      { ...payment, reference: "c", state: "ended", paidAt: null },
      { ...payment, reference: "d", state: "frozen", frozenUnits: 423.954 },
      { ...payment, reference: "e", state: "reversed", takenBackUnits: 500 },
      { ...payment, reference: "f" },
    ];
    open({ [list]: { body: { data, next: null } } });
    const rows = within(await screen.findByRole("list", { name: "Card payments" }));
    for (const words of ["Waiting for payment", "Card declined", "Not paid", "Under review", "Refunded", "Paid"]) {
      expect(rows.getByText(words)).toBeVisible();
    }
    expect(rows.getByText("423.95 units are set aside")).toBeVisible();
    expect(rows.getByText("500.00 units were taken back")).toBeVisible();
    expect(rows.getAllByRole("link").map((link) => link.getAttribute("aria-label"))).toEqual([
      "Receipt of d",
      "Receipt of e",
      "Receipt of f",
    ]);
  });
});

describe("money that comes by itself", () => {
  const card = { brand: "Visa", last4: "4081", expires: "12/30" };
  const off = { isOn: false, below: null, units: null, perDayMax: null, card: null, isStopped: false };
  const view = `GET /api/${userId}/auto-top-up`;
  const account = { bank: "Wema Bank", accountName: "EWEBAL / ADA", accountNumber: "9930000737" };

  test("an account number is opened once it is asked for, and can be copied", async () => {
    let isOpen = false;
    const requests = open({
      [`GET /api/${userId}/virtual-account`]: () => ({
        body: { message: "", data: { isOffered: true, account: isOpen ? account : null, sandboxUrl: null } },
      }),
      [`POST /api/${userId}/virtual-account`]: () => {
        isOpen = true;
        return { status: 201, body: { message: "", data: account } };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Get my account number" }));
    expect(await screen.findByText("9930000737")).toBeVisible();
    expect(count(requests, `POST /api/${userId}/virtual-account`)).toBe(1);
    expect(screen.queryByRole("button", { name: "Get my account number" })).toBeNull();
  });

  test("auto top-up waits for a card, and sends whole numbers once there is one", async () => {
    const stored = { ...off, card };
    const requests = open({
      [view]: { body: { message: "", data: stored } },
      [`PATCH /api/${userId}/auto-top-up`]: ({ body }) => ({
        body: { message: "", data: { ...stored, ...(body as object) } },
      }),
    });
    expect(await screen.findByText(/Visa ending in 4081/)).toBeVisible();
    await userEvent.click(screen.getByRole("checkbox", { name: "Charge my card automatically" }));
    await userEvent.type(screen.getByLabelText("When fewer units are left than"), "1000");
    await userEvent.type(screen.getByLabelText("Units to buy each time"), "5000");
    await userEvent.click(screen.getByRole("button", { name: "Save auto top-up" }));
    expect(await screen.findByText(/Your card is charged when fewer than 1,000/)).toBeVisible();
    expect(requests.find(({ call }) => call.startsWith("PATCH"))?.body).toEqual({
      isOn: true,
      below: 1_000,
      units: 5_000,
      perDayMax: 1,
    });
  });

  test("without a card nothing can be set, and a card that was declined is said", async () => {
    open({ [view]: { body: { message: "", data: { ...off, isStopped: true } } } });
    expect(await screen.findByText(/Pay once by card. Then the same card/)).toBeVisible();
    expect(screen.getByRole("checkbox", { name: "Charge my card automatically" })).toBeDisabled();
    expect(screen.getByText("Your card was declined, so auto top-up is off")).toBeVisible();
    expect(screen.getByRole("button", { name: "Save auto top-up" })).toHaveAccessibleDescription(
      "Still needed: a payment by card",
    );
  });
});
