import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { findTotpStep, makeTotpSecret, otpauthAddress } from "./factor-codes.ts";

/** RFC 6238, appendix B, SHA-1: the secret is the ASCII text, and six digits are the last six of the eight listed. */
const rfcSecret = Secret.fromLatin1("12345678901234567890").base32;
const rfcCodes = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
] as const;

describe("the vectors of RFC 6238", () => {
  test.each(rfcCodes)("at %d s", (seconds, code) => {
    expect(findTotpStep(rfcSecret, code.slice(2), new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  });
});

test("a code counts one step early and one step late, and no further", () => {
  const secret = makeTotpSecret();
  const step = 60_000_000;
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: step * 30_000 });
  const at = (steps: number): Date => new Date((step + steps) * 30_000);
  expect([-1, 0, 1].map((steps) => findTotpStep(secret, code, at(steps)))).toEqual([step, step, step]);
  expect([-2, 2].map((steps) => findTotpStep(secret, code, at(steps)))).toEqual([undefined, undefined]);
});

test("what is no code of six digits is none, whatever it is", () => {
  const secret = makeTotpSecret();
  for (const code of ["", "1", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "9".repeat(10_000)])
    expect(findTotpStep(secret, code, new Date())).toBeUndefined();
});

test("a secret has 160 bits, and its address says whose it is", () => {
  const secret = makeTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(makeTotpSecret()).not.toBe(secret);
  const address = new URL(otpauthAddress(secret, { issuer: "Ewebal", email: "ada@gmail.com" }));
  expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Ewebal:ada@gmail.com",
  ]);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: "Ewebal",
    secret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
