import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { ListedAdminAnswer } from "@ewebal/contract";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminAnswer, adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });

const otherId = "01900000-0000-7000-8000-0000000000b1";
const owner = { ...adminAnswer, data: { ...adminAnswer.data, role: "owner" } };
const self: ListedAdminAnswer = {
  _id: adminId,
  adminName: "ops",
  adminFullName: "Ops Example",
  email: "ops@ewebal.com",
  role: "owner",
  state: "active",
  hasTwoFactor: true,
  lastSignInAt: "2026-01-01T10:00:00.000Z",
  createdAt: "2026-01-01T10:00:00.000Z",
};
const other: ListedAdminAnswer = {
  ...self,
  _id: otherId,
  adminName: "bola",
  adminFullName: "Bola Ade",
  email: "bola@ewebal.com",
  role: "admin",
  state: "waiting",
  hasTwoFactor: false,
  lastSignInAt: null,
};

function server(rows: ListedAdminAnswer[], handlers: Parameters<typeof signedInServer>[0] = {}) {
  return signedInServer({
    [`GET /api/${adminId}/view-one-admin`]: { body: owner },
    "GET /api/view-admins": { body: { data: rows, next: null } },
    ...handlers,
  });
}

async function rowOf(text: string): Promise<HTMLElement> {
  const row = (await screen.findByText(text)).closest("li");
  if (row === null) throw new Error(`${text} has no row`);
  return row;
}

describe("the owners' page", () => {
  test("is in the menu of owners alone", async () => {
    server([self]);
    const { unmount } = renderApp("/admin-dashboard/administrators");
    expect(await screen.findByRole("link", { name: "Administrators" })).toBeVisible();
    unmount();
    signedInServer({ "GET /api/view-admins": refusal(403, "FORBIDDEN", "You don't have access to this") });
    renderApp("/admin-dashboard/administrators");
    expect(await screen.findByText(/You don't have access to this/)).toBeVisible();
    expect(screen.queryByRole("link", { name: "Administrators" })).toBeNull();
  });

  test("says of each who, as what, and since when; of oneself nothing can be changed", async () => {
    server([other, self]);
    renderApp("/admin-dashboard/administrators");
    const row = await rowOf("Bola Ade");
    for (const text of ["bola@ewebal.com", "Waiting", "Off", "Never"]) expect(row).toHaveTextContent(text);
    expect(within(row).queryByRole("button", { name: "Turn two-factor off Bola Ade" })).toBeNull();
    expect(within(row).getByRole("combobox", { name: "Role of Bola Ade" })).toHaveValue("admin");
    const own = await rowOf("ops@ewebal.com");
    expect(own).toHaveTextContent("You");
    expect(within(own).queryByRole("button")).toBeNull();
  });

  test.each([
    ["waiting", "Approve", "approve-admin", "PATCH"],
    ["active", "Block", "block-admin", "PATCH"],
    ["blocked", "Unblock", "unblock-admin", "PATCH"],
    ["active", "Remove", "remove-admin", "DELETE"],
    ["active", "Turn two-factor off", "turn-off-two-factor", "PATCH"],
  ] as const)("%s: %s is asked about, sent and told", async (state, word, verb, method) => {
    const call = `${method} /api/${adminId}/${otherId}/${verb}`;
    const requests = server([{ ...other, state, hasTwoFactor: true }, self], {
      [call]: { body: { message: "Done as asked" } },
    });
    renderApp("/admin-dashboard/administrators");
    await userEvent.click(await screen.findByRole("button", { name: `${word} Bola Ade` }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Done as asked")).toBeVisible();
    expect(requests.filter((request) => request.call === call)).toHaveLength(1);
  });

  test("a role is chosen; the last owner's refusal is told", async () => {
    const call = `PATCH /api/${adminId}/${otherId}/set-admin-role`;
    const requests = server([{ ...other, state: "active" }, self], {
      [call]: refusal(409, "LAST_OWNER", "This is the last owner"),
    });
    renderApp("/admin-dashboard/administrators");
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Role of Bola Ade" }), "finance");
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText(/This is the last owner/)).toBeVisible();
    expect(requests.findLast((request) => request.call === call)?.body).toEqual({ role: "finance" });
  });

  test("a mailbox is invited with a role", async () => {
    const call = `POST /api/${adminId}/invite-admin`;
    const requests = server([self], {
      [call]: { status: 201, body: { message: "new@ewebal.com is invited. A mail was sent" } },
    });
    renderApp("/admin-dashboard/administrators");
    await userEvent.type(await screen.findByLabelText("Email"), "new@ewebal.com");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Role" }), "support");
    await userEvent.click(screen.getByRole("button", { name: "Invite" }));
    expect(await screen.findByText("new@ewebal.com is invited. A mail was sent")).toBeVisible();
    expect(requests.findLast((request) => request.call === call)?.body).toEqual({
      email: "new@ewebal.com",
      role: "support",
    });
  });
});
