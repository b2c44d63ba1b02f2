import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { assertPasswordAllowed, hashPassword, isPasswordRight } from "./passwords.ts";

test("files are read while many passwords are hashed", async () => {
  let hashedCount = 0;
  const hashes = Array.from({ length: 12 }, async () => {
    await hashPassword("a-long-enough-secret");
    hashedCount += 1;
  });
  await readFile(new URL("./passwords.ts", import.meta.url));
  // Reading a file takes several turns of the thread pool; were all of its threads hashing, each would wait for a hash.
  expect(hashedCount).toBeLessThan(4);
  await Promise.all(hashes);
});

test("a password is right however its letters are composed", async () => {
  const passwordHash = await hashPassword("se\u0301cret-words");
  expect(await isPasswordRight(passwordHash, "s\u00e9cret-words")).toBe(true);
  expect(await isPasswordRight(passwordHash, "secret-words")).toBe(false);
});

test("the person's own names and mailbox, the brand's and the program's are no passwords, whatever stands round them", () => {
  const words = ["Acme SMS", "ada.obi@gmail.com", "Ada", "Ada Obi"];
  for (const password of [
    "Ada.Obi",
    "adaobi1987!",
    "123ADA456",
    "acme-sms1",
    "Ewebal2026",
    "ada.obi@gmail.com",
    "\uFF21da_Obi",
  ])
    expect(() => assertPasswordAllowed(password, words), password).toThrow(/fields|incorrect/i);
  for (const password of ["adaobis-garden", "my ada obi", "19870101-9", "acmesmsx", "!!!---!!!"])
    expect(() => assertPasswordAllowed(password, words), password).not.toThrow();
});
