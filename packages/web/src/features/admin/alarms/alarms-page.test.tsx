import type { AlarmAnswer, SendingAnswer } from "@ewebal/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { FakeAnswer, FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";
import { queueStateOf } from "./state-words.ts";

vi.setConfig({ testTimeout: 20_000 });

const HOUR_MS = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const down: AlarmAnswer = {
  _id: "01900000-0000-7000-8000-0000000000a1",
  kind: "carrier-down",
  subject: "Acme",
  detail: "The carrier Acme has had no link since 2026-11-20T09:00:00.000Z.",
  state: "open",
  openedAt: ago(HOUR_MS),
  closedAt: null,
  silencedUntil: null,
};
const full: AlarmAnswer = {
  ...down,
  _id: "01900000-0000-7000-8000-0000000000a2",
  kind: "disk-low",
  subject: "host-2",
  detail: "8 % of the data directory's disk is free on host-2.",
  state: "closed",
  closedAt: ago(60_000),
};
const silenceCall = `PATCH /api/${adminId}/${down._id}/silence-alarm`;

function open({ alarms = [], sending, silence }: Given = {}): FakeRequest[] {
  const requests = signedInServer({
    "GET /api/view-alarms": ({ query }) => {
      const isClosed = query === "state=closed";
      return { body: { data: alarms.filter(({ state }) => (state === "closed") === isClosed), next: null } };
    },
    ...(sending !== undefined && { "GET /api/view-sending": { body: { message: "Sending", data: sending } } }),
    ...(silence !== undefined && { [silenceCall]: silence }),
  });
  renderApp("/admin-dashboard/alarms");
  return requests;
}

type Given = { alarms?: AlarmAnswer[]; sending?: SendingAnswer; silence?: () => FakeAnswer };

test("nothing open, no worker and no carrier: what to do about the last two", async () => {
  open();
  expect(await screen.findByText("No alarm is open")).toBeVisible();
  expect(screen.getByText("There are no closed alarms")).toBeVisible();
  const states = await screen.findByRole("list", { name: "States now" });
  const [queue, workers, carriers] = within(states).getAllByRole("listitem");
  expect(queue).toHaveTextContent("Queue0 recipients waitingNothing waits to be sent.Empty");
  expect(workers).toHaveTextContent("Start a process with the role worker.");
  expect(carriers).toHaveTextContent("Add a carrier on the Carriers page.");
});

test("an open alarm says what, since when, what to do and where; a closed one stands below", async () => {
  open({ alarms: [down, full] });
  const alarm = within(await screen.findByRole("list", { name: "Open alarms" })).getByRole("listitem");
  expect(within(alarm).getByRole("heading", { name: "A carrier is down: Acme" })).toBeVisible();
  expect(alarm).toHaveTextContent("What to do: Other carriers take over");
  expect(alarm).toHaveTextContent("Since 1 hour ago");
  // In the reader's own time.
  expect(alarm).not.toHaveTextContent("T09:00");
  expect(within(alarm).getByRole("link", { name: "Carriers: A carrier is down: Acme" })).toHaveAttribute(
    "href",
    "/admin-dashboard/carriers",
  );
  const closed = within(await screen.findByRole("list", { name: "Closed alarms" })).getByRole("listitem");
  expect(closed).toHaveTextContent("A disk is nearly full: host-2");
});

test("an alarm is silenced for a while or until a time; a refusal stays in the dialog", async () => {
  let answer = refusal(400, "VALIDATION", "Check the form", { until: "is over" });
  const requests = open({ alarms: [down], silence: () => answer });
  await userEvent.click(await screen.findByRole("button", { name: "Silence: A carrier is down: Acme" }));
  const dialog = await screen.findByRole("dialog", { name: "Silence: A carrier is down: Acme" });
  const silence = within(dialog).getByRole("button", { name: "Silence" });
  await userEvent.selectOptions(within(dialog).getByLabelText("For"), "Until a time that I choose");
  expect(silence).toHaveAccessibleDescription("Still needed: a date and a time");
  await userEvent.type(within(dialog).getByLabelText("Until"), "2020-01-01T10:00");
  await userEvent.click(silence);
  expect(await within(dialog).findByText("is over")).toBeVisible();
  answer = { body: { message: "The alarm is silent until then", data: { ...down, state: "silenced" } } };
  await userEvent.selectOptions(within(dialog).getByLabelText("For"), "1 day");
  await userEvent.click(silence);
  expect(await screen.findByText("The alarm is silent until then")).toBeVisible();
  const sent = requests.findLast(({ call }) => call === silenceCall)?.body as { until: string } | undefined;
  expect(Math.abs(Date.parse(sent?.until ?? "") - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
});

test("a carrier without a connection shows its last error and what to do", async () => {
  const health = {
    link: "connecting" as const,
    since: ago(HOUR_MS),
    boundBinds: 0,
    heldBinds: 2,
    lastError: "Connection refused",
    lastErrorAt: ago(1_000),
    messagesPerSecond: 0,
    inFlight: 0,
    goodCount: 0,
    badCount: 0,
  };
  const carrier = { kind: "smpp" as const, name: "Acme", binds: 2, messagesPerSecond: 100, isEnabled: true };
  open({
    sending: {
      waitingRecipients: 1_200,
      waitingSince: ago(HOUR_MS),
      workers: [{ host: "host-2", startedAt: ago(HOUR_MS), diskFreePercent: 7 }],
      carriers: [{ ...carrier, isLocked: false, health }],
    },
  });
  const states = await screen.findByRole("list", { name: "States now" });
  const [queue, workers, acme] = within(states).getAllByRole("listitem");
  expect(queue).toHaveTextContent("1,200 recipients waiting, the oldest since 1 hour ago");
  expect(queue).toHaveTextContent("Held up");
  expect(workers).toHaveTextContent("host-2, started 1 hour ago, 7% of its disk free");
  expect(workers).toHaveTextContent("Disk nearly full");
  expect(acme).toHaveTextContent("down since 1 hour ago. Last error: Connection refused");
  expect(acme).toHaveTextContent("press Edit and Test connection on the Carriers page");
});

test("the queue is held up after five minutes, not before", () => {
  const nowMs = Date.parse("2026-11-20T09:05:00.000Z");
  const since = (time: string) => ({ waitingRecipients: 1, waitingSince: `2026-11-20T09:${time}.000Z` });
  expect(queueStateOf(since("00:00"), nowMs).word).toBe("Moving");
  expect(queueStateOf({ waitingRecipients: 1, waitingSince: "2026-11-20T08:59:59.000Z" }, nowMs).word).toBe("Held up");
  expect(queueStateOf({ waitingRecipients: 0, waitingSince: null }, nowMs).word).toBe("Empty");
});
