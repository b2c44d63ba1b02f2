import { expect, test } from "vitest";
import { findPlace, type Box } from "./place-notices.ts";

const screen: Box = { left: 0, top: 0, right: 1_280, bottom: 800 };
const bar: Box = { left: 240, top: 0, right: 1_280, bottom: 56 };
const size = { width: 380, height: 64 };

const touches = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("with nothing in the way notices lie in the top right corner", () => {
  expect(findPlace(size, screen, [])).toEqual({ left: 884, top: 16, right: 1_264, bottom: 80 });
});

test("they stay clear of the bar, and of the buttons at the end of the title's line", () => {
  const print: Box = { left: 1_100, top: 80, right: 1_240, bottom: 116 };
  const place = findPlace(size, screen, [bar, print]);
  expect([bar, print].some((box) => touches(place, box))).toBe(false);
  // Beside the buttons rather than below them.
  expect(place.top).toBeLessThan(80);
  expect(place.right).toBeLessThan(1_100);
});

test("on a phone they find the gap between two rows of buttons", () => {
  const phone: Box = { left: 0, top: 0, right: 360, bottom: 740 };
  const rows: Box[] = [
    { left: 0, top: 0, right: 360, bottom: 56 },
    { left: 16, top: 90, right: 344, bottom: 130 },
    { left: 16, top: 230, right: 344, bottom: 270 },
    { left: 0, top: 676, right: 360, bottom: 740 },
  ];
  const place = findPlace({ width: 328, height: 64 }, phone, rows);
  expect(rows.some((box) => touches(place, box))).toBe(false);
  expect(place.top).toBeGreaterThan(130);
  expect(place.bottom).toBeLessThan(230);
});

test("where every place covers something, they cover as little as can be, and stay on the screen", () => {
  const phone: Box = { left: 0, top: 0, right: 360, bottom: 740 };
  const wall: Box = { left: 0, top: 0, right: 360, bottom: 700 };
  const place = findPlace({ width: 328, height: 64 }, phone, [wall]);
  expect(place.bottom).toBeLessThanOrEqual(740);
  expect(place.top).toBeGreaterThan(650);
});

test("on a full phone they cover one link rather than the corners of what stands in the bar", () => {
  const phone: Box = { left: 0, top: 0, right: 360, bottom: 740 };
  const corners = [16, 56, 312].map((left) => ({ left, top: 0, right: left + 32, bottom: 20 }));
  const buttons = [16, 190].map((left) => ({ left, top: 112, right: left + 150, bottom: 148 }));
  const link: Box = { left: 36, top: 376, right: 322, bottom: 394 };
  const rows = [164, 200, 245, 290, 474, 540, 600, 660, 700].map((top) => ({
    left: 16,
    top,
    right: 344,
    bottom: top + 36,
  }));
  const place = findPlace({ width: 328, height: 90 }, phone, [...corners, ...buttons, ...rows, link]);
  expect([...corners, ...buttons, ...rows].filter((box) => touches(place, box))).toEqual([]);
  expect(touches(place, link)).toBe(true);
});
