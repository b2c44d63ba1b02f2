import type { CodeResultsAnswer } from "@ewebal/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const call = `GET /api/${userId}/code-results`;
const results: CodeResultsAnswer = {
  sent: 40,
  verified: 30,
  expired: 8,
  days: [
    { day: "2026-11-22", sent: 0, verified: 0, expired: 0 },
    { day: "2026-11-23", sent: 40, verified: 30, expired: 8 },
  ],
};

function signedInServer(data: CodeResultsAnswer): FakeRequest[] {
  startUserSession(userId);
  return fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [call]: { body: { message: "What came of your codes", data } },
  });
}

test("the page of codes shows how many came back, each day that has any, and other days at a press", async () => {
  const requests = signedInServer(results);
  renderApp("/user-dashboard/codes");
  expect(await screen.findByText("75 % of those sent")).toBeVisible();
  expect(screen.getByText("75 %")).toBeVisible();
  expect(screen.getByText("23 Nov")).toBeVisible();
  expect(screen.queryByText("22 Nov")).toBeNull();
  const asked = (): string[] => requests.filter((request) => request.call === call).map(({ query }) => query);
  expect(asked()).toHaveLength(1);
  await userEvent.click(screen.getByRole("radio", { name: "7 days" }));
  await waitFor(() => expect(new Set(asked()).size).toBe(2));
});

test("without codes it says how to send some", async () => {
  signedInServer({ sent: 0, verified: 0, expired: 0, days: [] });
  renderApp("/user-dashboard/codes");
  expect(await screen.findByText("No codes were sent in these days")).toBeVisible();
  expect(screen.getAllByRole("link", { name: "API keys" })).not.toHaveLength(0);
});
