import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { catalogAnswer, catalogId } from "../testing/catalog-answers.ts";

beforeEach(() => startUserSession(userId));

const columns = [
  { key: "name", label: "Name" },
  { key: "city", label: "City" },
];
const people = [
  { index: 0, phoneNo: "+2348030000001", fields: { name: "Ada", city: "Lagos" } },
  { index: 1, phoneNo: "+2348030000002", fields: { name: "Bola", city: "" } },
];

function open(): FakeRequest[] {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/find-one-catalog`]: {
      body: { message: "Catalog", data: catalogAnswer({ count: 2, columns }) },
    },
    [`GET /api/${userId}/${catalogId}/contacts`]: ({ query }) => {
      const wanted = new URLSearchParams(query);
      const found = people.filter(({ fields }) => fields.name.toLowerCase().includes(wanted.get("search") ?? ""));
      return { body: { data: wanted.get("order") === "desc" ? found.toReversed() : found, next: null, etag: '"1"' } };
    },
    [`PATCH /api/${userId}/${catalogId}/edit-contact`]: { body: { message: "Saved", data: people[0] } },
    [`PATCH /api/${userId}/${catalogId}/edit-catalog`]: { body: { message: "Saved" } },
  });
  renderApp(`/user-dashboard/set-catalogs/${catalogId}/x`);
  return requests;
}

test("each contact shows its fields; they are searched, sorted and edited", async () => {
  const requests = open();
  expect(await screen.findByText("Ada")).toBeVisible();
  expect(screen.getByText("Lagos")).toBeVisible();

  await userEvent.selectOptions(screen.getByLabelText("Order"), "name desc");
  await waitFor(() => expect(requests.at(-1)?.query).toContain("sort=name&order=desc"));
  await userEvent.type(screen.getByLabelText("Search contacts"), "bol");
  await waitFor(() => expect(screen.queryByText("Ada")).toBeNull());
  await userEvent.clear(screen.getByLabelText("Search contacts"));

  await userEvent.click(await screen.findByRole("button", { name: "Edit +2348030000001" }));
  const dialog = await screen.findByRole("dialog");
  const city = within(dialog).getByLabelText("City");
  expect(city).toHaveValue("Lagos");
  await userEvent.clear(city);
  await userEvent.type(city, "Jos");
  await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(requests.find(({ call }) => call.startsWith("PATCH"))?.body).toEqual({
      phoneNo: "+2348030000001",
      fields: { name: "Ada", city: "Jos" },
    }),
  );
});

test("columns are added by their labels; those that stay keep their keys", async () => {
  const requests = open();
  await userEvent.click(await screen.findByRole("button", { name: "Edit name" }));
  const field = await screen.findByLabelText("Columns beside the number");
  expect(field).toHaveValue("Name, City");
  await userEvent.type(field, ", Birthday");
  await userEvent.click(screen.getByRole("button", { name: "Save Name" }));
  await waitFor(() =>
    expect(requests.find(({ call }) => call.startsWith("PATCH"))?.body).toEqual({
      catalogName: "Ikeja customers",
      columns: [...columns, { label: "Birthday" }],
    }),
  );
});
