import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, signedInServer } from "../testing/admin-answers.ts";

const key = {
  _id: "01900000-0000-7000-8000-0000000000d1",
  userID: "01900000-0000-7000-8000-000000000001",
  userName: "ada",
  email: "ada@gmail.com",
  name: "Till",
  createdAt: "2026-01-02T10:00:00.000Z",
};
const revoke = `DELETE /api/${adminId}/${key._id}/revoke-user-api-key`;

test("whose keys there are is searched, and one is ended after asking", async () => {
  let isRevoked = false;
  const requests = signedInServer({
    "GET /api/view-api-keys": () => ({ body: { data: isRevoked ? [] : [key], next: null } }),
    [revoke]: () => {
      isRevoked = true;
      return { body: { message: "The key is revoked, and a mail tells the customer" } };
    },
  });
  renderApp("/admin-dashboard/admin-assign-api");
  await userEvent.type(await screen.findByRole("searchbox"), "ada");
  await waitFor(() =>
    expect(requests.some(({ call, query }) => call === "GET /api/view-api-keys" && query === "search=ada")).toBe(true),
  );
  const press = async (answer: string): Promise<void> => {
    await userEvent.click(await screen.findByRole("button", { name: "Revoke Till of ada" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: answer }));
  };
  await press("Nope");
  expect(requests.map(({ call }) => call)).not.toContain(revoke);
  await press("Proceed");
  expect(await screen.findByText("The key is revoked, and a mail tells the customer")).toBeVisible();
  expect(await screen.findByText("Nothing matches")).toBeVisible();
});

test("a refused end of a key says why", async () => {
  signedInServer({
    "GET /api/view-api-keys": { body: { data: [key], next: null } },
    [revoke]: { status: 404, body: { message: "Not found", code: "NOT_FOUND" } },
  });
  renderApp("/admin-dashboard/admin-assign-api");
  await userEvent.click(await screen.findByRole("button", { name: "Revoke Till of ada" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Unable to revoke the key")).toBeVisible();
});
