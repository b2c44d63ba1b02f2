import type { CatalogAnswer } from "@ewebal/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { catalogAnswer, catalogId } from "../testing/catalog-answers.ts";

const listCall = `GET /api/${userId}/populate-catalogs`;
const createCall = `POST /api/${userId}/create-catalog`;
const editCall = `PATCH /api/${userId}/${catalogId}/edit-catalog`;
const deleteCall = `DELETE /api/${userId}/${catalogId}/delete-catalog`;

beforeEach(() => startUserSession(userId));

/** A server that holds these catalogs; the test changes them and tells the page. */
function open(catalogs: CatalogAnswer[], handlers: Parameters<typeof fakeServer>[0] = {}, search = ""): FakeRequest[] {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [listCall]: ({ query }) => {
      const wanted = new URLSearchParams(query).get("search")?.toLowerCase() ?? "";
      return {
        body: { data: catalogs.filter(({ catalogName }) => catalogName.toLowerCase().includes(wanted)), next: null },
      };
    },
    ...handlers,
  });
  renderApp(`/user-dashboard/all-contacts${search}`);
  return requests;
}

const push = (...topics: string[]): void => act(() => FakeEventSource.opened.at(-1)?.say("change", { topics }));

async function openCreation(): Promise<HTMLElement> {
  await userEvent.click(await screen.findByRole("button", { name: "Create New Catalog" }));
  const dialog = await screen.findByRole("dialog", { name: "Create New Catalog" });
  await within(dialog).findByLabelText("Catalog name");
  return dialog;
}

