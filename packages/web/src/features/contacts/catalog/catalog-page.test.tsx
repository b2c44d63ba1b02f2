import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { catalogAnswer, catalogId, phoneNumber } from "../testing/catalog-answers.ts";

const headCall = `GET /api/${userId}/find-one-catalog`;
const contactsCall = `GET /api/${userId}/${catalogId}/contacts`;
const addCall = `POST /api/${userId}/${catalogId}/add-contacts`;
const deleteCall = (index: number): string => `DELETE /api/${catalogId}/${index}/delete-contact`;

beforeEach(() => startUserSession(userId));

type Catalog = {
  contacts: string[];
  version: number;
};

/** A server that holds one catalog; the test changes it and tells the page. */
function open(catalog: Catalog, handlers: Parameters<typeof fakeServer>[0] = {}): FakeRequest[] {
  const etag = (): string => `"${catalog.version}"`;
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [headCall]: () => ({
      body: { message: "Catalog", data: catalogAnswer({ count: catalog.contacts.length, etag: etag() }) },
    }),
    [contactsCall]: ({ query }) => {
      const wanted = new URLSearchParams(query);
      const after = wanted.get("after");
      const found = catalog.contacts
        .map((phoneNo, index) => ({ index, phoneNo }))
        .filter(({ phoneNo }) => phoneNo.includes(wanted.get("search") ?? ""));
      const behind = found.filter(({ index }) => after === null || index > Number(after));
      const page = behind.slice(0, 100);
      return { body: { data: page, next: behind.length > 100 ? String(page.at(-1)?.index) : null, etag: etag() } };
    },
    ...handlers,
  });
  renderApp(`/user-dashboard/set-catalogs/${catalogId}/x`);
  return requests;
}

const some = (count: number): Catalog => ({
  contacts: Array.from({ length: count }, (_, index) => phoneNumber(index)),
  version: 1,
});
const push = (...topics: string[]): void => act(() => FakeEventSource.opened.at(-1)?.say("change", { topics }));

describe("the page", () => {
  test("a catalog that is not there says so, and leads back", async () => {
    open(some(0), { [headCall]: { status: 404, body: { message: "Not found", code: "NOT_FOUND" } } });
    expect(await screen.findByText("Catalog not found")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Phonebook" }).at(-1)).toHaveAttribute(
      "href",
      "/user-dashboard/all-contacts",
    );
  });

  test("shows name, created date, country and count", async () => {
    open(some(3));
    expect(await screen.findByRole("heading", { name: "Ikeja customers" })).toBeVisible();
    const main = screen.getByRole("main");
    for (const words of ["3 contacts", "Nigeria (+234)", "5 Mar 2026"]) expect(main).toHaveTextContent(words);
    expect(screen.getByRole("link", { name: "Export CSV" })).toHaveAttribute(
      "href",
      `/api/${userId}/${catalogId}/export-contacts`,
    );
  });

  test("without contacts stands the specified sentence, and what to do first", async () => {
    open(some(0));
    expect(await screen.findByText("There are no contacts")).toBeVisible();
    expect(screen.queryByRole("searchbox")).toBeNull();
    expect(screen.queryByRole("link", { name: "Export CSV" })).toBeNull();
  });

  test("draws a few of many contacts, and says how many there are", async () => {
    open(some(5_000));
    const list = await screen.findByRole("list", { name: "Contacts" });
    const drawn = within(list).getAllByRole("listitem");
    expect(drawn.length).toBeLessThan(200);
    expect(drawn[0]).toHaveAttribute("aria-setsize", "5000");
    expect(screen.getByText("5,000 contacts")).toBeVisible();
  });

  test("reads what is on screen, wherever that is", async () => {
    const requests = open(some(100_000));
    await screen.findByText(phoneNumber(0));
    // jsdom lays nothing out: one column, rows of 56 px, and the list begins at the top.
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(() => new DOMRect(0, -window.scrollY));
    act(() => {
      Object.assign(window, { scrollY: 90_000 * 56, pageYOffset: 90_000 * 56 });
      window.dispatchEvent(new Event("scroll"));
    });
    expect(await screen.findByText(phoneNumber(90_000))).toBeVisible();
    const reads = requests.filter(({ call }) => call === contactsCall);
    expect(reads.length).toBeLessThan(6);
    expect(reads.some(({ query }) => query.includes("after=89999"))).toBe(true);
    Object.assign(window, { scrollY: 0, pageYOffset: 0 });
  });

  test("contacts that cannot be read say so and can be read again", async () => {
    let isDown = true;
    const catalog = some(1);
    open(catalog, {
      [contactsCall]: () =>
        isDown
          ? { status: 500, body: { message: "Something went wrong on our side", code: "INTERNAL" } }
          : { body: { data: [{ index: 0, phoneNo: phoneNumber(0) }], next: null, etag: '"1"' } },
    });
    expect(await screen.findByText("Something went wrong on our side")).toBeVisible();
    isDown = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(phoneNumber(0))).toBeVisible();
  });

  test("a search takes digits only and asks the server", async () => {
    const requests = open(some(30));
    const field = await screen.findByRole("searchbox", { name: "Search contacts by digits" });
    await userEvent.type(field, "a00x29");
    expect(field).toHaveValue("0029");
    expect(await screen.findByText("1 found")).toBeVisible();
    expect(requests.some(({ call, query }) => call === contactsCall && query.includes("search=0029"))).toBe(true);
    await userEvent.type(field, "99999");
    expect(await screen.findByText("Nothing matches")).toBeVisible();
  });

  test("what another window does is seen, also that the catalog is gone", async () => {
    const catalog = some(1);
    let isGone = false;
    open(catalog, {
      [headCall]: () =>
        isGone
          ? { status: 404, body: { message: "Not found", code: "NOT_FOUND" } }
          : { body: { message: "Catalog", data: catalogAnswer({ count: catalog.contacts.length }) } },
    });
    await screen.findByText(phoneNumber(0));
    catalog.contacts.push(phoneNumber(1));
    push("catalogs", `catalog:${catalogId}`);
    expect(await screen.findByText(phoneNumber(1))).toBeVisible();
    expect(await screen.findByText("2 contacts")).toBeVisible();
    isGone = true;
    push(`catalog:${catalogId}`);
    expect(await screen.findByText("Catalog not found")).toBeVisible();
  });
});

