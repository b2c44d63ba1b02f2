import { describe, expect, test } from "vitest";
import { findLinkFault } from "./merge-texts.ts";

describe("the target of a short link", () => {
  test.each([
    "ftp://a.example",
    "javascript:alert(1)",
    "a.example",
    "https:a.example",
    "",
    "https://a.example/x y",
    "https://user@a.example",
    "https://:pass@a.example",
    "http://localhost/x",
    "http://printer.local",
    "http://intranet",
    "http://127.1",
    "http://0x7f000001",
    "http://2130706433",
    "http://10.0.0.1",
    "http://172.16.5.4",
    "http://192.168.1.1",
    "http://169.254.169.254/latest",
    "http://[::1]",
    "http://[fe80::1]",
    "http://[fd00::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[64:ff9b::10.0.0.1]",
    "http://[2002:7f00:1::]",
    `https://a.example/${"x".repeat(1_000)}`,
  ])("%j is refused", (target) => expect(findLinkFault([target])).toContain(target.slice(0, 60)));

  test.each(["http://8.8.8.8/x", "https://[2606:4700::1111]/", "https://a.example:8443/%7Ex", "HTTPS://A.EXAMPLE"])(
    "%j is taken",
    (target) => expect(findLinkFault([target])).toBeUndefined(),
  );

  test("of ten links are taken, and an eleventh refused", () => {
    const targets = Array.from({ length: 11 }, () => "https://a.example");
    expect([findLinkFault(targets.slice(1)), findLinkFault(targets)]).toEqual([undefined, "has more than 10 links"]);
  });
});
