import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSecret, sealSecret } from "./seal-secret.ts";
import { getSecretsKey } from "./secrets-key.ts";

const key = randomBytes(32);

test("a sealed secret shows nothing of the text, differs each time, and opens again", () => {
  const [one, other] = [sealSecret(key, "a", "s3cret"), sealSecret(key, "a", "s3cret")];
  expect(one.includes("s3cret")).toBe(false);
  expect(one.equals(other)).toBe(false);
  expect(openSecret(key, "a", one)).toBe("s3cret");
});

test("a secret does not open with another key, in another owner's row, or with changed bytes", () => {
  const sealed = sealSecret(key, "a", "s3cret");
  expect(openSecret(randomBytes(32), "a", sealed)).toBeUndefined();
  expect(openSecret(key, "b", sealed)).toBeUndefined();
  for (const index of [0, 5, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(openSecret(key, "a", changed)).toBeUndefined();
  }
  expect(openSecret(key, "a", sealed.subarray(0, 20))).toBeUndefined();
});

test("the key's file is made once, also by several calls at once, and only its owner can read it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "ewebal-secrets-"));
  const config = { secretsKey: undefined, dataDir };
  const keys = await Promise.all(Array.from({ length: 10 }, () => getSecretsKey(config)));
  expect(new Set(keys.map((each) => each.toString("hex"))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
  expect((await stat(join(dataDir, "secrets/secrets.key"))).mode & 0o777).toBe(0o600);
  expect(await getSecretsKey({ ...config, secretsKey: key })).toBe(key);
  await rm(dataDir, { recursive: true });
});
