import type { AdminRateAnswer, RateEditAnswer } from "@ewebal/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import type { FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const editCall = `PATCH /api/${adminId}/edit-rate`;
const edit: RateEditAnswer = {
  _id: "01900000-0000-7000-8000-0000000000d1",
  code: "234",
  country: "Nigeria",
  rate: 4,
  from: new Date(Date.now() + 86_400_000).toISOString(),
  state: "planned",
  adminName: "ops",
  createdAt: new Date().toISOString(),
};
const nigeria: AdminRateAnswer = {
  code: "234",
  country: "Nigeria",
  rate: 3,
  transactionalRate: 3,
  specifiedRate: 3,
  isListed: true,
  planned: [],
};
const kenya: AdminRateAnswer = {
  code: "254",
  country: "Kenya",
  rate: 8,
  transactionalRate: 8,
  specifiedRate: 5.9,
  isListed: true,
  planned: [],
};
const ukraine: AdminRateAnswer = {
  code: "380",
  country: "Ukraine",
  rate: 4,
  transactionalRate: 4,
  specifiedRate: 4,
  isListed: false,
  planned: [],
};

function open(handlers: Parameters<typeof signedInServer>[0] = {}, address = "/admin-dashboard/rates"): FakeRequest[] {
  const requests = signedInServer({
    "GET /api/view-rates": { body: { message: "Rates", data: [kenya, nigeria, ukraine] } },
    "GET /api/view-rate-edits": { body: { data: [], next: null } },
    ...handlers,
  });
  renderApp(address);
  return requests;
}

const listed = async (): Promise<string[]> => {
  const list = await screen.findByRole("list", { name: "Rates by country" });
  return within(list)
    .getAllByRole("button", { name: /^Edit/ })
    .map((button) => button.getAttribute("aria-label")?.slice("Edit the rate of ".length) ?? "");
};

test("codes outside the customers' list are found by a search, or when all are wanted", async () => {
  open();
  expect(await listed()).toEqual(["Nigeria (+234)", "Kenya (+254)"]);
  await userEvent.type(screen.getByLabelText("Search country or code"), "ukr");
  await waitFor(async () => expect(await listed()).toEqual(["Ukraine (+380)"]));
  await userEvent.clear(screen.getByLabelText("Search country or code"));
  await userEvent.selectOptions(screen.getByLabelText("Show"), "Edited codes");
  await waitFor(async () => expect(await listed()).toEqual(["Kenya (+254)"]));
  expect(screen.getByText("Standard: 5.90")).toBeVisible();
});

test("a code of many countries names three, those that people know it by first, and folds the rest", async () => {
  const country = "Anguilla, Bahamas, Canada, Jamaica, United States";
  open({
    "GET /api/view-rates": { body: { message: "Rates", data: [{ ...kenya, code: "1", country }] } },
  });
  expect(await screen.findByText("United States, Canada, Anguilla")).toBeVisible();
  expect(screen.getByText("Bahamas, Jamaica")).not.toBeVisible();
  await userEvent.click(screen.getByText("and 2 more"));
  expect(screen.getByText("Bahamas, Jamaica")).toBeVisible();
  expect(screen.getByRole("button", { name: "Edit the rate of +1" })).toBeVisible();
});

