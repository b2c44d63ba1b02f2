import { expect, test } from "vitest";
import { countLinks, isEachShort, shortenLinks, writeOutLinks } from "./links.ts";

test("what is no link stays as it is", () => {
  for (const text of ["", "Hello", "ewebal.com", "ftp://a.example", "{{name}}", "https://", "{{link:}}"]) {
    expect(shortenLinks(text)).toBe(text);
    expect(isEachShort(text)).toBe(text === "{{link:}}");
  }
});

test("each link is written to be short, without the sentence's own marks, and back", () => {
  const text = "See https://shop.example/a?b=1&c={x}. Or (http://t.example), Dear {{name}}";
  const short = "See {{link:https://shop.example/a?b=1&c=}}{x}. Or ({{link:http://t.example}}), Dear {{name}}";
  expect(shortenLinks(text)).toBe(short);
  expect(writeOutLinks(short)).toBe(text);
  expect(shortenLinks(short)).toBe(short);
  expect([isEachShort(text), isEachShort(short)]).toEqual([false, true]);
  expect([countLinks(text), countLinks(short), countLinks("none")]).toEqual([2, 2, 0]);
});

test("a link that was typed later is not short yet, and one press makes it so", () => {
  const text = "{{ link: https://a.example }} and https://b.example";
  expect(isEachShort(text)).toBe(false);
  expect(shortenLinks(text)).toBe("{{ link: https://a.example }} and {{link:https://b.example}}");
});

test("a link inside a short one's target is no link of the text", () => {
  const text = "{{link:https://a.example/?to=https://b.example}}";
  expect(shortenLinks(text)).toBe(text);
  expect([countLinks(text), isEachShort(text)]).toEqual([1, true]);
});

test("a hostile text costs no more than its length", () => {
  const start = performance.now();
  for (const piece of ["https://", "{{link:", "{{ ", "https://a.", "{{link: https://"])
    shortenLinks(piece.repeat(20_000));
  expect(performance.now() - start).toBeLessThan(1_000);
});
