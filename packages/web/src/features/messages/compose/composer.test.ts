import { DEFAULT_RATES } from "@ewebal/contract";
// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { clearSession, startUserSession } from "../../../lib/session/session.ts";
import { Composer, EDITED_CHARACTERS_MAX, getComposer, TYPED_CHARACTERS_MAX } from "./composer.ts";
import { InlineWorker, inlineWorker } from "../testing/inline-worker.ts";

const userId = "01900000-0000-7000-8000-000000000001";
const longPaste = Array.from({ length: 2_000 }, (_, index) => `0803000${String(index).padStart(4, "0")}`).join("\n");

let composer: Composer;
beforeEach(() => {
  inlineWorker();
  composer = new Composer(userId);
});

async function untilRead(): Promise<void> {
  await vi.waitFor(() => expect(composer.getState().reading).toBe("done"));
}

test("a text that arrives at once and is long becomes a list, and the field stays empty", async () => {
  expect(longPaste.length).toBeGreaterThan(TYPED_CHARACTERS_MAX);
  composer.setTypedNumbers(longPaste);
  await untilRead();
  const { typedNumbers, lists, summary } = composer.getState();
  expect(typedNumbers).toBe("");
  expect(lists).toHaveLength(1);
  expect(summary?.validCount).toBe(2_000);
});

test("a list goes back into the field to be edited, before what stands there", async () => {
  composer.addList("08030000001\n08030000002");
  composer.setTypedNumbers("08030000003");
  composer.editList(1);
  await untilRead();
  expect(composer.getState()).toMatchObject({
    typedNumbers: "08030000001\n08030000002\n08030000003",
    lists: [],
    summary: { validCount: 3 },
  });
});

test("an edited list stays in the field at the next keystroke", () => {
  composer.addList(longPaste);
  composer.editList(1);
  composer.setTypedNumbers(`${longPaste}1`);
  expect(composer.getState().lists).toHaveLength(0);
  expect(longPaste.length).toBeLessThan(EDITED_CHARACTERS_MAX);
});

test("without numbers there is nothing to count", async () => {
  composer.addList("08030000001");
  await untilRead();
  composer.removeList(1);
  expect(composer.getState()).toMatchObject({ reading: "none", summary: undefined });
});

test("of many changes during one reading only the newest is read", async () => {
  const workers = inlineWorker();
  for (const digits of ["0", "08", "080", "0803000000", "08030000001"]) composer.setTypedNumbers(digits);
  await untilRead();
  expect(workers[0]?.tasks.filter(({ kind }) => kind === "read")).toHaveLength(2);
  expect(composer.getState().summary).toMatchObject({ validCount: 1, wrongCount: 0 });
});

test("a field that ends its last number asks for no new count, so a press that leaves it finds the send ready", async () => {
  composer.setTypedNumbers("08030000001");
  await untilRead();
  composer.setTypedNumbers("08030000001,\n");
  expect(composer.getState()).toMatchObject({ reading: "done", typedNumbers: "08030000001,\n" });
  composer.setTypedNumbers("08030000001,\n08030000002");
  expect(composer.getState().reading).toBe("running");
  await untilRead();
  expect(composer.getState().summary?.validCount).toBe(2);
});

test("a field that is left as it was asks for no new count, beside a list, too", async () => {
  composer.addList(longPaste);
  await untilRead();
  composer.setTypedNumbers("");
  expect(composer.getState().reading).toBe("done");
});

test("numbers are read again when a code is priced apart", async () => {
  composer.setCode("1876");
  composer.setTypedNumbers("18765550123");
  await untilRead();
  expect(composer.getState().summary).toMatchObject({ validCount: 0, wrongCount: 1 });
  composer.setRates(new Map([...DEFAULT_RATES, ["1876", 9_000]]));
  await untilRead();
  expect(composer.getState().summary).toMatchObject({ validCount: 1, wrongCount: 0 });
  composer.setRates(new Map([...DEFAULT_RATES, ["1876", 8_000]]));
  expect(composer.getState().reading).toBe("done");
});