describe("sending to the catalog", () => {
  test("needs contacts", async () => {
    open(some(0));
    expect(await screen.findByRole("button", { name: "Send SMS" })).toHaveAccessibleDescription(
      "Still needed: contacts",
    );
  });

  test("opens the pop-up of the messages, for this catalog", async () => {
    open(some(3), {
      [`GET /api/${userId}/whitelists`]: {
        body: {
          message: "x",
          data: { senderNames: ["AdaStores"], addresses: [], isDashboardRestricted: false, requests: [] },
        },
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Send SMS" }));
    expect(await screen.findByRole("dialog", { name: "Send SMS to Ikeja customers" })).toBeVisible();
  });
});

describe("deleting a contact", () => {
  const press = async (index: number): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name: `Delete ${phoneNumber(index)}` }));
  const proceed = async (): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));

  test("asks first; Nope keeps it", async () => {
    const requests = open(some(2));
    await press(1);
    await userEvent.click(await screen.findByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
  });

  test("a list that changed meanwhile is explained and read again, and nothing goes", async () => {
    const catalog = some(2);
    open(catalog, {
      [deleteCall(1)]: () => {
        catalog.contacts.shift();
        return {
          status: 409,
          body: { message: "The list has changed. Check it and try again", code: "LIST_CHANGED" },
        };
      },
    });
    await press(1);
    await proceed();
    expect(await screen.findByText("Unable to delete contact")).toBeVisible();
    expect(screen.getByText(/The list changed, so nothing was deleted/)).toBeVisible();
    await waitFor(() => expect(screen.queryByText(phoneNumber(0))).toBeNull());
    expect(screen.getByText(phoneNumber(1))).toBeVisible();
  });

  test("a failure is told in the catalogue's words", async () => {
    open(some(1), { [deleteCall(0)]: { status: 500, body: { message: "Broken", code: "INTERNAL" } } });
    await press(0);
    await proceed();
    expect(await screen.findByText("Unable to delete contact")).toBeVisible();
    expect(screen.getByText("Check your credentials or network")).toBeVisible();
  });

  test("sends the place in the whole list and the ETag of what was seen, also from a search", async () => {
    const catalog = some(30);
    catalog.version = 7;
    const requests = open(catalog, {
      [deleteCall(29)]: () => {
        catalog.contacts.pop();
        catalog.version = 8;
        return { body: { message: "Deleted Successfully" } };
      },
    });
    await userEvent.type(await screen.findByRole("searchbox"), "0029");
    await screen.findByText("1 found");
    await press(29);
    await proceed();
    expect(await screen.findByText("Deleted Successfully")).toBeVisible();
    expect(await screen.findByText("29 contacts")).toBeVisible();
    expect(requests.find(({ call }) => call === deleteCall(29))?.headers.get("if-match")).toBe('"7"');
  });
});

