/** The journey of a text that differs: a range of a spreadsheet, fields, what is missing, the exact price, and what is sent. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp, type RenderedApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { draftAnswer, draftId, messageId, messageServer, scheduled, sent } from "../testing/message-server.ts";

const sendCall = `POST /api/${userId}/send-bulk-sms`;
const templates = `/api/${userId}/templates`;
beforeEach(() => {
  startUserSession(userId);
  inlineWorker();
});

type Handlers = Parameters<typeof messageServer>[0];

function open(
  handlers: Handlers = {},
  path = "/user-dashboard/ewebal/send-sms",
): { app: RenderedApp; requests: FakeRequest[] } {
  const requests = messageServer(handlers);
  return { app: renderApp(path), requests };
}

const messageField = async (): Promise<HTMLElement> => await screen.findByRole("textbox", { name: "Message" });
const write = async (message: string): Promise<void> =>
  void fireEvent.change(await messageField(), { target: { value: message } });
const bodyOf = (requests: FakeRequest[], call: string): unknown => requests.find((one) => one.call === call)?.body;

const RANGE = "Name\tPhone\tOwes\nAda\t8030000001\t1500\nBola\t0803 000 0002\t\n";

async function pasteRange(text = RANGE): Promise<void> {
  const field = await screen.findByRole("textbox", { name: "Recipients" });
  field.focus();
  await userEvent.paste(text);
  await userEvent.click(await screen.findByRole("button", { name: "Add 2 recipients" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await screen.findByText("Fields: Name, Owes")).toBeVisible();
}

describe("a range of a spreadsheet", () => {
  test("is sent with its fields, each person's text shown and priced before", async () => {
    const { requests } = open({ [sendCall]: sent });
    await pasteRange();
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Insert a field" }), "Name");
    expect(await messageField()).toHaveValue("{{name}}");
    await write(`Hi {{name}}, ${"x".repeat(152)}`);
    const preview = await screen.findByRole("region", { name: "Preview" });
    expect(await within(preview).findByText(/^Hi Ada, x/)).toBeVisible();
    expect(screen.getByText("Likely networks: MTN 2")).toBeVisible();
    // "Hi Ada, " and 152 are 160 characters; Bola's name makes it two pages: 3 units and 6.
    await waitFor(() => expect(screen.getByText("of 2 pages").nextSibling).toHaveTextContent("1"));
    expect(screen.getByText("9.00")).toBeVisible();
    expect(screen.getByText("2 pages at most")).toBeVisible();
    expect(screen.queryByText(/of 320 characters/)).toBeNull();
    await userEvent.click(within(preview).getByRole("button", { name: "Longest" }));
    expect(await within(preview).findByText(/^Hi Bola, x/)).toBeVisible();
    expect(within(preview).getByText("2 of 2 recipients")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Send SMS" }));
    await waitFor(() =>
      expect(bodyOf(requests, sendCall)).toEqual({
        code: "234",
        senderName: "AdaStores",
        message: `Hi {{name}}, ${"x".repeat(152)}`,
        recipients: [
          { to: "2348030000001", fields: { name: "Ada", owes: "1500" } },
          { to: "2348030000002", fields: { name: "Bola", owes: "" } },
        ],
      }),
    );
  });

  test("without a field in the text the numbers alone are sent", async () => {
    const { requests } = open({ [sendCall]: sent });
    await pasteRange();
    await write("Hello");
    await userEvent.click(await screen.findByRole("button", { name: "Send SMS" }));
    await waitFor(() => expect(bodyOf(requests, sendCall)).toMatchObject({ phoneNo: "2348030000001,2348030000002" }));
  });

  test("who lacks a value holds the send back until they are left out, or something stands there instead", async () => {
    const { requests } = open({ [sendCall]: sent });
    await pasteRange();
    await write("You owe {{owes}}");
    expect(await screen.findByText("1 recipient lacks a value")).toBeVisible();
    expect(screen.getByRole("button", { name: "Send SMS" })).toHaveAttribute("aria-disabled", "true");
    await userEvent.type(screen.getByRole("textbox", { name: /without Owes/ }), "nothing");
    await userEvent.click(screen.getByRole("button", { name: "Use it" }));
    expect(await messageField()).toHaveValue("You owe {{owes|nothing}}");
    await waitFor(() => expect(screen.queryByText("1 recipient lacks a value")).toBeNull());
    await write("You owe {{owes}}");
    await userEvent.click(await screen.findByRole("button", { name: "Leave this one out" }));
    expect(await screen.findByText("1 recipient without a value left out")).toBeVisible();
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Send SMS" })).toHaveAttribute("aria-disabled", "false"),
    );
    await userEvent.click(screen.getByRole("button", { name: "Send SMS" }));
    await waitFor(() => expect(bodyOf(requests, sendCall)).toMatchObject({ onMissing: "skip" }));
  });

  test("what only looks like a field is put right at one press, and an unknown one is pointed out", async () => {
    open();
    await pasteRange();
    await write("Dear [Name], {{nmae}}");
    expect(await screen.findByText("[Name] is sent as it stands here")).toBeVisible();
    const [repair] = screen.getAllByRole("button", { name: "Use {{name}}" });
    await userEvent.click(repair ?? document.body);
    expect(await messageField()).toHaveValue("Dear {{name}}, {{nmae}}");
    expect(screen.getByText("Nothing is known of {{nmae}} for these recipients")).toBeVisible();
    expect(screen.getByText("Still needed: recipients with {{nmae}}")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Take it out" }));
    expect(await messageField()).toHaveValue("Dear {{name}}, ");
  });
});

test("a field without any columns is pointed out in a plain send, too", async () => {
  open();
  await write("Dear {{name}}");
  expect(await screen.findByText("Nothing is known of {{name}} for these recipients")).toBeVisible();
});

test("a draft keeps what is known of its recipients, and they come back with it", async () => {
  const draftCall = `POST /api/${userId}/draft-message`;
  const first = open({ [draftCall]: { status: 201, body: { message: "Saved", data: { _id: draftId } } } });
  await pasteRange();
  await write("Hi {{name}}");
  await userEvent.click(screen.getByRole("button", { name: "Draft SMS" }));
  const recipients = [
    { to: "2348030000001", fields: { name: "Ada", owes: "1500" } },
    { to: "2348030000002", fields: { name: "Bola", owes: "" } },
  ];
  await waitFor(() => expect(bodyOf(first.requests, draftCall)).toMatchObject({ message: "Hi {{name}}", recipients }));
  first.app.unmount();
  const kept = draftAnswer({ message: "Hi {{name}}", recipients });
  const sendDraft = `POST /api/${userId}/${draftId}/send-draft-sms`;
  const { requests } = open(
    { [`GET /api/${userId}/${draftId}/view-one-draft`]: { body: { message: "", data: kept } }, [sendDraft]: sent },
    `/user-dashboard/${draftId}/send-draft-sms`,
  );
  expect(await screen.findByText(/^Hi Ada/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Send SMS" }));
  await waitFor(() => expect(bodyOf(requests, sendDraft)).toMatchObject({ recipients }));
});

test("a catalog with columns is sent whole by its id, whatever its size", async () => {
  const catalog = {
    _id: messageId,
    userID: userId,
    catalogName: "Tenants",
    code: "234",
    columns: [{ key: "name", label: "Name" }],
    contacts: [],
    count: 2,
    etag: "1",
    createdAt: "2026-01-02T10:00:00.000Z",
  };
  const { requests } = open({
    [`GET /api/${userId}/populate-catalogs`]: { body: { message: "", data: [catalog], next: null } },
    [`GET /api/${userId}/${catalog._id}/export-contacts`]: {
      body: undefined,
      text: '\ufeff"phoneNo","Name"\r\n"234 803 000 0001","Ada"\r\n"234 803 000 0002","Bola, the second"\r\n',
    },
    [sendCall]: sent,
  });
  await userEvent.click(await screen.findByRole("button", { name: "From phonebook" }));
  await userEvent.click(await screen.findByRole("checkbox", { name: "Tenants" }));
  await userEvent.click(screen.getByRole("button", { name: "Add 2 contacts" }));
  await write("Hi {{name}}");
  await userEvent.click(await screen.findByRole("button", { name: "Next recipient" }));
  expect(await screen.findByText("Hi Bola, the second")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Send SMS" }));
  await waitFor(() =>
    expect(bodyOf(requests, sendCall)).toEqual({
      code: "234",
      senderName: "AdaStores",
      message: "Hi {{name}}",
      catalogId: catalog._id,
    }),
  );
});

describe("templates", () => {
  const template = {
    _id: messageId,
    name: "Rent",
    message: "Rent is due",
    createdAt: "2026-01-02T10:00:00.000Z",
    updatedAt: "2026-01-02T10:00:00.000Z",
  };

  test("one is chosen, renamed and deleted; a text is kept as a new one", async () => {
    const one = `/api/${userId}/${template._id}/template`;
    const { requests } = open({
      [`GET ${templates}`]: { body: { data: [template], next: null } },
      [`POST ${templates}`]: { status: 201, body: { message: "", data: template } },
      [`PATCH ${one}`]: { body: { message: "", data: template } },
      [`DELETE ${one}`]: { body: { message: "" } },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Templates" }));
    await userEvent.click(await screen.findByRole("button", { name: "Use Rent" }));
    expect(await messageField()).toHaveValue("Rent is due");
    await userEvent.click(screen.getByRole("button", { name: "Templates" }));
    await userEvent.type(await screen.findByRole("textbox", { name: "Keep the present text as" }), "Due");
    await userEvent.click(screen.getByRole("button", { name: "Keep as a template" }));
    await waitFor(() => expect(bodyOf(requests, `POST ${templates}`)).toEqual({ name: "Due", message: "Rent is due" }));
    await userEvent.click(await screen.findByRole("button", { name: "Rename Rent" }));
    await userEvent.type(screen.getByRole("textbox", { name: "New name" }), " due");
    await userEvent.click(screen.getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(bodyOf(requests, `PATCH ${one}`)).toEqual({ name: "Rent due" }));
    await userEvent.click(await screen.findByRole("button", { name: "Delete Rent" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    await waitFor(() => expect(requests.some(({ call }) => call === `DELETE ${one}`)).toBe(true));
  });
});

test("a test goes to the customer alone, with the first recipient's values", async () => {
  const testCall = `POST /api/${userId}/send-test`;
  const { requests } = open({ [testCall]: sent });
  await pasteRange();
  await write("Hi {{name}}");
  await userEvent.click(await screen.findByRole("button", { name: "Send me a test" }));
  expect(await screen.findByRole("textbox", { name: "Name" })).toHaveValue("Ada");
  await userEvent.click(screen.getByRole("button", { name: "Send the test" }));
  await waitFor(() =>
    expect(bodyOf(requests, testCall)).toEqual({
      senderName: "AdaStores",
      message: "Hi {{name}}",
      fields: { name: "Ada" },
    }),
  );
  expect(await screen.findByText("The test is on its way")).toBeVisible();
});

test("texts that differ are scheduled with what is known of each", async () => {
  const call = `POST /api/${userId}/schedule-sms`;
  const { requests } = open({ [call]: scheduled });
  await pasteRange();
  await write("Hi {{name}}");
  await userEvent.click(screen.getByRole("switch", { name: /later/i }));
  fireEvent.change(screen.getByLabelText("Date"), { target: { value: "2027-01-04" } });
  await userEvent.click(screen.getByRole("button", { name: "Schedule SMS" }));
  await waitFor(() => expect(bodyOf(requests, call)).toMatchObject({ recipients: [{ to: "2348030000001" }, {}] }));
});

describe("more people with fields than travel with a send", () => {
  const catalogId = "01900000-0000-7000-8000-0000000000c9";
  const create = `POST /api/${userId}/create-catalog`;
  const add = `POST /api/${userId}/${catalogId}/add-contacts`;
  const count = 12_000;
  const paste = async (): Promise<void> => {
    const rows = Array.from({ length: count }, (_, index) => `P${index}\t0803${String(1_000_000 + index)}`);
    const field = await screen.findByRole("textbox", { name: "Recipients" });
    field.focus();
    await userEvent.paste(["Name\tPhone", ...rows, ""].join("\n"));
    await userEvent.click(await screen.findByRole("button", { name: "Add 12,000 recipients" }));
    await write("Hi {{name}}");
  };
  const rich = { body: { ...userAnswer, data: { ...userAnswer.data, units: 100_000 } } };
  const made = { status: 201, body: { message: "Made", data: { _id: catalogId } } };
  const save = async (): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name: "Save as a catalog" }));

  test("cannot be sent; a press that fails says so, and the next one goes on with the same catalog", async () => {
    let isBroken = true;
    const { requests } = open({
      [`GET /api/${userId}/view-one-user`]: rich,
      [create]: made,
      [add]: ({ body }) => {
        const { contacts } = body as { contacts: { phoneNo: string }[] };
        if (isBroken && contacts[0]?.phoneNo !== "2348031000000") return { status: 500, body: { message: "Broken" } };
        return { status: 201, body: { message: "Added", data: { _id: catalogId, message: "Added" } } };
      },
      [sendCall]: sent,
    });
    await paste();
    expect(await screen.findByText("Save these 12,000 recipients as a catalog to send to them")).toBeVisible();
    const button = screen.getByRole("button", { name: "Send SMS" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    await save();
    await waitFor(() => expect(requests.filter(({ call }) => call === add)).toHaveLength(2));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Save as a catalog" })).not.toHaveAttribute("data-loading"),
    );
    expect(button).toHaveAttribute("aria-disabled", "true");
    isBroken = false;
    await save();
    expect(await screen.findByText(/^12,000 numbers in Recipients of/)).toBeVisible();
    expect(requests.filter(({ call }) => call === create)).toHaveLength(1);
    expect(bodyOf(requests, create)).toMatchObject({ code: "234", columns: [{ key: "name", label: "Name" }] });
    const saved = requests
      .filter(({ call }) => call === add)
      .slice(2)
      .flatMap(({ body }) => (body as { contacts: { phoneNo: string; fields: object }[] }).contacts);
    expect(saved).toHaveLength(count);
    expect(saved.at(-1)).toEqual({ phoneNo: "2348031011999", fields: { name: "P11999" } });
    await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(button);
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    await waitFor(() =>
      expect(bodyOf(requests, sendCall)).toEqual({
        code: "234",
        senderName: "AdaStores",
        message: "Hi {{name}}",
        catalogId,
      }),
    );
  });
});
