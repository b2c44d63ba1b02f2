import { expect, test } from "vitest";
import { userAnswer } from "../../../testing/fake-server.ts";
import { findSteps } from "./first-steps.tsx";

const fresh = {
  ...userAnswer.data,
  units: 0,
  senderID: [] as string[],
  counts: { sms: 0, draft: 0, phonebook: 0, transfers: 0 },
};
const done = (user: typeof fresh): boolean[] => findSteps(user).map(({ isDone }) => isDone);

test("a new customer has verified the e-mail and nothing else", () => {
  expect(done(fresh)).toEqual([true, false, false, false]);
});

test("units and a sender name are steps of their own", () => {
  expect(done({ ...fresh, units: 10 })).toEqual([true, true, false, false]);
  expect(done({ ...fresh, units: 10, senderID: ["AdaStores"] })).toEqual([true, true, true, false]);
});

test("who has sent has had units, also when none are left", () => {
  expect(done({ ...fresh, senderID: ["AdaStores"], counts: { ...fresh.counts, sms: 1 } })).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
