import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { fakeUpload } from "../../../testing/fake-upload.ts";
import { renderApp, type RenderedApp } from "../../../testing/render-app.tsx";
import { catalogAnswer, catalogId } from "../testing/catalog-answers.ts";
import { inlineCsvWorker } from "../testing/inline-csv-worker.ts";

const uploadNew = `POST /api/${userId}/upload-to-new-tel`;
const uploadExisting = `POST /api/${userId}/${catalogId}/upload-to-existing-tel`;
const insertNew = `POST /api/${userId}/insert-to-new-tel`;
const insertExisting = `POST /api/${userId}/${catalogId}/insert-to-existing-tel`;
const added: FakeAnswer = {
  status: 201,
  body: { message: "Contacts added", data: { _id: catalogId, added: 2, existing: 1, wrong: 0 } },
};
const messy = "Name,Phone,Mobile\nAda,08030000001,08050000001\nBola,8003000009,08050000002\nChi,08030000001,\n";

let csvWorker: ReturnType<typeof inlineCsvWorker>;

beforeEach(() => {
  startUserSession(userId);
  fakeUpload();
  csvWorker = inlineCsvWorker();
});

function open(handlers: Parameters<typeof fakeServer>[0] = {}, query = ""): RenderedApp & { requests: FakeRequest[] } {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/populate-catalogs`]: { body: { data: [catalogAnswer()], next: null } },
    [`GET /api/${userId}/find-one-catalog`]: { body: { message: "Catalog", data: catalogAnswer() } },
    ...handlers,
  });
  return { ...renderApp(`/user-dashboard/upload-new-contacts${query}`), requests };
}

const addButton = (): HTMLElement => screen.getByRole("button", { name: /^Add to/ });
const typeName = async (): Promise<void> => await userEvent.type(await screen.findByLabelText("Catalog name"), "Abuja");

async function chooseFile(content: string, name = "contacts.csv"): Promise<void> {
  await screen.findByRole("button", { name: "Choose a file" });
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (input === null) throw new Error("no file field");
  await userEvent.upload(input, new File([content], name), { applyAccept: false });
}

async function insertNumbers(text: string): Promise<void> {
  await userEvent.click(await screen.findByRole("radio", { name: "Insert numbers" }));
  await userEvent.click(screen.getByLabelText("Phone numbers"));
  await userEvent.paste(text);
}

function field(requests: FakeRequest[], call: string, name: string): FormDataEntryValue | null {
  const sent = requests.find((request) => request.call === call);
  if (sent === undefined) throw new Error(`nothing was sent to ${call}`);
  return (sent.body as FormData).get(name);
}

describe("what is still needed", () => {
  test("a name and a file, or a catalog and numbers", async () => {
    open();
    await screen.findByRole("heading", { name: "Upload and Insert Contacts" });
    expect(addButton()).toHaveAccessibleDescription("Still needed: catalog name, a file");
    await userEvent.click(screen.getByRole("radio", { name: "Existing catalog" }));
    await userEvent.click(screen.getByRole("radio", { name: "Insert numbers" }));
    expect(addButton()).toHaveAccessibleDescription("Still needed: catalog, phone numbers");
    expect(screen.getByRole("link", { name: "CSV template" })).toHaveAttribute("href", "/api/contacts-template");
  });

  test("a name that is left empty says so", async () => {
    open();
    await userEvent.click(await screen.findByLabelText("Catalog name"));
    await userEvent.tab();
    expect(screen.getByText("Fill in this field!!!")).toBeVisible();
  });
});

describe("a file that cannot be taken", () => {
  test.each([
    ["numbers", "contacts.pdf", /^CSV, Excel/],
    ["", "contacts.csv", "The file is empty."],
  ])("%j in %s", async (content, name, reason) => {
    open();
    await chooseFile(content, name);
    expect(await screen.findByRole("alert")).toHaveTextContent(reason);
    expect(csvWorker.tasks).toHaveLength(0);
  });

  test("an open quotation mark is named with its line", async () => {
    open();
    await chooseFile('08030000001\n"08050000002\n');
    expect(await screen.findByText("Line 2 has an opening quotation mark but no closing one")).toBeVisible();
    expect(addButton()).toHaveAccessibleDescription("Still needed: catalog name, a file that can be read");
  });

  test("a reading that breaks can be tried again", async () => {
    open();
    csvWorker.setBroken(true);
    await chooseFile("08030000001\n");
    expect(await screen.findByText("The file could not be read")).toBeVisible();
    csvWorker.setBroken(false);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("1 contact")).toBeVisible();
  });
});

describe("a file with wrong rows", () => {
  test("shows columns with examples, counts, and each wrong row with line, value and reason", async () => {
    open();
    await chooseFile(messy);
    expect(await screen.findByText("3 contacts")).toBeVisible();
    expect(screen.getByText(/1 repeated number counts once/)).toBeVisible();
    expect(screen.getByRole("combobox", { name: "Name holds" })).toHaveValue("out");
    expect(screen.getByRole("combobox", { name: "Phone holds" })).toHaveValue("number");
    expect(screen.getByRole("combobox", { name: "Mobile holds" })).toHaveValue("number");
    expect(screen.getByText("With several columns of phone numbers, the numbers alone are taken.")).toBeVisible();
    expect(screen.getByText("08050000001", { selector: "li" })).toBeVisible();
    const wrong = screen.getByRole("region", { name: "Wrong numbers" });
    expect(within(wrong).getByRole("listitem")).toHaveTextContent(
      /^Line 38003000009does not begin with the chosen country code/,
    );
  });

  test("holds back until the valid ones alone are chosen, and then says so to the server", async () => {
    const { requests, pathname } = open({ [uploadNew]: added });
    await typeName();
    await chooseFile(messy);
    await screen.findByText("3 contacts");
    expect(addButton()).toHaveAccessibleDescription("Fix the number above, or choose to add only the 3 valid ones.");
    await userEvent.click(addButton());
    expect(requests.some(({ call }) => call === uploadNew)).toBe(false);
    await userEvent.click(screen.getByRole("checkbox", { name: /Add only the valid ones: 3 contacts/ }));
    await userEvent.click(addButton());
    await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
    expect(field(requests, uploadNew, "onlyGood")).toBe("true");
  });

  test("can be downloaded as CSV", async () => {
    const saved: Blob[] = [];
    vi.stubGlobal(
      "URL",
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => (saved.push(blob), "blob:x"),
        revokeObjectURL: () => undefined,
      }),
    );
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    open();
    await chooseFile(messy);
    await userEvent.click(await screen.findByRole("button", { name: "Download as CSV" }));
    expect(await saved[0]?.text()).toContain('"3","2","8003000009"');
  });

  test("other columns may be chosen; none is not enough", async () => {
    const { requests } = open({ [uploadNew]: added });
    await typeName();
    await chooseFile(messy);
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Phone holds" }), "Leave out");
    expect(await screen.findByText("2 contacts")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Wrong numbers" })).toBeNull();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Mobile holds" }), "Leave out");
    await waitFor(() => expect(addButton()).toHaveAccessibleDescription("Still needed: a column with phone numbers"));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Mobile holds" }), "Phone number");
    await waitFor(() => expect(addButton()).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(addButton());
    await waitFor(() => expect(field(requests, uploadNew, "columns")).toBe("3"));
  });
});

describe("a file with names", () => {
  test("brings them along as fields at one press, of which each can be left out", async () => {
    const { requests } = open({ [uploadNew]: added });
    await typeName();
    await chooseFile("Full Name,Phone,Note\nAda,8030000001,x\n");
    expect(await screen.findByText("1 contact")).toBeVisible();
    expect(screen.getByRole("combobox", { name: "Full Name holds" })).toHaveValue("out");
    await userEvent.click(screen.getByRole("button", { name: "Take the other columns as fields" }));
    expect(await screen.findByText("{{full_name}}")).toBeVisible();
    expect(screen.getByText(/1 number got back the 0/)).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Note holds" }), "Leave out");
    await waitFor(() => expect(screen.queryByText("{{note}}")).toBeNull());
    await waitFor(() => expect(addButton()).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(addButton());
    await waitFor(() => {
      const mapping = field(requests, uploadNew, "mapping");
      expect(JSON.parse(typeof mapping === "string" ? mapping : "{}")).toEqual({
        phoneNo: 2,
        fields: { full_name: 1 },
      });
    });
  });
});

describe("what the server refuses", () => {
  const upload = async (answer: FakeAnswer | "offline"): Promise<HTMLElement> => {
    open({ [uploadNew]: answer });
    await typeName();
    await chooseFile("08030000001\n");
    await screen.findByText("1 contact");
    await userEvent.click(addButton());
    return await screen.findByRole("alert");
  };

  test("a 400 is a warning with the server's text and the rows it names", async () => {
    const rows = [{ row: 1, column: 1, value: "08030000001", reason: "not-mobile", text: "is not a mobile number" }];
    const alert = await upload({
      status: 400,
      body: {
        message: "1 row is wrong: line 1",
        code: "VALIDATION",
        rows,
        wrong: 1,
        good: 0,
        wrongRows: `/api/${userId}/1/wrong-rows`,
      },
    });
    expect(within(alert).getByRole("link", { name: "Download the 1 wrong row" })).toHaveAttribute(
      "href",
      `/api/${userId}/1/wrong-rows`,
    );
    expect(alert).toHaveAttribute("data-tone", "warn");
    expect(alert).toHaveTextContent("1 row is wrong: line 1");
    expect(alert).toHaveTextContent("Line 1: 08030000001 is not a mobile number");
  });

  test("a 400 for a field names the field", async () => {
    expect(
      await upload({
        status: 400,
        body: {
          message: "Some fields are missing or incorrect",
          code: "VALIDATION",
          fields: { code: "is not a dialling code" },
        },
      }),
    ).toHaveTextContent("Country is not a dialling code");
  });

  test("anything else is an Upload Error, and can be tried again with the same key", async () => {
    const keys: (string | null)[] = [];
    const { pathname } = open({
      [uploadNew]: ({ headers }) => {
        keys.push(headers.get("idempotency-key"));
        return keys.length === 1 ? { status: 500, body: { message: "Broken", code: "INTERNAL" } } : added;
      },
    });
    await typeName();
    await chooseFile("08030000001\n");
    await screen.findByText("1 contact");
    await userEvent.click(addButton());
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Upload Error");
    expect(alert).toHaveTextContent("Check your Network");
    await userEvent.click(addButton());
    await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
    expect(keys[1]).toBe(keys[0]);
  });

  test("no answer has the screen's own words", async () => {
    expect(await upload("offline")).toHaveTextContent("Upload ErrorCheck your Network");
  });
});

describe("contacts that are added", () => {
  test("a file makes a catalog; the notice names added, already there and wrong", async () => {
    const { requests, pathname } = open({
      [uploadNew]: {
        status: 201,
        body: {
          message: "4,980 contacts added, 15 already there, 5 wrong left out",
          data: { _id: catalogId, added: 4_980, existing: 15, wrong: 5 },
        },
      },
    });
    await typeName();
    await chooseFile("08030000001\n");
    await screen.findByText("1 contact");
    await userEvent.click(addButton());
    await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
    expect(await screen.findByText("4,980 contacts added, 15 already there, 5 wrong left out")).toBeVisible();
    expect(field(requests, uploadNew, "catalogName")).toBe("Abuja");
    expect(field(requests, uploadNew, "code")).toBe("234");
    expect(field(requests, uploadNew, "onlyGood")).toBe("false");
    expect(await (field(requests, uploadNew, "csv") as File).text()).toBe("08030000001\n");
  });

  test("the progress is shown while the file leaves, and the way back", async () => {
    open({ [uploadNew]: async () => await new Promise<FakeAnswer>(() => undefined) });
    await typeName();
    await chooseFile("08030000001\n");
    await screen.findByText("1 contact");
    await userEvent.click(addButton());
    expect(await screen.findByText("Uploading the file")).toBeVisible();
    expect(screen.getByRole("progressbar", { name: "Upload" })).toHaveAttribute("aria-valuenow", "50");
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    await waitFor(() => expect(screen.queryByRole("progressbar", { name: "Upload" })).toBeNull());
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("a catalog's link chooses that catalog, and a file joins it", async () => {
    const { requests, pathname } = open({ [uploadExisting]: added }, `?catalogId=${catalogId}`);
    await waitFor(() => expect(screen.getByRole("combobox", { name: "Catalog" })).toHaveValue("Ikeja customers"));
    await chooseFile("08030000001\n");
    await screen.findByText("1 contact");
    await userEvent.click(screen.getByRole("button", { name: "Add to Ikeja customers" }));
    await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
    expect(field(requests, uploadExisting, "catalogName")).toBeNull();
  });

  test("numbers make a catalog", async () => {
    const { requests, pathname } = open({ [insertNew]: added });
    await typeName();
    await insertNumbers("0803 000 0001\n+234 805 000 0002");
    expect(screen.getByLabelText("Phone numbers")).toHaveValue("08030000001,2348050000002");
    expect(await screen.findByText("2 contacts")).toBeVisible();
    await userEvent.click(addButton());
    await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
    expect(await screen.findByText("Contacts added")).toBeVisible();
    expect(requests.find(({ call }) => call === insertNew)?.body).toEqual({
      catalogName: "Abuja",
      code: "234",
      phoneNo: "08030000001,2348050000002",
      onlyGood: false,
    });
  });

  test("numbers join a catalog that is chosen by name", async () => {
    const { requests } = open({ [insertExisting]: added });
    await userEvent.click(await screen.findByRole("radio", { name: "Existing catalog" }));
    await userEvent.click(screen.getByRole("combobox", { name: "Catalog" }));
    await userEvent.click(await screen.findByRole("option", { name: /Ikeja customers/ }));
    await insertNumbers("08030000001");
    await userEvent.click(addButton());
    await waitFor(() =>
      expect(requests.find(({ call }) => call === insertExisting)?.body).toEqual({
        phoneNo: "08030000001",
        onlyGood: false,
      }),
    );
  });

  test("a long paste is read as a file", async () => {
    const { requests } = open({ [uploadNew]: added });
    await typeName();
    await insertNumbers(
      Array.from({ length: 2_000 }, (_, index) => `0803${String(index).padStart(7, "0")}`).join("\n"),
    );
    expect(await screen.findByText("Pasted list")).toBeVisible();
    expect(await screen.findByText("2,000 contacts")).toBeVisible();
    await userEvent.click(addButton());
    await waitFor(() => expect((field(requests, uploadNew, "csv") as File).name).toBe("pasted-numbers.csv"));
  });
});

test("rows left out wait in the phonebook and here as a file, and their corrected file joins the same catalog", async () => {
  const file = `/api/${userId}/01900000-0000-7000-8000-0000000000f1/wrong-rows`;
  const { requests, pathname } = open({
    [uploadNew]: {
      status: 201,
      body: {
        message: "3 contacts added, 1 wrong left out",
        data: { _id: catalogId, added: 3, existing: 0, wrong: 1, wrongRows: file },
      },
    },
    [uploadExisting]: added,
  });
  await typeName();
  await chooseFile(messy);
  await userEvent.click(await screen.findByRole("checkbox", { name: /Add only the valid ones/ }));
  await userEvent.click(addButton());
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
  expect(await screen.findByText("1 row left out")).toBeVisible();
  expect(screen.getByRole("link", { name: "Download the 1 row" })).toHaveAttribute("href", file);
  await userEvent.click(screen.getByRole("link", { name: "Upload them corrected" }));
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/upload-new-contacts"));
  await waitFor(() => expect(screen.getByRole("radio", { name: "Existing catalog" })).toBeChecked());
  expect(screen.getByText("1 row left out")).toBeVisible();
  // Nothing of the first file is sent again.
  await chooseFile("Name,Phone,Mobile,reason\nBola,08030000009,08050000002,does not begin\n", "wrong-rows.csv");
  await waitFor(() => expect(addButton()).not.toHaveAttribute("aria-disabled", "true"));
  await userEvent.click(addButton());
  await waitFor(() => expect(pathname()).toBe("/user-dashboard/all-contacts"));
  expect(await (field(requests, uploadExisting, "csv") as File).text()).toContain("Bola,08030000009");
  expect(field(requests, uploadExisting, "onlyGood")).toBe("false");
  expect(requests.filter(({ call }) => call === uploadNew)).toHaveLength(1);
  expect(screen.queryByText("1 row left out")).toBeNull();
});

test("rows of another customer, and what is no such entry, are not offered", async () => {
  for (const kept of [
    '{"catalogId":"c","message":"m","count":1,"file":"/api/other/1/wrong-rows"}',
    '"x"',
    "{",
    '{"file":1}',
  ]) {
    sessionStorage.setItem("left-out-rows", kept);
    const { unmount } = open();
    await screen.findByRole("heading", { name: "Upload and Insert Contacts" });
    expect(screen.queryByText(/left out/)).toBeNull();
    unmount();
  }
});
