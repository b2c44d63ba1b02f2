import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { durationsMs } from "@ewebal/contract";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const address = "/admin-dashboard/make-general-announcements";
const listCall = "GET /api/view-general-announcement";
const makeCall = `POST /api/${adminId}/make-general-announcement`;
const announcementId = "01900000-0000-7000-8000-0000000000c1";
const clearCall = `DELETE /api/${adminId}/${announcementId}/clear-general-announcement`;
const announcement = {
  _id: announcementId,
  hint: "New prices",
  message: "From Monday on.",
  createdAt: new Date(Date.now() - 3_600_000).toISOString(),
  version: 1,
};
const editCall = `PATCH /api/${adminId}/${announcementId}/edit-general-announcement`;
const dismissCall = (id: string) => `POST /api/${userId}/${id}/dismiss-announcement`;
const listOf = (...data: object[]) => ({ body: { data, next: null } });

test("the button is inert until both are filled; posting empties the form, lists the announcement and says so for 3 s", async () => {
  let data: object[] = [];
  const requests = signedInServer({
    [listCall]: () => listOf(...data),
    [makeCall]: () => {
      data = [announcement];
      return { body: { message: "The announcement is on the users' dashboards", data: announcement } };
    },
  });
  renderApp(address);
  const button = await screen.findByRole("button", { name: "Make Announcement" });
  expect(button).toHaveAccessibleDescription("Still needed: hint or subject, message");
  await userEvent.type(screen.getByRole("textbox", { name: "Hint / Subject" }), "New prices");
  expect(button).toHaveAccessibleDescription("Still needed: message");
  await userEvent.click(button);
  expect(requests.some(({ call }) => call === makeCall)).toBe(false);
  await userEvent.type(screen.getByRole("textbox", { name: "Message" }), "From Monday on.");
  await userEvent.click(button);
  const notice = await screen.findByText("The announcement is on the users' dashboards");
  expect(await screen.findByRole("article")).toHaveTextContent("New prices");
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("");
  expect(requests.find(({ call }) => call === makeCall)?.body).toEqual({
    hint: "New prices",
    message: "From Monday on.",
  });
  await waitFor(() => expect(notice).not.toBeInTheDocument(), { timeout: durationsMs.announcementNotice + 2_000 });
});