test("a rate is changed after a question, and the list is read again", async () => {
  let rate = 3;
  const requests = open({
    "GET /api/view-rates": () => ({ body: { message: "Rates", data: [{ ...nigeria, rate }] } }),
    [editCall]: () => {
      rate = 3.125;
      return { body: { message: "The rate is changed", data: { ...edit, state: "current" } } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit the rate of Nigeria (+234)" }));
  const dialog = await screen.findByRole("dialog", { name: "Rate of Nigeria (+234)" });
  const submit = within(dialog).getByRole("button", { name: "Change rate" });
  expect(submit).toHaveAccessibleDescription("Still needed: a rate above 0 with at most three decimals");
  await userEvent.type(within(dialog).getByLabelText("Naira for one page"), "3.1259");
  expect(submit).toHaveAccessibleDescription(/three decimals/);
  await userEvent.type(within(dialog).getByLabelText("Naira for one page"), "{Backspace}");
  await userEvent.click(submit);
  const question = await screen.findByRole("dialog", { name: "About to change the rate of Nigeria?" });
  expect(question).toHaveTextContent("From 3.00 to 3.125 naira for one page, at once.");
  await userEvent.click(within(question).getByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("The rate is changed")).toBeVisible();
  expect(await screen.findByText("3.125")).toBeVisible();
  expect(requests.find(({ call }) => call === editCall)?.body).toEqual({ code: "234", rate: 3.125 });
});

test("a planned rate carries its time in Lagos; a refusal stands in the dialog", async () => {
  const requests = open({ [editCall]: refusal(409, "STATE_CONFLICT", "The code has this rate already") });
  await userEvent.click(await screen.findByRole("button", { name: "Edit the rate of Nigeria (+234)" }));
  const dialog = await screen.findByRole("dialog", { name: "Rate of Nigeria (+234)" });
  await userEvent.type(within(dialog).getByLabelText("Naira for one page"), "4");
  await userEvent.selectOptions(within(dialog).getByLabelText("Starts"), "At a set time");
  expect(within(dialog).getByRole("button", { name: "Plan rate" })).toHaveAccessibleDescription("Still needed: a date");
  const year = new Date().getFullYear() + 1;
  await userEvent.type(within(dialog).getByLabelText("Date"), `${year}-01-02`);
  await userEvent.click(within(dialog).getByRole("button", { name: "Plan rate" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await within(dialog).findByText("The code has this rate already")).toBeVisible();
  expect(requests.find(({ call }) => call === editCall)?.body).toEqual({
    code: "234",
    rate: 4,
    from: `${year}-01-02T00:00:00+01:00`,
  });
});

test("an edited rate goes back to the specified one", async () => {
  const requests = open({ [editCall]: { body: { message: "The rate is changed", data: edit } } });
  await userEvent.click(await screen.findByRole("button", { name: "Edit the rate of Kenya (+254)" }));
  await userEvent.click(await screen.findByRole("button", { name: "Reset to the standard rate" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("The rate is changed")).toBeVisible();
  expect(requests.find(({ call }) => call === editCall)?.body).toEqual({ code: "254", rate: null });
});

test("a planned rate is shown with its time and withdrawn after a question", async () => {
  const withdrawCall = `DELETE /api/${adminId}/${edit._id}/withdraw-rate`;
  let planned = [edit];
  open({
    "GET /api/view-rates": () => ({ body: { message: "Rates", data: [{ ...nigeria, planned }] } }),
    [withdrawCall]: () => {
      planned = [];
      return { body: { message: "The planned rate is withdrawn", data: { ...edit, state: "withdrawn" } } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Withdraw the rate planned for Nigeria (+234)" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("The planned rate is withdrawn")).toBeVisible();
  expect(await screen.findByText("Nothing planned")).toBeVisible();
});

test("what another administrator changes is on screen at once, and in the history", async () => {
  let data = [nigeria];
  let edits: RateEditAnswer[] = [];
  open({
    "GET /api/view-rates": () => ({ body: { message: "Rates", data } }),
    "GET /api/view-rate-edits": () => ({ body: { data: edits, next: null } }),
  });
  expect(await screen.findByText("No rates have been changed yet")).toBeVisible();
  data = [{ ...nigeria, rate: 3.5 }];
  edits = [
    { ...edit, rate: 3.5, state: "current" },
    { ...edit, _id: edit._id.replace(/1$/, "2"), rate: null, state: "past" },
  ];
  act(() => FakeEventSource.opened[0]?.say("change", { topics: ["rates"] }));
  expect((await screen.findAllByText("3.50")).length).toBe(2);
  expect(screen.getByText("Standard rate")).toBeVisible();
  expect(screen.getByText("Current")).toBeVisible();
});

test("a failed read can be tried again", async () => {
  let isAway = true;
  open({
    "GET /api/view-rates": () =>
      isAway
        ? refusal(403, "FORBIDDEN", "You don't have access to this")
        : { body: { message: "Rates", data: [nigeria] } },
  });
  const retry = await screen.findByRole("button", { name: /again/i });
  isAway = false;
  await userEvent.click(retry);
  expect(await listed()).toEqual(["Nigeria (+234)"]);
});

test("a class of its own rate is shown, asked for and named wherever the rate stands", async () => {
  const planned = { ...edit, class: "transactional" as const };
  const dear = { ...nigeria, transactionalRate: 5, planned: [planned] };
  const requests = open({
    "GET /api/view-rates": { body: { message: "Rates", data: [dear] } },
    "GET /api/view-rate-edits": { body: { data: [planned], next: null } },
    [editCall]: { body: { message: "The rate is changed", data: planned } },
  });
  expect(await screen.findByText("Transactional: 5.00")).toBeVisible();
  expect(screen.getByText("Standard: 3.00")).toBeVisible();
  expect(await screen.findByText("4.00 (transactional)")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Edit the rate of Nigeria (+234)" }));
  const dialog = await screen.findByRole("dialog", { name: "Rate of Nigeria (+234)" });
  expect(dialog).toHaveTextContent("Now 3.00 promotional and 5.00 transactional, standard rate 3.00.");
  await userEvent.type(within(dialog).getByLabelText("Naira for one page"), "6");
  await userEvent.selectOptions(within(dialog).getByLabelText("For"), "Transactional messages only");
  await userEvent.click(within(dialog).getByRole("button", { name: "Change rate" }));
  const question = await screen.findByRole("dialog", { name: "About to change the rate of Nigeria?" });
  expect(question).toHaveTextContent("From 5.00 to 6.00 naira for one page of a transactional message, at once.");
  await userEvent.click(within(question).getByRole("button", { name: "Proceed" }));
  await waitFor(() =>
    expect(requests.find(({ call }) => call === editCall)?.body).toEqual({
      code: "234",
      rate: 6,
      class: "transactional",
    }),
  );
});

test("tiers are added to those that are there, and removed", async () => {
  let data = [{ unitsPerMonth: 1_000, discountPercent: 2.5 }];
  const setCall = `PATCH /api/${adminId}/set-tiers`;
  const requests = open({
    "GET /api/view-tiers": () => ({ body: { message: "Tiers", data } }),
    [setCall]: ({ body }) => {
      data = body as typeof data;
      return { body: { message: "The tiers are changed", data } };
    },
  });
  expect(await screen.findByText("1,000 or more")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Add a tier" }));
  const submit = screen.getByRole("button", { name: "Save the tier" });
  expect(submit).toHaveAccessibleDescription("Still needed: units a month, a discount above 0 percent");
  await userEvent.type(screen.getByLabelText("Units a month"), "50,000");
  await userEvent.type(screen.getByLabelText("Discount in percent"), "10");
  await userEvent.click(submit);
  expect(await screen.findByText("50,000 or more")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Remove the tier of 1,000 units" }));
  await waitFor(() => expect(screen.queryByText("1,000 or more")).toBeNull());
  expect(requests.filter(({ call }) => call === setCall).map(({ body }) => body)).toEqual([
    [
      { unitsPerMonth: 1_000, discountPercent: 2.5 },
      { unitsPerMonth: 50_000, discountPercent: 10 },
    ],
    [{ unitsPerMonth: 50_000, discountPercent: 10 }],
  ]);
});
