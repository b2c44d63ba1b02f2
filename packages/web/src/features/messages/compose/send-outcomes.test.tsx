// Where each answer leads is specified once, and holds for every form that sends.
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { userId, type FakeAnswer } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { draftId, messageServer, refused, scheduled, sent, sentWithDnd, messageId } from "../testing/message-server.ts";

beforeEach(() => {
  startUserSession(userId);
  sessionStorage.clear();
  inlineWorker();
});

type Outcome = {
  answer: FakeAnswer;
  title: string;
  text?: string;
  goesTo?: string;
};

const history = "/user-dashboard/sms-history";
const whitelists = "/user-dashboard/whitelists";

const refusals: Outcome[] = [
  {
    answer: refused(403, "ADDRESS_NOT_APPROVED"),
    title: "The server's words",
    text: "Send your IP Address for whitelisting",
    goesTo: whitelists,
  },
  {
    answer: refused(409, "SENDER_NOT_APPROVED"),
    title: "The server's words",
    text: "Send the Id for whitelisting",
    goesTo: whitelists,
  },
  {
    answer: refused(401, "UNITS_REQUIRED"),
    title: "The server's words",
    text: "You need to buy SMS Units",
    goesTo: "/user-dashboard/buy-sms",
  },
  {
    answer: refused(400, "WRONG_COUNTRY_CODE"),
    title: "The server's words",
    text: "You are passing the wrong country code",
  },
  { answer: refused(402, "LIMIT_REACHED"), title: "The server's words" },
  { answer: refused(550, "NO_ROUTE"), title: "The server's words" },
  { answer: refused(503, "UNAVAILABLE"), title: "The server's words" },
  { answer: refused(422, "IDEMPOTENCY_CONFLICT"), title: "The server's words" },
  {
    answer: refused(400, "VALIDATION", "Some fields are missing or incorrect", { message: "is too long" }),
    title: "Some fields are missing or incorrect",
    text: "Message is too long",
  },
];
const successes: Outcome[] = [
  { answer: sent, title: "Message sent", text: "2 recipients, 6.00 units charged, 1,228.50 left", goesTo: history },
  { answer: sentWithDnd, title: "Message Sent", text: "DND Phone numbers Detected...", goesTo: history },
];
const scheduledSuccess: Outcome = {
  answer: scheduled,
  title: "Message scheduled",
  text: "2 recipients, 6.00 units set aside, 1,228.50 left",
  goesTo: "/user-dashboard/scheduled-sms",
};

type FormUnderTest = {
  form: string;
  address: string;
  call: string;
  button: string;
  outcomes: Outcome[];
  fillIn?: () => Promise<void>;
};

async function writeMessage(): Promise<void> {
  fireEvent.change(await screen.findByRole("textbox", { name: "Message" }), { target: { value: "Hello" } });
  fireEvent.change(screen.getByRole("textbox", { name: "Recipients" }), {
    target: { value: "08030000001, 08030000002" },
  });
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("AdaStores"));
}

const forms: FormUnderTest[] = [
  {
    form: "Send SMS",
    address: "/user-dashboard/ewebal/send-sms",
    call: `POST /api/${userId}/send-bulk-sms`,
    button: "Send SMS",
    outcomes: [...refusals, ...successes],
    fillIn: writeMessage,
  },
  {
    form: "Send SMS, later",
    address: "/user-dashboard/ewebal/send-sms",
    call: `POST /api/${userId}/schedule-sms`,
    button: "Schedule SMS",
    outcomes: [...refusals, scheduledSuccess],
    fillIn: async () => {
      await writeMessage();
      await userEvent.click(screen.getByRole("switch", { name: "Send later" }));
    },
  },
  {
    form: "Send draft",
    address: `/user-dashboard/${draftId}/send-draft-sms`,
    call: `POST /api/${userId}/${draftId}/send-draft-sms`,
    button: "Send SMS",
    outcomes: [...refusals, ...successes],
  },
  {
    form: "Resend",
    address: `/user-dashboard/${messageId}/resend-sms`,
    call: `POST /api/${userId}/send-bulk-sms`,
    button: "Send SMS",
    outcomes: [...refusals, ...successes],
  },
  {
    form: "Edit scheduled",
    address: `/user-dashboard/${messageId}/edit-scheduled-sms`,
    call: `PATCH /api/${userId}/${messageId}/edit-scheduled-sms`,
    button: "Save changes",
    outcomes: [...refusals, { ...scheduledSuccess, answer: { ...scheduled, status: 200 } }],
  },
];

describe.each(forms)("$form", ({ address, call, button, outcomes, fillIn }) => {
  test.each(outcomes)(
    "$answer.status $answer.body.code: $title / $text, goes to $goesTo",
    async ({ answer, title, text, goesTo }) => {
      messageServer({ [call]: answer });
      const app = renderApp(address);
      await fillIn?.();
      const send = await screen.findByRole("button", { name: button });
      await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
      await userEvent.click(send);
      expect(await screen.findByText(title)).toBeVisible();
      if (text !== undefined) expect(screen.getByText(text)).toBeVisible();
      await waitFor(() => expect(app.pathname()).toBe(goesTo ?? address));
      if (goesTo === undefined)
        expect(within(screen.getByRole("main")).getByRole("textbox", { name: "Message" })).not.toHaveValue("");
    },
  );

  test("401 without a session leads to the login", async () => {
    messageServer({ [call]: refused(401, "AUTH_REQUIRED", "Please sign in") });
    const app = renderApp(address);
    await fillIn?.();
    const send = await screen.findByRole("button", { name: button });
    await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(send);
    await waitFor(() => expect(app.pathname()).toBe("/login"));
    expect(sessionStorage).toHaveLength(0);
  });

  test("a double click and a retry after a lost network carry one key", async () => {
    const answers: Array<"offline" | FakeAnswer> = ["offline", outcomes.at(-1)?.answer ?? sent];
    const requests = messageServer({
      [call]: () => {
        const answer = answers.shift();
        if (answer === undefined || answer === "offline") throw new TypeError("Failed to fetch");
        return answer;
      },
    });
    const app = renderApp(address);
    await fillIn?.();
    const send = await screen.findByRole("button", { name: button });
    await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
    // Both before the page has drawn its busy button.
    act(() => {
      send.click();
      send.click();
    });
    expect(await screen.findByRole("alert")).toHaveTextContent("No Internet Connection");
    await userEvent.click(screen.getByRole("button", { name: button }));
    await waitFor(() => expect(app.pathname()).not.toBe(address));
    const keys = requests
      .filter((request) => request.call === call)
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });
});