describe("the list", () => {
  test("without catalogs stands the specified sentence, and what to do first", async () => {
    open([]);
    expect(await screen.findByText("There are no catalogs here...")).toBeVisible();
    expect(screen.getByRole("button", { name: "Create your first catalog" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Upload a CSV file" })).toHaveAttribute(
      "href",
      "/user-dashboard/upload-new-contacts",
    );
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  test("a catalog shows name, country, count and when it was made, and leads to its page", async () => {
    open([catalogAnswer({ count: 12_345 })]);
    const link = await screen.findByRole("link", { name: "Ikeja customers" });
    expect(link.getAttribute("href")).toMatch(new RegExp(`^/user-dashboard/set-catalogs/${catalogId}/[0-9a-f]+$`));
    const card = link.closest("li");
    expect(card).toHaveTextContent("12,345 contacts");
    expect(card).toHaveTextContent("Nigeria (+234)");
    expect(card?.querySelector("time")).toHaveAttribute("title", expect.stringContaining("2026"));
  });

  test("a search asks the server and stands in the address; nothing found offers to clear it", async () => {
    const requests = open([catalogAnswer()]);
    await userEvent.type(await screen.findByRole("searchbox"), "abuja");
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    expect(requests.some(({ call, query }) => call === listCall && query.includes("search=abuja"))).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByText("Ikeja customers")).toBeVisible();
  });

  test("a list that cannot be read says so and can be read again", async () => {
    let isDown = true;
    open([], {
      [listCall]: () =>
        isDown
          ? { status: 500, body: { message: "Something went wrong on our side", code: "INTERNAL" } }
          : { body: { data: [catalogAnswer()], next: null } },
    });
    expect(await screen.findByText("Something went wrong on our side")).toBeVisible();
    isDown = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Ikeja customers")).toBeVisible();
  });

  test("what another window does is seen", async () => {
    const catalogs = [catalogAnswer()];
    open(catalogs);
    await screen.findByText("Ikeja customers");
    catalogs[0] = catalogAnswer({ catalogName: "Lagos customers" });
    push("catalogs");
    expect(await screen.findByText("Lagos customers")).toBeVisible();
  });
});

describe("creating", () => {
  test("the button is inert without a name, and the empty field says so", async () => {
    const requests = open([catalogAnswer()], {
      [createCall]: { status: 201, body: { message: "Created", data: { _id: catalogId } } },
    });
    const dialog = await openCreation();
    const button = within(dialog).getByRole("button", { name: "Create Catalog" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription("Still needed: catalog name");
    const name = within(dialog).getByLabelText("Catalog name");
    expect(name).toHaveFocus();
    expect(within(dialog).queryByText("Fill in this field!!!")).toBeNull();
    await userEvent.click(button);
    expect(within(dialog).getByText("Fill in this field!!!")).toBeVisible();
    expect(name).toHaveAttribute("maxlength", "50");
    expect(requests.some(({ call }) => call === createCall)).toBe(false);
  });

  test("an empty pop-up closes without a word about the field, by Escape and by its button", async () => {
    open([catalogAnswer()]);
    let isTold = false;
    const watch = new MutationObserver(() => {
      isTold ||= screen.queryByText("Fill in this field!!!") !== null;
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    const close: (() => Promise<unknown>)[] = [
      async () => await userEvent.keyboard("{Escape}"),
      async () => await userEvent.click(screen.getByRole("button", { name: "Close" })),
    ];
    for (const shut of close) {
      const dialog = await openCreation();
      expect(within(dialog).getByLabelText("Catalog name")).toHaveFocus();
      await shut();
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
    watch.disconnect();
    expect(isTold).toBe(false);
  });

  test.each([
    [
      { status: 500, body: { message: "Broken", code: "INTERNAL" } },
      "Error creating catalog",
      "Check your network connectivity",
    ],
    [
      { status: 402, body: { message: "At most 1,000 catalogs", code: "LIMIT_REACHED" } },
      "Error creating catalog",
      "Check your network connectivity. At most 1,000 catalogs",
    ],
    ["offline" as const, "Error creating catalog", "Check your network connectivity"],
  ])("a refusal stands in the pop-up in the catalogue's words (%#)", async (answer, title, text) => {
    open([catalogAnswer()], { [createCall]: answer });
    const dialog = await openCreation();
    await userEvent.type(within(dialog).getByLabelText("Catalog name"), "Abuja");
    await userEvent.click(within(dialog).getByRole("button", { name: "Create Catalog" }));
    const refusal = await within(dialog).findByRole("alert");
    expect(refusal).toHaveTextContent(title);
    expect(within(refusal).getByText(text)).toBeVisible();
  });

  test("the name goes trimmed with the country, the pop-up closes, and the catalog is there", async () => {
    const catalogs = [catalogAnswer()];
    const requests = open(catalogs, {
      [createCall]: () => {
        catalogs.unshift(
          catalogAnswer({ _id: "01900000-0000-7000-8000-0000000000c2", catalogName: "Abuja", count: 0 }),
        );
        return { status: 201, body: { message: "Catalog created", data: { _id: catalogId } } };
      },
    });
    const dialog = await openCreation();
    await userEvent.type(within(dialog).getByLabelText("Catalog name"), " Abuja {Enter}");
    expect(await screen.findByText("Catalog created")).toBeVisible();
    expect(await screen.findByRole("link", { name: "Abuja" })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const sent = requests.find(({ call }) => call === createCall);
    expect(sent?.body).toEqual({ catalogName: "Abuja", code: "234" });
    expect(sent?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("renaming", () => {
  async function openEditing(): Promise<HTMLElement> {
    await userEvent.click(await screen.findByRole("button", { name: "Edit the name of Ikeja customers" }));
    const dialog = await screen.findByRole("dialog", { name: "Edit Catalog Name" });
    await within(dialog).findByDisplayValue("Ikeja customers");
    return dialog;
  }

  test("needs another name, and one at all", async () => {
    open([catalogAnswer()]);
    const dialog = await openEditing();
    const button = within(dialog).getByRole("button", { name: "Save Name" });
    expect(button).toHaveAccessibleDescription("Still needed: another name");
    await userEvent.clear(within(dialog).getByLabelText("Catalog name"));
    expect(button).toHaveAccessibleDescription("Still needed: catalog name");
    expect(within(dialog).getByText("Fill in this field!!!")).toBeVisible();
  });

  test("a refusal says Can't Edit, with the server's reason", async () => {
    open([catalogAnswer()], { [editCall]: { status: 404, body: { message: "Not found", code: "NOT_FOUND" } } });
    const dialog = await openEditing();
    await userEvent.type(within(dialog).getByLabelText("Catalog name"), "!");
    await userEvent.click(within(dialog).getByRole("button", { name: "Save Name" }));
    expect(await within(dialog).findByText("Can't Edit")).toBeVisible();
    expect(within(dialog).getByText("Not found")).toBeVisible();
  });

  test("the new name is sent and shown", async () => {
    const catalogs = [catalogAnswer()];
    const requests = open(catalogs, {
      [editCall]: () => {
        catalogs[0] = catalogAnswer({ catalogName: "Ikeja" });
        return { body: { message: "Catalog renamed" } };
      },
    });
    const dialog = await openEditing();
    const name = within(dialog).getByLabelText("Catalog name");
    await userEvent.clear(name);
    await userEvent.type(name, "Ikeja");
    await userEvent.click(within(dialog).getByRole("button", { name: "Save Name" }));
    expect(await screen.findByText("Catalog renamed")).toBeVisible();
    expect(await screen.findByRole("link", { name: "Ikeja" })).toBeVisible();
    expect(requests.find(({ call }) => call === editCall)?.body).toEqual({ catalogName: "Ikeja" });
  });
});

describe("deleting", () => {
  test("asks first and names what goes; Nope keeps it", async () => {
    const requests = open([catalogAnswer({ count: 5_000 })]);
    await userEvent.click(await screen.findByRole("button", { name: "Delete Ikeja customers" }));
    expect(await screen.findByRole("dialog", { name: "Delete Ikeja customers?" })).toHaveTextContent(
      "This deletes its 5,000 contacts",
    );
    await userEvent.click(screen.getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call === deleteCall)).toBe(false);
  });

  test("a deletion that fails keeps it and says why", async () => {
    open([catalogAnswer()], { [deleteCall]: "offline" });
    await userEvent.click(await screen.findByRole("button", { name: "Delete Ikeja customers" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("No Internet Connection")).toBeVisible();
    expect(screen.getByText("Ikeja customers")).toBeVisible();
  });

  test("Proceed deletes, says so, and it is gone", async () => {
    const catalogs = [catalogAnswer()];
    open(catalogs, {
      [deleteCall]: () => {
        catalogs.length = 0;
        return { body: { message: "Deleted Successfully" } };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Delete Ikeja customers" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Deleted Successfully")).toBeVisible();
    expect(await screen.findByText("There are no catalogs here...")).toBeVisible();
  });
});
