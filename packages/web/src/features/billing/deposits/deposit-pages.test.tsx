import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { depositOf } from "../../../testing/deposit-answers.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { fakeUpload } from "../../../testing/fake-upload.ts";
import { renderApp } from "../../../testing/render-app.tsx";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const submitCall = `POST /api/${userId}/submit-transfer-details`;
const listCall = `GET /api/${userId}/user-transfer-details`;
const nothing = { body: { data: [], next: null } };

beforeEach(() => {
  fakeUpload();
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:preview", revokeObjectURL: () => undefined }));
});

function server(handlers: Parameters<typeof fakeServer>[0]): FakeRequest[] {
  startUserSession(userId);
  return fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/payments`]: nothing,
    [listCall]: nothing,
    ...handlers,
  });
}

const receipt = new File(["bytes"], "receipt.png", { type: "image/png" });

async function fillIn(file: File = receipt): Promise<void> {
  const panel = await depositPanel();
  await userEvent.type(await panel.findByLabelText("Depositor's name"), "Ada");
  await userEvent.type(panel.getByLabelText("Amount deposited"), "010,000x");
  await userEvent.type(panel.getByLabelText("Phone number"), "08031234567");
  await userEvent.type(panel.getByLabelText("Teller ID"), "T1");
  await userEvent.type(panel.getByLabelText("Transaction date"), "2026-03-05");
  await choose(file);
}

async function depositPanel() {
  const heading = await screen.findByRole("heading", { name: "Pay Via Bank Deposit" });
  return within(heading.closest("section") as HTMLElement);
}

async function choose(file: File): Promise<void> {
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error("There is no place for a receipt");
  await userEvent.upload(input, file, { applyAccept: false });
}

describe("the deposit panel", () => {
  test("says where to pay, reads Fill in details and is inert until everything is there", async () => {
    const requests = server({});
    renderApp("/user-dashboard/buy-sms");
    const panel = await depositPanel();
    expect(await panel.findByText("0000000001")).toBeVisible();
    const button = await panel.findByRole("button", { name: "Fill in details" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription(
      "Still needed: amount, teller ID, depositor name, phone number, transaction date, receipt",
    );
    await userEvent.click(button);
    expect(requests.some(({ call }) => call === submitCall)).toBe(false);
    expect(within(panel.getByLabelText("Bank paid to")).getAllByRole("option")).toHaveLength(1);
  });

  test("submits once everything is there, says so, and leads to the transactions", async () => {
    const requests = server({
      [submitCall]: { status: 201, body: { message: "Your deposit was submitted", data: { _id: "x" } } },
    });
    const { pathname } = renderApp("/user-dashboard/buy-sms");
    await fillIn();
    const panel = await depositPanel();
    expect(panel.getByLabelText("Amount deposited")).toHaveValue("10000");
    expect(panel.getByText("₦10,000.00")).toBeVisible();
    expect(panel.getByAltText("Preview of receipt.png")).toBeInTheDocument();
    await userEvent.click(panel.getByRole("button", { name: "Submit Details" }));
    expect(await screen.findByText("Your deposit was submitted")).toBeVisible();
    await waitFor(() => expect(pathname()).toBe("/user-dashboard/transactions"));
    const sent = requests.find(({ call }) => call === submitCall);
    const form = sent?.body as FormData;
    const { image, ...fields } = Object.fromEntries(form.entries());
    expect(fields).toEqual({
      depositorName: "Ada",
      amountDeposited: "10000",
      phoneNo: "8031234567",
      tellerId: "T1",
      transactionDate: "2026-03-05",
      bankDeposited: "Example Microfinance Bank",
    });
    expect((image as File).name).toBe("receipt.png");
    expect(sent?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
  });

  test("a deposit that was sent leaves an empty form to whoever comes back before the next page is drawn", async () => {
    let listed: (() => void) | undefined;
    server({
      [submitCall]: { status: 201, body: { message: "Your deposit was submitted", data: { _id: "x" } } },
      // The page of transactions is what is slow here: the form is still on screen.
      [listCall]: async () => {
        await new Promise<void>((resolve) => (listed = resolve));
        return nothing;
      },
    });
    renderApp("/user-dashboard/buy-sms");
    await fillIn();
    const panel = await depositPanel();
    const name = panel.getByLabelText("Depositor's name");
    await userEvent.click(panel.getByRole("button", { name: "Submit Details" }));
    expect(await screen.findByText("Your deposit was submitted")).toBeVisible();
    expect(name).toHaveValue("");
    expect(panel.queryByAltText("Preview of receipt.png")).toBeNull();
    listed?.();
  }, 20_000);

  test.each([
    [new File(["x"], "receipt.exe"), "must be a .pdf, .jpg or .png file"],
    [new File([new Uint8Array(5 * 1024 * 1024 + 1)], "receipt.png"), "larger than 5 MB"],
  ])("takes no file that the server would refuse (%#)", async (file, words) => {
    server({});
    renderApp("/user-dashboard/buy-sms");
    await fillIn(file);
    const panel = await depositPanel();
    expect(panel.getByRole("alert")).toHaveTextContent(words);
    expect(panel.getByRole("button", { name: "Fill in details" })).toHaveAccessibleDescription("Still needed: receipt");
  });

  test("wrong fields are named where they are, under the specified words", async () => {
    const refused = {
      status: 400,
      body: {
        message: "Some fields are missing or incorrect",
        code: "VALIDATION",
        fields: { tellerId: "is too odd", image: "is not what its name says" },
      },
    };
    server({ [submitCall]: refused });
    const { pathname } = renderApp("/user-dashboard/buy-sms");
    await fillIn();
    const panel = await depositPanel();
    await userEvent.click(panel.getByRole("button", { name: "Submit Details" }));
    expect(await screen.findByText("Invalid Response")).toBeVisible();
    expect(screen.getByText("This may be as a result of incomplete credentials")).toBeVisible();
    expect(panel.getByText("is too odd")).toBeVisible();
    expect(panel.getByText("is not what its name says")).toBeVisible();
    expect(pathname()).toBe("/user-dashboard/buy-sms");
  });

  test("another refusal stands near the button, and a retry is the same deposit", async () => {
    let answer: unknown = {
      status: 429,
      body: { message: "Too many attempts. Please wait a moment", code: "RATE_LIMITED" },
    };
    const requests = server({ [submitCall]: () => answer as never });
    renderApp("/user-dashboard/buy-sms");
    await fillIn();
    const panel = await depositPanel();
    const submit = async (): Promise<void> =>
      await userEvent.click(panel.getByRole("button", { name: "Submit Details" }));
    await submit();
    expect(await panel.findByText("Invalid Response")).toBeVisible();
    expect(panel.getByText("Too many attempts. Please wait a moment")).toBeVisible();
    answer = { status: 201, body: { message: "Your deposit was submitted", data: { _id: "x" } } };
    await submit();
    expect(await screen.findByText("Your deposit was submitted")).toBeVisible();
    const keys = requests
      .filter(({ call }) => call === submitCall)
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(1);
  });
});

describe("the transactions", () => {
  test("hold the invoices with their VAT, each as a file", async () => {
    const invoice = {
      _id: "01900000-0000-7000-8000-0000000000d9",
      number: "2026-000012",
      createdAt: "2026-11-25T10:00:00.000Z",
      net: 1453.49,
      vat: 109.01,
      gross: 1562.5,
      corrections: [
        {
          _id: "01900000-0000-7000-8000-0000000000da",
          number: "CN-2026-000003",
          createdAt: "2026-11-26T10:00:00.000Z",
          net: 93.02,
          vat: 6.98,
          gross: 100,
        },
      ],
    };
    server({ [`GET /api/${userId}/invoices`]: { body: { data: [invoice], next: null } } });
    renderApp("/user-dashboard/transactions");
    expect(await screen.findByText("2026-000012", {}, { timeout: 15_000 })).toBeVisible();
    const file = screen.getByText("of invoice 2026-000012").closest("a");
    expect(file).toHaveAttribute("href", `/api/${userId}/${invoice._id}/invoice`);
    expect(screen.getByText("1,453.49")).toBeVisible();
    expect(screen.getByText("109.01")).toBeVisible();
    const note = screen.getByText("of credit note CN-2026-000003").closest("a");
    expect(note).toHaveAttribute("href", `/api/${userId}/01900000-0000-7000-8000-0000000000da/invoice`);
    expect(screen.getByText(/^[-−]100(\.00)?$/)).toBeVisible();
  });

  const verified = depositOf({
    _id: "01900000-0000-7000-8000-0000000000d2",
    depositorName: "Bola",
    verified: true,
    creditedUnits: 5_000,
    decidedAt: "2026-03-06T10:00:00.000Z",
  });
  const declined = depositOf({
    _id: "01900000-0000-7000-8000-0000000000d3",
    depositorName: "Chi",
    declined: true,
    reason: "Not in the account",
    decidedAt: "2026-03-06T10:00:00.000Z",
    receiptType: "pdf",
  });

  test("an empty list says so in the specified words", async () => {
    server({});
    renderApp("/user-dashboard/transactions");
    expect(await screen.findByText("There are no transactions made currently...")).toBeVisible();
  });

  test("each shows its receipt, state and what became of it", async () => {
    server({ [listCall]: { body: { data: [depositOf(), verified, declined], next: null } } });
    renderApp("/user-dashboard/transactions");
    const cards = within(await screen.findByRole("list", { name: "Bank deposits" })).getAllByRole("listitem");
    expect(cards[0]).toHaveTextContent("₦10,000.00Waiting");
    expect(
      within(cards[0] as HTMLElement).getByRole("img", { name: "Receipt of ₦10,000.00 by Ada Example" }),
    ).toHaveAttribute("src", depositOf().image);
    expect(cards[1]).toHaveTextContent(/Verified.*5,000\.00 units credited on 6 Mar 2026/);
    expect(cards[2]).toHaveTextContent(/Declined on 6 Mar 2026.*: Not in the account/);
    const frame = within(cards[2] as HTMLElement).getByTitle("Receipt of ₦10,000.00 by Chi");
    expect(frame.tagName).toBe("IFRAME");
    expect(within(cards[2] as HTMLElement).getByRole("link", { name: /^Open the PDF/ })).toHaveAttribute(
      "href",
      declined.image,
    );
  });

  test("what an administrator decides is there without a look again", async () => {
    let deposits = [depositOf()];
    server({ [listCall]: () => ({ body: { data: deposits, next: null } }) });
    renderApp("/user-dashboard/transactions");
    expect(await screen.findByText("We are checking this deposit. To withdraw it, delete it.")).toBeVisible();
    deposits = [{ ...verified, _id: depositOf()._id }];
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["transfers", "user"] }));
    expect(await screen.findByText(/5,000\.00 units credited/)).toBeVisible();
  });

  test("state and words are asked of the server, and stand in the address", async () => {
    const requests = server({});
    renderApp("/user-dashboard/transactions?state=declined");
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    await userEvent.type(screen.getByRole("searchbox", { name: "Search depositor, teller ID or phone" }), "ada");
    await waitFor(() =>
      expect(
        requests.some(
          ({ call, query }) => call === listCall && query.includes("search=ada") && query.includes("state=declined"),
        ),
      ).toBe(true),
    );
    await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
    expect(await screen.findByText("There are no transactions made currently...")).toBeVisible();
  });

  describe("deleting", () => {
    const removeCall = `DELETE /api/${userId}/${depositOf()._id}/delete-details`;

    test("asks first, and Nope changes nothing", async () => {
      const requests = server({ [listCall]: { body: { data: [depositOf()], next: null } } });
      renderApp("/user-dashboard/transactions");
      await userEvent.click(await screen.findByRole("button", { name: /^Delete/ }));
      expect(await screen.findByText(/This withdraws the deposit/)).toBeVisible();
      await userEvent.click(screen.getByRole("button", { name: "Nope" }));
      expect(requests.some(({ call }) => call === removeCall)).toBe(false);
    });

    test("202 says Deleted Successfully, and the deposit is gone", async () => {
      let deposits = [depositOf()];
      const remove = () => {
        deposits = [];
        return { status: 202, body: { message: "Deleted Successfully" } };
      };
      server({ [listCall]: () => ({ body: { data: deposits, next: null } }), [removeCall]: remove });
      renderApp("/user-dashboard/transactions");
      await userEvent.click(await screen.findByRole("button", { name: /^Delete/ }));
      await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
      expect(await screen.findByText("Deleted Successfully")).toBeVisible();
      expect(await screen.findByText("There are no transactions made currently...")).toBeVisible();
    });

    test("anything else says Unable to delete, and the page is read again", async () => {
      const requests = server({
        [listCall]: { body: { data: [depositOf()], next: null } },
        [removeCall]: { status: 404, body: { message: "Not found", code: "NOT_FOUND" } },
      });
      renderApp("/user-dashboard/transactions");
      await userEvent.click(await screen.findByRole("button", { name: /^Delete/ }));
      const before = requests.filter(({ call }) => call === listCall).length;
      await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
      expect(await screen.findByText("Unable to delete")).toBeVisible();
      await waitFor(() => expect(requests.filter(({ call }) => call === listCall).length).toBeGreaterThan(before));
    });
  });
});
