import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const path = `/admin-dashboard/manage-all-users/more-details-about-user/${ada._id}`;
const allowCall = `PATCH /api/${adminId}/allow-transactional`;

test("a customer is allowed to send transactional messages after a question, and no longer; a refusal is told", async () => {
  let maySendTransactional = false;
  let isRefused = true;
  const requests = signedInServer({
    [`GET /api/${ada._id}/view-one-user`]: { body: { message: "User", data: ada } },
    [`GET /api/${ada._id}/daily-limits`]: () => ({
      body: {
        message: "Daily limits",
        data: { recipientsMax: 10_000_000, limits: [], callsPerSecond: 100, maySendTransactional },
      },
    }),
    [allowCall]: ({ body }) => {
      if (isRefused) return refusal(403, "FORBIDDEN", "Your role may not do this");
      maySendTransactional = (body as { allowed: boolean }).allowed;
      return { body: { message: "Done" } };
    },
  });
  const sent = () => requests.filter(({ call }) => call === allowCall).map(({ body }) => body);
  const press = async (name: string, verb: "Nope" | "Proceed"): Promise<void> => {
    await userEvent.click(await screen.findByRole("button", { name }));
    await userEvent.click(await screen.findByRole("button", { name: verb }));
  };
  renderApp(path);
  expect(await screen.findByText("Not allowed")).toBeVisible();
  await press("Allow transactional messages", "Nope");
  expect(sent()).toEqual([]);
  await press("Allow transactional messages", "Proceed");
  expect(await screen.findByText("Your role may not do this")).toBeVisible();
  expect(screen.getByText("Not allowed")).toBeVisible();
  isRefused = false;
  await press("Allow transactional messages", "Proceed");
  expect(await screen.findByText("Allowed")).toBeVisible();
  await press("Stop transactional messages", "Proceed");
  expect(await screen.findByText("Not allowed")).toBeVisible();
  expect(sent().at(-2)).toEqual({ userId: ada._id, allowed: true });
  expect(sent().at(-1)).toEqual({ userId: ada._id, allowed: false });
});
