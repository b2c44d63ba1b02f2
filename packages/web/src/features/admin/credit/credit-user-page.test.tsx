import { configure, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, bola, refusal, signedInServer } from "../testing/admin-answers.ts";

// Whole pages take their time on a machine that is busy with everything else.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const usersCall = "GET /api/view-all-users";

describe("crediting a user", () => {
  const call = `PATCH /api/${adminId}/credit-a-user`;
  const adaCall = `GET /api/${ada._id}/view-one-user`;

  const choose = async (email: string): Promise<void> => {
    await userEvent.click(await screen.findByRole("combobox", { name: "User" }));
    await userEvent.click(await screen.findByRole("option", { name: new RegExp(email) }));
  };
  const enterUnits = async (text: string): Promise<void> => {
    await userEvent.click(await screen.findByLabelText("SMS credit (units)"));
    await userEvent.paste(text);
  };
  const credit = async (): Promise<void> => {
    await userEvent.click(screen.getByRole("button", { name: "Credit User" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  };
  const keysOf = (requests: ReturnType<typeof signedInServer>): (string | null)[] =>
    requests.filter((request) => request.call === call).map(({ headers }) => headers.get("idempotency-key"));

  test("the button is inert until a user is chosen, and the field takes digits only", async () => {
    signedInServer({});
    renderApp("/admin-dashboard/credit-a-user");
    await enterUnits("1,5x00");
    expect(screen.getByLabelText("SMS credit (units)")).toHaveValue("1500");
    expect(screen.getByRole("button", { name: "Credit User" })).toHaveAccessibleDescription("Still needed: a user");
  });

  test("asks with the name, the amount in words and the balance of now, not of the list", async () => {
    const requests = signedInServer({
      [usersCall]: { body: { data: [ada], next: null } },
      [adaCall]: { body: { message: "User", data: { ...ada, units: 2000.5 } } },
    });
    renderApp("/admin-dashboard/credit-a-user");
    await choose(ada.email);
    expect(await screen.findByText("2,000.50")).toBeVisible();
    await enterUnits("1500");
    await userEvent.click(screen.getByRole("button", { name: "Credit User" }));
    const dialog = await screen.findByRole("dialog", { name: "About to credit ada?" });
    expect(dialog).toHaveTextContent(
      "1,500.00 units (one thousand five hundred) for Ada Example, ada@gmail.com. The new balance will be 3,500.50 units. A mail will be sent to the user.",
    );
    await userEvent.click(within(dialog).getByRole("button", { name: "Nope" }));
    expect(keysOf(requests)).toEqual([]);
  });

  test("a retry after a lost answer carries the same key; after a success the next credit has another", async () => {
    let isOffline = true;
    const requests = signedInServer({
      [usersCall]: { body: { data: [ada], next: null } },
      [adaCall]: { body: { message: "User", data: ada } },
      [call]: () => {
        if (isOffline) throw new TypeError("Failed to fetch");
        return { body: { message: "ada was credited with 100 units. A mail was sent", data: { units: 1334.5 } } };
      },
    });
    renderApp("/admin-dashboard/credit-a-user");
    await choose(ada.email);
    await enterUnits("100");
    await credit();
    expect(await screen.findByRole("alert")).toHaveTextContent(/No Internet Connection.*credited only once/);
    isOffline = false;
    await credit();
    expect(await screen.findByText("ada was credited with 100 units. A mail was sent")).toBeVisible();
    expect(screen.getByText("The balance is now 1,334.50 units")).toBeVisible();
    expect(screen.getByRole("button", { name: "Credit User" })).toHaveAccessibleDescription(
      "Still needed: a user, units",
    );
    await choose(ada.email);
    await enterUnits("100");
    await credit();
    const [first, retry, next] = keysOf(requests);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(retry).toBe(first);
    expect(next).not.toBe(first);
    expect(requests.findLast((request) => request.call === call)?.body).toEqual({
      email: "ada@gmail.com",
      units: "100",
    });
  });

  test("a refusal is a Credentials Error, and the form stays filled", async () => {
    signedInServer({
      [usersCall]: { body: { data: [ada], next: null } },
      [adaCall]: { body: { message: "User", data: ada } },
      [call]: refusal(404, "EMAIL_UNKNOWN", "There is no account with this email"),
    });
    renderApp("/admin-dashboard/credit-a-user");
    await choose(ada.email);
    await enterUnits("100");
    await credit();
    expect(await screen.findByRole("alert")).toHaveTextContent("Credentials ErrorThere is no account with this email");
    expect(screen.getByLabelText("SMS credit (units)")).toHaveValue("100");
  });

  test("the server is asked for what is typed", async () => {
    const addresses: string[] = [];
    signedInServer({ [usersCall]: { body: { data: [ada, bola], next: "more" } } });
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", async (address: string, options: RequestInit) => {
      addresses.push(address);
      return await fetch(address, options);
    });
    renderApp("/admin-dashboard/credit-a-user");
    await userEvent.type(await screen.findByRole("combobox", { name: "User" }), "bola");
    await vi.waitFor(() => expect(addresses).toContain("/api/view-all-users?search=bola&sort=email&limit=50"));
    expect(await screen.findByText(/Not all users are shown/)).toBeVisible();
  });
});
