import { randomBytes } from "node:crypto";
import { chown, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeProtectedHeader } from "jose";
import { describe } from "vitest";
import { cleanUp } from "../features/accounts/clean-up.ts";
import { listSecrets, openSession } from "../features/accounts/index.ts";
import { createPool, type Db } from "../db/pool.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { openSecret, sealSecret } from "../secrets/seal-secret.ts";
import { getSecretsKey, getSecretsKeys } from "../secrets/secrets-key.ts";
import { expect, test as base } from "../testing/app.ts";
import { buildAdmin, buildUser } from "../testing/factories.ts";

const HOUR_MS = 3_600_000;

const test = base.extend<{ statusOf: (token: string, userId: string) => Promise<number> }>({
  statusOf: async ({ app }, use) => {
    await use(
      async (token, userId) =>
        (
          await app.inject({
            method: "GET",
            url: `/api/${userId}/view-one-user`,
            headers: { authorization: `Bearer ${token}` },
          })
        ).statusCode,
    );
  },
});

/** Another process on the same database: it has read nothing so far. */
function asOther(db: Db): Db {
  return createPool({ url: db.options.connectionString ?? "" });
}

describe("the key of sessions", () => {
  test("a replaced one reads until its sessions are over, and signs nothing", async ({ db, deps, clock, statusOf }) => {
    const user = await buildUser(db);
    const open = async (): Promise<string> =>
      (await openSession(deps, db, { kind: "user", actorId: user.userId })).token;
    const old = await open();
    expect(decodeProtectedHeader(old).kid).toBe("1");
    expect(await rotateKeys("session", deps)).toBe("Sessions are signed with key 2 from now on.");
    const fresh = await open();
    expect(decodeProtectedHeader(fresh).kid).toBe("2");
    expect([await statusOf(old, user.userId), await statusOf(fresh, user.userId)]).toEqual([200, 200]);

    await cleanUp(deps);
    expect(await listSecrets(db, "session-token-key")).toHaveLength(2);
    clock.advance(14 * HOUR_MS);
    await cleanUp(deps);
    expect((await db.query("select name from app_secret where name like 'session-token-key%'")).rows).toEqual([
      { name: "session-token-key/2" },
    ]);
  });

  test("another process reads what was signed with a key that it has not seen", async ({ db, deps, statusOf }) => {
    const user = await buildUser(db);
    await statusOf((await openSession(deps, db, { kind: "user", actorId: user.userId })).token, user.userId);
    const other = asOther(db);
    await rotateKeys("session", { ...deps, db: other });
    const { token } = await openSession({ ...deps, db: other }, other, { kind: "user", actorId: user.userId });
    await other.end();
    expect(decodeProtectedHeader(token).kid).toBe("2");
    await expect.poll(async () => await statusOf(token, user.userId), { timeout: 3_000 }).toBe(200);
  });

  test("one that leaked reads nothing any more", async ({ db, deps, statusOf }) => {
    const user = await buildUser(db);
    const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
    await rotateKeys("leaked", deps);
    expect(await statusOf(token, user.userId)).toBe(401);
    expect((await listSecrets(db, "session-token-key")).map(({ id }) => id)).toEqual([2]);
  });
});

test("a code of before the new key still works", async ({ app, db, deps }) => {
  const registration = {
    adminName: "Bola",
    adminFullName: "Bola Ade",
    email: "bola@ewebal.com",
    contact: "08031234567",
    password: "seven brave goats",
  };
  await app.inject({ method: "POST", url: "/api/create-admin", payload: registration });
  const { text } = (await db.query<{ text: string }>("select text_body as text from mail")).rows[0] ?? { text: "" };
  const token = /\/([\w-]{43})\/verify-otp/.exec(text)?.[1];
  await rotateKeys("otp", deps);
  const answer = await app.inject({
    method: "POST",
    url: `/api/${token}/verify-otp`,
    payload: { otp: /^\d{4}$/m.exec(text)?.[0] },
  });
  expect(answer.statusCode).toBe(200);
});

