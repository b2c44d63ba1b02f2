import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../main/app.ts";
import { createPool } from "../../db/pool.ts";
import { expect, test } from "../../testing/app.ts";
import { buildAdmin, buildUser } from "../../testing/factories.ts";
import { startHeartbeat } from "./health.ts";

const readyz = { method: "GET", url: "/readyz" } as const;

test("alive needs nothing", async ({ app }) => {
  const answer = await app.inject({ method: "GET", url: "/healthz" });
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: "alive" }]);
});

test("not ready without a worker, with one that is silent for 15 seconds, or with a web process alone", async ({
  app,
  db,
}) => {
  const expected = {
    status: "not ready",
    code: "UNAVAILABLE",
    checks: { database: true, migrations: true, worker: false },
  };
  const none = await app.inject(readyz);
  expect(none.statusCode).toBe(503);
  expect(none.json()).toMatchObject(expected);

  await db.query(
    `insert into process_heartbeat values (gen_random_uuid(), '{worker}', now(), now() - interval '16 seconds')`,
  );
  await db.query(`insert into process_heartbeat values (gen_random_uuid(), '{web}', now(), now())`);
  expect((await app.inject(readyz)).json()).toMatchObject(expected);
});

test("not ready when a migration of this version is missing", async ({ app, db }) => {
  await db.query(`insert into process_heartbeat values (gen_random_uuid(), '{worker}', now(), now())`);
  await db.query(`delete from schema_migration where version = (select max(version) from schema_migration)`);
  const answer = await app.inject(readyz);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ checks: { database: true, migrations: false } });
});

test("not ready, in plain words, when the database is gone", async ({ deps }) => {
  const db = createPool({ url: "postgres://nobody@127.0.0.1:1/none", connectTimeoutMs: 500 });
  const app = await buildApp({ ...deps, db });
  const answer = await app.inject(readyz);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({
    status: "not ready",
    message: "The service is not ready",
    code: "UNAVAILABLE",
    checks: { database: false, migrations: false, worker: false },
  });
  await app.close();
  await db.end();
});

test("ready while a worker says that it is alive; its last word takes it back", async ({ app, db, deps }) => {
  const heartbeat = startHeartbeat(deps, "worker");
  for (let tries = 0; tries < 100 && (await app.inject(readyz)).statusCode !== 200; tries += 1) await sleep(10);
  expect((await app.inject(readyz)).json()).toEqual({
    status: "ready",
    checks: { database: true, migrations: true, worker: true },
  });
  await heartbeat.stop();
  expect((await app.inject(readyz)).statusCode).toBe(503);
  expect((await db.query("select from process_heartbeat")).rowCount).toBe(0);
});

test("only administrators see processes and the ledger's invariants", async ({ app, db, signInAs }) => {
  await db.query(`insert into process_heartbeat values (gen_random_uuid(), '{worker}', now(), now())`);
  const customer = await signInAs(await buildUser(db));
  expect((await app.inject({ ...readyz, headers: customer })).json()).not.toHaveProperty("details");
  const admin = await signInAs(await buildAdmin(db));
  const answer = (await app.inject({ ...readyz, headers: admin })).json<{
    details: { processes: unknown[]; ledger: { violations: number }[] };
  }>();
  expect(answer.details.processes).toHaveLength(1);
  expect(answer.details.ledger.length).toBeGreaterThan(0);
  expect(answer.details.ledger.every(({ violations }) => violations === 0)).toBe(true);
});
