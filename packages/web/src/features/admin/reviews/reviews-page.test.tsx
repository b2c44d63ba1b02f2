import type { ReviewAnswer } from "@ewebal/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, overview, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const listCall = "GET /api/view-reviews";
const path = "/admin-dashboard/reviews";
const review: ReviewAnswer = {
  _id: "01900000-0000-7000-8000-0000000000e1",
  userID: ada._id,
  userName: ada.userName,
  senderName: "AdaStores",
  message: "Casino night on Friday\nBring friends",
  recipients: 1_500,
  charge: 4_500,
  note: "Gambling needs a licence",
  createdAt: new Date().toISOString(),
};
const callOf = (verb: string): `PATCH ${string}` => `PATCH /api/${adminId}/${review._id}/${verb}-message`;
const answered = (data: ReviewAnswer[]) => ({ body: { data, next: null } });

test("nothing waits: the page says so and offers nothing to decide", async () => {
  signedInServer({ [listCall]: answered([]) });
  renderApp(path);
  expect(await screen.findByText("No message waits for review")).toBeVisible();
  expect(screen.queryByRole("button", { name: /^(Release|Refuse)/ })).not.toBeInTheDocument();
});

test("an administrator whose role reads no texts is told so", async () => {
  signedInServer({ [listCall]: answered([{ ...review, message: "" }]) });
  renderApp(path);
  expect(await screen.findByText("(Your role can't read texts)")).toBeVisible();
});

test("a message shows why it waits, whose it is, its price and its whole text; a release that is refused is told", async () => {
  let data = [review];
  let answer = refusal(409, "ALREADY_DECIDED", "This was already decided");
  const requests = signedInServer({
    [listCall]: () => answered(data),
    [callOf("release")]: () => answer,
  });
  renderApp(path);
  const row = await screen.findByRole("article", { name: "Message from AdaStores" });
  expect(row).toHaveTextContent("Why it waits: Gambling needs a licence");
  expect(row).toHaveTextContent("1,500 recipients, 4,500.00 units held");
  expect(within(row).getByText(/Bring friends/)).toBeVisible();
  expect(within(row).getByRole("link", { name: ada.userName })).toHaveAttribute(
    "href",
    `/admin-dashboard/manage-all-users/more-details-about-user/${ada._id}`,
  );
  const release = async (verb: "Nope" | "Proceed") => {
    await userEvent.click(await screen.findByRole("button", { name: "Release the message from AdaStores" }));
    await userEvent.click(await screen.findByRole("button", { name: verb }));
  };
  await release("Nope");
  expect(requests.some(({ call }) => call === callOf("release"))).toBe(false);
  await release("Proceed");
  expect(await screen.findByText("Unable to release")).toBeVisible();
  expect(screen.getByText("This was already decided")).toBeVisible();
  data = [];
  answer = { body: { message: "Released. The rest of the message is sent" } };
  await release("Proceed");
  expect(await screen.findByText("No message waits for review")).toBeVisible();
});

test("a refusal needs a reason, which goes to the server", async () => {
  let data = [review];
  const requests = signedInServer({
    [listCall]: () => answered(data),
    [callOf("refuse")]: () => {
      data = [];
      return { body: { message: "Refused" } };
    },
  });
  renderApp(path);
  await userEvent.click(await screen.findByRole("button", { name: "Refuse the message from AdaStores" }));
  const dialog = await screen.findByRole("dialog", { name: "About to refuse the message from AdaStores?" });
  expect(within(dialog).getByRole("button", { name: "Nope" })).toHaveFocus();
  const proceed = within(dialog).getByRole("button", { name: "Proceed" });
  await userEvent.type(within(dialog).getByLabelText("Reason"), "   ");
  expect(proceed).toHaveAccessibleDescription("Still needed: a reason");
  await userEvent.click(proceed);
  expect(requests.some(({ call }) => call === callOf("refuse"))).toBe(false);
  await userEvent.type(within(dialog).getByLabelText("Reason"), "No licence");
  await userEvent.click(proceed);
  expect(await screen.findByText("No message waits for review")).toBeVisible();
  expect(requests.find(({ call }) => call === callOf("refuse"))?.body).toEqual({ reason: "No licence" });
});

test("the menu and the overview count what waits for review and for its hour", async () => {
  const counts = { deposits: 0, requests: 0, approvals: 0, disputes: 0, held: 0, reviews: 2 };
  signedInServer({
    "GET /api/view-waiting-counts": { body: { message: "Waiting", data: counts } },
    "GET /api/view-overview": {
      body: { message: "Overview", data: { ...overview, reviews: 2, deferred: { messages: 3, recipients: 4_200 } } },
    },
  });
  renderApp("/admin-dashboard");
  const menu = await screen.findByRole("navigation", { name: "Admin dashboard" });
  await waitFor(() =>
    expect(within(menu).getByRole("link", { name: "Reviews" })).toHaveAccessibleDescription("2 waiting"),
  );
  expect(await screen.findByRole("link", { name: "2 messages wait for review" })).toHaveAttribute("href", path);
  expect(await screen.findByText("3 messages to 4,200 recipients wait for quiet hours to end")).toBeVisible();
  expect(screen.queryByText("Nothing is waiting")).not.toBeInTheDocument();
});
