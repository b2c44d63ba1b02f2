import type { AdminPaymentAnswer } from "@ewebal/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { signedInServer } from "../testing/admin-answers.ts";

const payment: AdminPaymentAnswer = {
  reference: "ew-0190",
  userID: "01900000-0000-7000-8000-000000000001",
  email: "ada@gmail.com",
  units: 500,
  totalKobo: 65_750,
  state: "frozen",
  frozenUnits: 200,
  takenBackUnits: 0,
  createdAt: "2026-01-02T10:00:00.000Z",
  paidAt: "2026-01-02T10:01:00.000Z",
  problem: "The provider says 600.00 naira",
  claims: [
    {
      kind: "dispute",
      state: "open",
      amountKobo: 30_000,
      units: 200,
      spentUnits: 20,
      createdAt: "2026-01-03T10:00:00.000Z",
    },
  ],
};

test("what needs a look is said in words, with its receipt", async () => {
  signedInServer({ "GET /api/view-all-payments": { body: { data: [payment], next: null } } });
  renderApp("/admin-dashboard/card-payments");
  expect(await screen.findByText("ada@gmail.com")).toBeVisible();
  expect(screen.getByText("The provider says 600.00 naira")).toBeVisible();
  expect(screen.getByText("Dispute of ₦300.00: open; 20.00 units were spent already")).toBeVisible();
  expect(screen.getByText("₦657.50")).toBeVisible();
  expect(screen.getByRole("link", { name: "Receipt" })).toHaveAttribute(
    "href",
    `/api/${payment.userID}/ew-0190/payment-receipt`,
  );
});

test("the chosen state is asked for and lies in the address", async () => {
  const requests = signedInServer({ "GET /api/view-all-payments": { body: { data: [], next: null } } });
  renderApp("/admin-dashboard/card-payments");
  expect(await screen.findByText("There are no card payments yet")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("State"), "Paid");
  expect(await screen.findByText("Nothing matches")).toBeVisible();
  await waitFor(() => expect(requests.at(-1)?.query).toBe("state=paid"));
});