describe("the key of secrets", () => {
  const insert = async (db: Db, key: Buffer): Promise<{ carrierId: string; adminId: string }> => {
    const { adminId } = await buildAdmin(db);
    const { rows } = await db.query<{ id: string }>("select gen_random_uuid()::text as id");
    const carrierId = rows[0]?.id ?? "";
    await db.query(
      `insert into kept_carrier (kept_carrier_id, name, host, port, system_id, sealed_password, system_type, has_tls, bind_count, window_size,
         messages_per_second, prefixes, weight, priority, receipt_ids, long_messages, dnd_error_codes, is_enabled, created_at, updated_at)
       values ($1, 'Acme', 'acme.example', 2775, 'acme', $2, '', false, 1, 10, 100, '{}', 1, 0, 'asIs', 'udh8', '{}', true, now(), now())`,
      [carrierId, sealSecret(key, carrierId, "pw")],
    );
    await db.query(
      `insert into second_factor (kind, actor_id, sealed_secret, created_at, confirmed_at) values ('admin', $1, $2, now(), now())`,
      [adminId, sealSecret(key, `second-factor admin ${adminId}`, "TOTP")],
    );
    return { carrierId, adminId };
  };
  const openAll = async (
    db: Db,
    keys: readonly Buffer[],
    { carrierId, adminId }: { carrierId: string; adminId: string },
  ): Promise<(string | undefined)[]> => {
    const carriers = await db.query<{ sealed: Buffer }>("select sealed_password as sealed from kept_carrier");
    const factors = await db.query<{ sealed: Buffer }>("select sealed_secret as sealed from second_factor");
    const none = Buffer.alloc(0);
    return [
      openSecret(keys, carrierId, carriers.rows[0]?.sealed ?? none),
      openSecret(keys, `second-factor admin ${adminId}`, factors.rows[0]?.sealed ?? none),
    ];
  };

  test("of the data directory is made anew; what the old one sealed is read on the way and sealed anew", async ({
    db,
    deps,
  }) => {
    const { config } = deps;
    const old = await getSecretsKey(config);
    const owners = await insert(db, old);
    const keyPath = join(config.dataDir, "secrets/secrets.key");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(keyPath, 60_602, 60_600);
    const { uid } = await stat(keyPath);
    expect(await rotateKeys("secrets", deps)).toBe("2 secrets were encrypted anew.");
    const fresh = await getSecretsKey(config);
    expect(fresh.equals(old)).toBe(false);
    expect(await openAll(db, [fresh], owners)).toEqual(["pw", "TOTP"]);
    expect(await openAll(db, [old], owners)).toEqual([undefined, undefined]);
    // A back-up of before can still be read.
    expect((await getSecretsKeys(config)).map((key) => key.toString("hex"))).toEqual(
      [fresh, old].map((key) => key.toString("hex")),
    );
    for (const path of [keyPath, join(config.dataDir, "secrets/secrets.old.key")]) {
      const facts = await stat(path);
      expect([facts.mode & 0o777, facts.uid], path).toEqual([0o600, uid]);
    }
    expect((await readFile(keyPath, "utf8")).trim()).toBe(fresh.toString("base64"));
  });

  test("of the configuration: the old value reads beside the new one; a key that is missing leaves what it sealed", async ({
    db,
    deps,
  }) => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const owners = await insert(db, old);
    const run = async (oldSecretsKeys: Buffer[]): Promise<string> =>
      await rotateKeys("secrets", { db, config: { ...deps.config, secretsKey: fresh, oldSecretsKeys } });
    expect(await run([])).toMatch(/^0 secrets were encrypted anew\. 2 can be read with no key/);
    expect(await openAll(db, [fresh, old], owners)).toEqual(["pw", "TOTP"]);
    expect(await run([old])).toBe("2 secrets were encrypted anew. SECRETS_KEY_OLD is needed no more.");
    expect(await openAll(db, [fresh], owners)).toEqual(["pw", "TOTP"]);
    expect(await run([])).toBe("0 secrets were encrypted anew. SECRETS_KEY_OLD is needed no more.");
  });
});

test("a word that names no key is refused", async ({ deps }) => {
  await expect(rotateKeys("everything", deps)).rejects.toThrow("everything is no key");
});