describe("adding contacts", () => {
  async function openAdding(): Promise<HTMLElement> {
    await userEvent.click((await screen.findAllByRole("button", { name: "Add contacts" }))[0] as HTMLElement);
    const dialog = await screen.findByRole("dialog", { name: "Add contacts to Ikeja customers" });
    await within(dialog).findByLabelText("Phone numbers");
    return dialog;
  }
  const add = (dialog: HTMLElement): HTMLElement => within(dialog).getByRole("button", { name: "Add Contacts" });

  test("warns to pass valid numbers, and needs some", async () => {
    open(some(1));
    const dialog = await openAdding();
    expect(within(dialog).getByText("Pass valid numbers")).toBeVisible();
    expect(add(dialog)).toHaveAccessibleDescription("Still needed: phone numbers");
    expect(within(dialog).getByRole("status")).toHaveTextContent("0 contacts");
  });

  test("keeps digits and commas, and counts while one types", async () => {
    open(some(1));
    const dialog = await openAdding();
    const field = within(dialog).getByLabelText("Phone numbers");
    await userEvent.type(field, "0803 000 0001, x0805-000-0002,08050000002");
    expect(field).toHaveValue("08030000001,08050000002,08050000002");
    expect(within(dialog).getByRole("status")).toHaveTextContent("2 contacts · 1 repeated number counts once");
    expect(add(dialog)).toHaveAttribute("aria-disabled", "false");
  });

  test("wrong numbers are listed with the reason, and hold back until the valid ones alone are chosen", async () => {
    const requests = open(some(1), {
      [addCall]: {
        status: 201,
        body: {
          message: "1 contact added, 1 wrong left out",
          data: { _id: catalogId, added: 1, existing: 0, wrong: 1, message: "" },
        },
      },
    });
    const dialog = await openAdding();
    await userEvent.type(within(dialog).getByLabelText("Phone numbers"), "08030000001,12345");
    expect(within(dialog).getByRole("region", { name: "Wrong numbers" })).toHaveTextContent("2.12345is too short");
    expect(add(dialog)).toHaveAccessibleDescription("Fix the number above, or choose to add only the valid one.");
    await userEvent.click(within(dialog).getByRole("checkbox", { name: /Add only the valid ones/ }));
    await userEvent.click(add(dialog));
    expect(await screen.findByText("1 contact added, 1 wrong left out")).toBeVisible();
    expect(requests.find(({ call }) => call === addCall)?.body).toEqual({
      phoneNo: "08030000001,12345",
      onlyGood: true,
    });
  });

  test("a refusal stands in the pop-up in the catalogue's words, with what the server names", async () => {
    const rows = [
      { row: 1, value: "08030000001", reason: "wrong-code", text: "does not begin with the chosen country code" },
    ];
    open(some(1), {
      [addCall]: { status: 400, body: { message: "1 number is wrong", code: "VALIDATION", rows, wrong: 1, good: 0 } },
    });
    const dialog = await openAdding();
    await userEvent.type(within(dialog).getByLabelText("Phone numbers"), "08030000001");
    await userEvent.click(add(dialog));
    const refusal = await within(dialog).findByText("Unable to Add Contacts");
    const callout = refusal.closest<HTMLElement>("[role=alert]");
    expect(callout).toHaveTextContent("Check your credentials or network. 1 number is wrong");
    expect(callout).toHaveTextContent("Number 1: 08030000001 does not begin with the chosen country code");
  });

  test("a long list is sent to the upload page, with its catalog", async () => {
    open(some(1));
    const dialog = await openAdding();
    await userEvent.click(within(dialog).getByLabelText("Phone numbers"));
    await userEvent.paste("08030000001,".repeat(2_000));
    expect(within(dialog).getByRole("link", { name: "Upload / Insert Contacts" })).toHaveAttribute(
      "href",
      `/user-dashboard/upload-new-contacts?catalogId=${catalogId}`,
    );
    expect(within(dialog).getByLabelText("Phone numbers")).toHaveValue("");
  });

  test("a success closes the pop-up, and what was added is there", async () => {
    const catalog = some(1);
    open(catalog, {
      [addCall]: () => {
        catalog.contacts.push(phoneNumber(1));
        return {
          status: 201,
          body: { message: "Contacts added", data: { _id: catalogId, added: 1, existing: 0, wrong: 0, message: "" } },
        };
      },
    });
    const dialog = await openAdding();
    await userEvent.type(within(dialog).getByLabelText("Phone numbers"), "08030000001");
    await userEvent.click(add(dialog));
    expect(await screen.findByText("Contacts added")).toBeVisible();
    expect(await screen.findByText(phoneNumber(1))).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});
