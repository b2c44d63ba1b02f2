import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { cleanAddress, findMissingForAddress, findMissingForSource } from "./use-whitelist-forms.ts";

const viewUser = `GET /api/${userId}/view-one-user`;
const list = `GET /api/${userId}/whitelists`;
const ask = `POST /api/${userId}/source-whitelist`;
const nothing = { message: "Whitelists", data: { senderNames: [], addresses: [], requests: [] } };
const pending = {
  _id: "01900000-0000-7000-8000-0000000000aa",
  userID: userId,
  email: "ada@gmail.com",
  senderName: "AdaStores",
  state: "pending",
  flagged: false,
  createdAt: "2026-03-05T10:00:00.000Z",
};

beforeEach(() => startUserSession(userId));

const open = (handlers: Parameters<typeof fakeServer>[0]): FakeRequest[] => {
  const requests = fakeServer({ [viewUser]: { body: userAnswer }, [list]: { body: nothing }, ...handlers });
  renderApp("/user-dashboard/whitelists");
  return requests;
};

describe("rules", () => {
  test.each([
    ["Ada1", false],
    ["Ada S", true],
    ["AdaStores,AdaOffers", true],
    ["AdaStores123", false],
    ["AdaStores,AdaStores123", false],
  ])("the sender ID %j can be asked for: %s", (senderName, isAllowed) => {
    expect(findMissingForSource({ senderName })).toHaveLength(isAllowed ? 0 : 1);
  });

  test("an address takes digits and dots, and needs 10 of them", () => {
    expect(cleanAddress("102.89.23.104/32 x")).toBe("102.89.23.10432");
    expect(findMissingForAddress({ ip: "10.0.0.10" })).toHaveLength(1);
    expect(findMissingForAddress({ ip: "102.89.2.1" })).toHaveLength(0);
  });
});

test("without requests the page says what to do first", async () => {
  open({});
  expect(await screen.findByText("There are no requests yet")).toBeVisible();
});

test("a read that fails can be tried again", async () => {
  let isDown = true;
  open({
    [list]: () =>
      isDown
        ? { status: 500, body: { message: "Something went wrong on our side", code: "INTERNAL" } }
        : { body: nothing },
  });
  expect(await screen.findByText("Something went wrong on our side")).toBeVisible();
  isDown = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("There are no requests yet")).toBeVisible();
});

test("a failure shows the catalogue's title and the reason", async () => {
  open({ [ask]: { status: 409, body: { message: "This name is approved already", code: "STATE_CONFLICT" } } });
  await userEvent.type(await screen.findByLabelText("Sender ID"), "AdaStores");
  await userEvent.click(screen.getByRole("button", { name: "Request sender ID" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Credentials ErrorThis name is approved already");
});

test("a request is sent, confirmed and listed", async () => {
  let answer: unknown = nothing;
  const requests = open({
    [list]: () => ({ body: answer }),
    [ask]: () => {
      answer = { ...nothing, data: { ...nothing.data, requests: [pending] } };
      return { status: 201, body: { message: "Your request is with management", data: [pending] } };
    },
  });
  await userEvent.type(await screen.findByLabelText("Sender ID"), "AdaStores");
  await userEvent.click(screen.getByRole("button", { name: "Request sender ID" }));
  expect(await screen.findByText("Your request is with management")).toBeVisible();
  expect(await screen.findByText("Waiting for approval")).toBeVisible();
  expect(requests.find(({ call }) => call === ask)?.body).toEqual({ senderName: "AdaStores" });
  expect(screen.getByLabelText("Sender ID")).toHaveValue("");
});
