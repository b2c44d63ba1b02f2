import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";

const rates = [
  { country: "Ghana", code: "233", rate: 16.5, transactionalRate: 20 },
  { country: "Nigeria", code: "234", rate: 3, transactionalRate: 3 },
];

beforeEach(() => startUserSession(userId));

const open = (handler: Parameters<typeof fakeServer>[0][string] = { body: { data: rates } }): void => {
  fakeServer({ [`GET /api/${userId}/view-one-user`]: { body: userAnswer }, "GET /api/rates": handler });
  renderApp("/user-dashboard/purchase-options");
};

test("rates can be searched by country or code, and cleared", async () => {
  open();
  expect(await screen.findByText("16.50")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Search country or code"), "+234");
  expect(await screen.findByText("1 of 2 countries")).toBeVisible();
  expect(screen.queryByText("16.50")).not.toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("Search country or code"), "9");
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("2 of 2 countries")).toBeVisible();
});

test("the calculator multiplies contacts, pages and the rate", async () => {
  open();
  await screen.findByText("16.50");
  await userEvent.clear(screen.getByLabelText("Contacts"));
  await userEvent.type(screen.getByLabelText("Contacts"), "0250");
  await userEvent.clear(screen.getByLabelText("Pages"));
  await userEvent.type(screen.getByLabelText("Pages"), "2");
  expect(screen.getByText("₦1,500.00")).toBeVisible();
});

test("rates that cannot be read can be tried again", async () => {
  open({ status: 500, body: { message: "Something went wrong on our side", code: "INTERNAL" } });
  expect(await screen.findByText("Something went wrong on our side")).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a country whose transactional messages cost something else says so, and no other", async () => {
  open();
  expect(await screen.findByText("Transactional 20.00")).toBeVisible();
  expect(screen.getAllByText(/^Transactional/)).toHaveLength(1);
  expect(screen.queryByText(/A transactional page costs/)).not.toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText("Country"), "Ghana (+233)");
  expect(screen.getByText(/A transactional page costs ₦20.00/)).toBeVisible();
});
