import { describe, expect, test } from "vitest";
import { normalizeAddress } from "../../../http/rate-limits/client-address.ts";
import { readSendingAddress } from "./sending-address.ts";

describe("an address to approve", () => {
  test.each([
    "",
    "example.com",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.4/32",
    "0.0.0.0/0",
    "1.2.3.4:80",
    "١.2.3.4",
    "[2001:db8::1]",
    "fe80::1%eth0",
    ":::",
  ])("%j is no address", (text) => {
    expect(readSendingAddress(text)).toEqual({ kind: "wrong", reason: "is not an IP address" });
  });

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "224.0.0.1",
    "239.255.255.255",
    "255.255.255.255",
    "::",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "ff02::1",
    "::ffff:10.0.0.1",
    "::ffff:0a00:0001",
  ])("%s is not public", (text) => {
    expect(readSendingAddress(text)).toEqual({ kind: "wrong", reason: "is not a public IP address" });
  });

  test.each([
    ["1.1.1.1", "1.1.1.1"],
    [" 172.32.0.1 ", "172.32.0.1"],
    ["203.0.113.7", "203.0.113.7"],
    ["2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:cb00:7107", "203.0.113.7"],
  ])("%s is read as %s", (text, address) => {
    expect(readSendingAddress(text)).toEqual({ kind: "address", address, warnings: [] });
  });

  test.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("%s may be approved, with a warning", (text) => {
    expect(readSendingAddress(text)).toMatchObject({ kind: "address", warnings: [expect.any(String)] });
  });

  test("the address of a socket is brought into the same form", () => {
    expect(normalizeAddress("::ffff:198.51.100.1")).toBe("198.51.100.1");
  });
});
