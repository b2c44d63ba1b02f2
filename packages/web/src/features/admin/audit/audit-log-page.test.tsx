import { screen, waitFor } from "@testing-library/react";
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
test("the audit log names who did what to whom, and what changed", async () => {
  const entry = {
    _id: "01900000-0000-7000-8000-0000000000e1",
    adminID: adminId,
    adminName: "ops",
    adminEmail: "ops@ewebal.com",
    action: "update-user",
    subjectID: key.userID,
    subject: { name: "Ada Stores", email: "shop@gmail.com" },
    before: { userName: "ada" },
    after: { userName: "adaeze" },
    address: "203.0.113.9",
    createdAt: "2026-01-02T10:00:00.000Z",
  };
  const requests = signedInServer({
    "GET /api/view-audit-entries": { body: { data: [entry], next: null } },
    "GET /api/view-audit-state": {
      body: {
        message: "The audit is whole",
        data: { isWhole: true, checkedAt: "2026-01-02T11:00:00.000Z", entries: 1 },
      },
    },
  });
  renderApp(`/admin-dashboard/audit-log?subjectId=${key.userID}`);
  const sentence = await screen.findByText(/^changed the user name/);
  expect(sentence).toHaveTextContent("ops changed the user name of shop@gmail.com.");
  const change = screen.getByText("user name: ada → adaeze");
  expect(change).not.toBeVisible();
  await userEvent.click(screen.getByText("Details"));
  expect(change).toBeVisible();
  expect(screen.getByRole("link", { name: "Everything by ops" })).toHaveAttribute(
    "href",
    `/admin-dashboard/audit-log?adminId=${adminId}`,
  );
  expect(screen.getByText("203.0.113.9")).toBeVisible();
  expect(requests.find(({ call }) => call === "GET /api/view-audit-entries")?.query).toBe(`subjectId=${key.userID}`);
  expect(await screen.findByText(/^1 entry, checked .*: none was changed or removed\.$/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Download JSON lines" })).toHaveAttribute(
    "href",
    `/api/view-audit-entries?subjectId=${key.userID}&format=jsonl`,
  );
});

test("is filtered by person, kind and day; nonsense in the address is not asked", async () => {
  const requests = signedInServer({
    "GET /api/view-audit-entries": { body: { data: [], next: null } },
    "GET /api/view-audit-state": {
      body: { message: "", data: { isWhole: true, checkedAt: "2026-01-02T11:00:00.000Z", entries: 2 } },
    },
  });
  renderApp("/admin-dashboard/audit-log?kind=nonsense&from=yesterday&to=2026-03-31");
  expect(await screen.findByText("Nothing matches")).toBeVisible();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search administrators" }), "ada@ewebal");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Kind" }), "Money and rates");
  await waitFor(() => {
    const asked = requests.findLast(({ call }) => call === "GET /api/view-audit-entries")?.query;
    expect(Object.fromEntries(new URLSearchParams(asked))).toEqual({
      person: "ada@ewebal",
      kind: "money",
      to: "2026-03-31",
    });
  });
  expect(screen.getByRole("link", { name: "Download CSV" })).toHaveAttribute(
    "href",
    "/api/view-audit-entries?person=ada%40ewebal&kind=money&to=2026-03-31&format=csv",
  );
});

test("an audit whose chain is broken says so", async () => {
  signedInServer({
    "GET /api/view-audit-entries": { body: { data: [], next: null } },
    "GET /api/view-audit-state": {
      body: { message: "", data: { isWhole: false, checkedAt: "2026-01-02T11:00:00.000Z", entries: 2 } },
    },
  });
  renderApp("/admin-dashboard/audit-log");
  expect(await screen.findByRole("alert")).toHaveTextContent("Entries were changed or removed");
});
