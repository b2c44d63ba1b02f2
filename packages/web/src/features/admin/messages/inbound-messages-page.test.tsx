import type { InboundAnswer, InboundNumberAnswer } from "@ewebal/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const listCall = "GET /api/view-unassigned-inbound";
const numbersCall = "GET /api/view-numbers";
const nothing = { body: { data: [], next: null } };
const path = "/admin-dashboard/inbound-messages";

test("says that nothing came in", async () => {
  signedInServer({ [listCall]: () => nothing, [numbersCall]: () => nothing });
  renderApp(path);
  expect(await screen.findByText("There are no inbound messages")).toBeVisible();
});

test("shows who wrote what to which number; a short code gets no plus", async () => {
  const createdAt = new Date().toISOString();
  const stop: InboundAnswer = {
    _id: "01900000-0000-7000-8000-0000000000f1",
    from: "2348030000001",
    to: "32811",
    text: "STOP",
    createdAt,
  };
  const other: InboundAnswer = {
    ...stop,
    _id: "01900000-0000-7000-8000-0000000000f2",
    from: "Acme",
    to: "2348090000000",
    text: "First\nSecond",
  };
  signedInServer({ [listCall]: () => ({ body: { data: [other, stop], next: null } }), [numbersCall]: () => nothing });
  renderApp(path);
  for (const text of ["STOP", "+2348030000001", "32811", /^First\s+Second$/, "Acme", "+2348090000000"])
    expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("link", { name: "Inbound messages" })).toHaveAttribute("href", path);
});

test("a keyword is given to a customer and taken back; one that is somebody's is refused", async () => {
  let data: InboundNumberAnswer[] = [];
  let answer = refusal(409, "STATE_CONFLICT", "This keyword of the number is assigned already");
  const pizza: InboundNumberAnswer = {
    _id: "01900000-0000-7000-8000-0000000000f3",
    number: "32811",
    keyword: "PIZZA",
    userID: ada._id,
    userName: ada.userName,
    createdAt: new Date().toISOString(),
  };
  const assignCall = `POST /api/${adminId}/assign-number`;
  const unassignCall = `DELETE /api/${adminId}/${pizza._id}/unassign-number`;
  const requests = signedInServer({
    [listCall]: () => nothing,
    [numbersCall]: () => ({ body: { data, next: null } }),
    "GET /api/view-all-users": () => ({ body: { data: [ada], next: null } }),
    [assignCall]: () => answer,
    [unassignCall]: () => ({ body: { message: "The number is nobody's now" } }),
  });
  renderApp(path);
  expect(await screen.findByText("No number is assigned")).toBeVisible();
  const button = screen.getByRole("button", { name: "Assign the number" });
  expect(button).toHaveAccessibleDescription("Still needed: a customer, a number");
  await userEvent.click(screen.getByRole("combobox", { name: /^User/ }));
  await userEvent.click(await screen.findByRole("option", { name: new RegExp(ada.email) }));
  await userEvent.type(screen.getByLabelText("Number or short code"), "32811");
  await userEvent.type(screen.getByLabelText("Keyword"), "pizza");
  await userEvent.click(button);
  expect(await screen.findByText("This keyword of the number is assigned already")).toBeVisible();
  expect(requests.find(({ call }) => call === assignCall)?.body).toEqual({
    userID: ada._id,
    number: "32811",
    keyword: "pizza",
  });
  data = [pizza];
  answer = { status: 201, body: { message: "The number is assigned", data: { _id: pizza._id } } };
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole("button", { name: `Take PIZZA of 32811 from ${ada.userName}` }));
  data = [];
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("No number is assigned")).toBeVisible();
});