test("agreeing to leave out wrong numbers holds until others are wrong", async () => {
  composer.setTypedNumbers("08030000001, 12");
  await untilRead();
  composer.leaveOutWrong();
  expect(composer.getState().leftOutCount).toBe(1);
  composer.setTypedNumbers("08030000001, 12, 08030000002");
  await untilRead();
  expect(composer.getState().leftOutCount).toBe(1);
  composer.setTypedNumbers("08030000001, 13, 08030000002");
  await untilRead();
  expect(composer.getState().leftOutCount).toBe(0);
  composer.leaveOutWrong();
  composer.setTypedNumbers("08030000001, 12, 13");
  await untilRead();
  expect(composer.getState().leftOutCount).toBe(0);
});

test("what is sent are clean numbers; a draft keeps them as they were given", async () => {
  composer.set({ senderName: "AdaStores", message: "Hello" });
  composer.addList("0803 000 0001\n0803 000 0001");
  composer.setTypedNumbers("+234 805 000 0002, wrong");
  await untilRead();
  const fields = { senderName: "AdaStores", message: "Hello", code: "234" };
  expect(await composer.readBody()).toEqual({ ...fields, phoneNo: "2348030000001,2348050000002" });
  expect(await composer.readDraft()).toEqual({
    ...fields,
    phoneNo: "0803 000 0001\n0803 000 0001\n+234 805 000 0002, wrong",
  });
});

test("a worker that breaks is said, and trying again reads everything", async () => {
  InlineWorker.isBroken = true;
  composer.addList("08030000001");
  composer.setTypedNumbers("08030000002");
  await vi.waitFor(() => expect(composer.getState().reading).toBe("failed"));
  InlineWorker.isBroken = false;
  composer.readAgain();
  await untilRead();
  expect(composer.getState().summary?.validCount).toBe(2);
});

test("after a success the next message keeps the country and the sender name", async () => {
  composer.set({ senderName: "AdaStores", message: "Hello" });
  composer.setCode("233");
  composer.addList("+233 24 123 4567");
  composer.startNext();
  expect(composer.getState()).toMatchObject({
    senderName: "AdaStores",
    code: "233",
    message: "",
    lists: [],
    summary: undefined,
    reading: "none",
  });
});

test("what is composed outlives the page and ends with the session", () => {
  startUserSession(userId);
  getComposer(userId).set({ message: "Hello" });
  expect(getComposer(userId).getState().message).toBe("Hello");
  clearSession("asked");
  startUserSession(userId);
  expect(getComposer(userId).getState().message).toBe("");
});

test("nobody finds what somebody else has composed", () => {
  startUserSession(userId);
  getComposer(userId).set({ message: "Hello" });
  const otherId = "01900000-0000-7000-8000-000000000002";
  startUserSession(otherId);
  expect(getComposer(otherId).getState().message).toBe("");
});

test("a draft or message is taken over, a long one as a list; the same again changes nothing that was typed since", async () => {
  const source = { code: "233", senderName: "AdaStores", message: "Kept", phoneNo: longPaste };
  composer.set({ message: "Typed before" });
  composer.takeOver(source);
  await untilRead();
  expect(composer.getState()).toMatchObject({
    code: "233",
    senderName: "AdaStores",
    message: "Kept",
    typedNumbers: "",
    lists: [{ origin: "carried over" }],
  });
  composer.set({ message: "Kept, and changed" });
  composer.takeOver({ ...source });
  expect(composer.getState().message).toBe("Kept, and changed");
  composer.takeOver({ ...source, message: "Changed elsewhere" });
  expect(composer.getState().message).toBe("Changed elsewhere");
});

test("what was sent is taken over anew when it is opened again", () => {
  const source = { code: "234", senderName: "AdaStores", message: "Kept", phoneNo: "08030000001" };
  composer.takeOver(source);
  composer.startNext();
  composer.takeOver(source);
  expect(composer.getState()).toMatchObject({ message: "Kept", typedNumbers: "08030000001" });
});

test("each form has a composition of its own, and each draft", () => {
  startUserSession(userId);
  getComposer(userId).set({ message: "New" });
  const draft = getComposer(userId, "draft", "one");
  draft.set({ message: "Draft one" });
  expect(getComposer(userId, "draft", "one")).toBe(draft);
  expect(getComposer(userId, "draft", "two").getState().message).toBe("");
  expect(getComposer(userId).getState().message).toBe("New");
  clearSession("asked");
  startUserSession(userId);
  expect(getComposer(userId, "draft", "two").getState().message).toBe("");
});
