import { expect, test } from "vitest";
import { emptyOtp, eraseDigit, putDigits } from "./otp-boxes.tsx";

test("a typed digit fills its box and goes on to the next", () => {
  expect(putDigits(emptyOtp, 0, "7")).toEqual({ digits: ["7", "", "", ""], boxIndex: 1 });
});

test("the last box has no next", () => {
  expect(putDigits(["1", "2", "3", ""], 3, "4")).toEqual({ digits: ["1", "2", "3", "4"], boxIndex: 3 });
});

test("a whole code fills all boxes, wherever it is pasted and however it is written", () => {
  expect(putDigits(["9", "9", "", ""], 2, " 12-34 ").digits).toEqual(["1", "2", "3", "4"]);
});

test("a part of a code fills from its box on, and what has no box is left out", () => {
  expect(putDigits(emptyOtp, 2, "123").digits).toEqual(["", "", "1", "2"]);
});

test.each(["a", "", "٣"])("%j is no digit and changes nothing", (text) => {
  expect(putDigits(["1", "", "", ""], 1, text)).toEqual({ digits: ["1", "", "", ""], boxIndex: 1 });
});

test("backspace empties a full box and stays", () => {
  expect(eraseDigit(["1", "2", "", ""], 1)).toEqual({ digits: ["1", "", "", ""], boxIndex: 1 });
});

test("backspace in an empty box goes back and empties that one", () => {
  expect(eraseDigit(["1", "2", "", ""], 2)).toEqual({ digits: ["1", "", "", ""], boxIndex: 1 });
  expect(eraseDigit(emptyOtp, 0)).toEqual({ digits: emptyOtp, boxIndex: 0 });
});