test("a failure is a Credentials Error, and what was typed stays", async () => {
  signedInServer({ [listCall]: listOf(), [makeCall]: refusal(500, "INTERNAL", "Something went wrong on our side") });
  renderApp(address);
  await userEvent.type(await screen.findByRole("textbox", { name: "Hint / Subject" }), "Hint");
  await userEvent.type(screen.getByRole("textbox", { name: "Message" }), "Text");
  await userEvent.click(screen.getByRole("button", { name: "Make Announcement" }));
  expect(await screen.findByText("Credentials Error")).toBeVisible();
  expect(screen.getByText("Check your credentials or network connectivity")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("Text");
});

test("clearing asks in the specified words; Nope clears nothing, a failure is named, Proceed takes the card away", async () => {
  let data: object[] = [announcement];
  let answer = refusal(500, "INTERNAL", "Something went wrong on our side");
  const requests = signedInServer({
    [listCall]: () => listOf(...data),
    [clearCall]: () => {
      if (answer.status === undefined) data = [];
      return answer;
    },
  });
  renderApp(address);
  const press = async (answerName: "Nope" | "Proceed"): Promise<void> => {
    await userEvent.click(await screen.findByRole("button", { name: "Clear New prices" }));
    const dialog = await screen.findByRole("dialog", { name: "About to clear out announcement?" });
    await userEvent.click(within(dialog).getByRole("button", { name: answerName }));
  };
  await press("Nope");
  expect(requests.some(({ call }) => call === clearCall)).toBe(false);
  await press("Proceed");
  expect(await screen.findByText("Unable to clear announcements")).toBeVisible();
  expect(screen.getByText("This may be due to network")).toBeVisible();
  answer = { body: { message: "The announcement is cleared" } };
  await press("Proceed");
  expect(await screen.findByText("The announcement is cleared")).toBeVisible();
  expect(await screen.findByText("There are no announcements")).toBeVisible();
});

test("a customer's Basement shows the newest two, more when asked, and a new one at once", async () => {
  startUserSession(userId);
  const older = [2, 3].map((n) => ({
    ...announcement,
    _id: announcementId.replace(/1$/, String(n)),
    hint: `Old ${n}`,
  }));
  let data: object[] = [announcement, ...older];
  fakeServer({ [`GET /api/${userId}/view-one-user`]: { body: userAnswer }, [listCall]: () => listOf(...data) });
  renderApp("/user-dashboard");
  const region = await screen.findByRole("region", { name: "Announcements" });
  expect(
    within(region)
      .getAllByRole("heading", { level: 3 })
      .map(({ textContent }) => textContent),
  ).toEqual(["New prices", "Old 2"]);
  expect(within(region).getAllByText("From Monday on.")).toHaveLength(2);
  await userEvent.click(within(region).getByRole("button", { name: "Older announcements" }));
  expect(within(region).getByText("Old 3")).toBeVisible();
  data = [{ ...announcement, _id: announcementId.replace(/1$/, "9"), hint: "Fresh" }, ...data];
  act(() => FakeEventSource.opened[0]?.say("change", { topics: ["announcements"] }));
  expect(await within(region).findByText("Fresh")).toBeVisible();
});

test("without announcements the Basement says nothing of them", async () => {
  startUserSession(userId);
  fakeServer({ [`GET /api/${userId}/view-one-user`]: { body: userAnswer }, [listCall]: listOf() });
  renderApp("/user-dashboard");
  expect(await screen.findByRole("heading", { name: "Basement" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Announcements" })).not.toBeInTheDocument();
});

test("an edit begins with the text, waits for a change, stays open when it fails, and shows the new text", async () => {
  let data: object[] = [announcement];
  let answer = refusal(404, "NOT_FOUND", "Not found");
  const requests = signedInServer({
    [listCall]: () => listOf(...data),
    [editCall]: () => {
      if (answer.status === undefined)
        data = [{ ...announcement, message: "From Tuesday on.", version: 2, editedAt: new Date().toISOString() }];
      return answer;
    },
  });
  renderApp(address);
  await userEvent.click(await screen.findByRole("button", { name: "Edit New prices" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit announcement" });
  const save = within(dialog).getByRole("button", { name: "Save" });
  expect(save).toHaveAccessibleDescription("Nothing changed yet.");
  const message = within(dialog).getByRole("textbox", { name: "Message" });
  await userEvent.clear(message);
  expect(save).toHaveAccessibleDescription("Still needed: message");
  await userEvent.type(message, "From Tuesday on.");
  await userEvent.click(save);
  expect(await within(dialog).findByRole("alert")).toHaveTextContent("Not found");
  answer = { body: { message: "The announcement is changed on the users' dashboards", data: announcement } };
  await userEvent.click(save);
  expect(await screen.findByText("The announcement is changed on the users' dashboards")).toBeVisible();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(await screen.findByText("From Tuesday on.")).toBeVisible();
  expect(screen.getByRole("article")).toHaveTextContent("Edited just now");
  expect(requests.findLast(({ call }) => call === editCall)?.body).toEqual({
    hint: "New prices",
    message: "From Tuesday on.",
  });
});

/** A Basement with these announcements; a dismissal takes one away, or answers with `refused`. */
async function openBasement(hints: readonly string[], refused?: ReturnType<typeof refusal>) {
  startUserSession(userId);
  let data = hints.map((hint, index) => ({ ...announcement, _id: announcementId.replace(/1$/, String(index)), hint }));
  const dismissals = Object.fromEntries(
    data.map(({ _id }) => [
      dismissCall(_id),
      () => {
        if (refused === undefined) data = data.filter((row) => row._id !== _id);
        return refused ?? { body: { message: "The announcement is off your dashboard until it is edited" } };
      },
    ]),
  );
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [listCall]: () => listOf(...data),
    ...dismissals,
  });
  renderApp("/user-dashboard");
  return { requests, region: await screen.findByRole("region", { name: "Announcements" }) };
}

test("a dismissed announcement goes at once, an older one takes its place, and the focus goes on to the next", async () => {
  const { requests, region } = await openBasement(["One", "Two", "Three"]);
  await userEvent.click(within(region).getByRole("button", { name: "Dismiss One" }));
  await waitFor(() => expect(within(region).queryByText("One")).not.toBeInTheDocument());
  expect(within(region).getByText("Three")).toBeVisible();
  expect(within(region).getByRole("button", { name: "Dismiss Two" })).toHaveFocus();
  const sent = requests.filter(({ call }) => call === dismissCall(announcementId.replace(/1$/, "0")));
  expect(sent.map(({ body }) => body)).toEqual([{ version: 1 }]);
  await userEvent.click(within(region).getByRole("button", { name: "Dismiss Three" }));
  await waitFor(() => expect(within(region).getByRole("button", { name: "Dismiss Two" })).toHaveFocus());
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(region).not.toBeInTheDocument());
  expect(screen.getByRole("main")).toHaveFocus();
});

test("an announcement that could not be dismissed comes back, with the reason", async () => {
  const { region } = await openBasement(["One"], refusal(500, "INTERNAL", "Something went wrong on our side"));
  await userEvent.click(within(region).getByRole("button", { name: "Dismiss One" }));
  expect(await screen.findByText("Something went wrong on our side")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Dismiss One" })).toBeVisible();
});
