import { setTimeout as sleep } from "node:timers/promises";
import { Client, Pool } from "pg";
import { describe } from "vitest";
import { expect, postmasterPid, query, test } from "./testing/postgres-test.ts";

describe("a server that dies", () => {
  test("by kill -9 comes back on its port with everything that was committed; pools reconnect", async ({
    dataDir,
    start,
  }) => {
    const postgres = await start({ fsync: true });
    let exitCount = 0;
    postgres.onExit(() => (exitCount += 1));
    const pool = new Pool({ connectionString: postgres.url });
    pool.on("error", () => undefined);
    await pool.query("create table kept as select 7 as value");
    const pid = await postmasterPid(dataDir);

    process.kill(pid, "SIGKILL");

    await expect.poll(() => exitCount, { timeout: 5_000 }).toBe(1);
    await expect
      .poll(
        () =>
          pool
            .query("select value from kept")
            .then(({ rows }) => rows)
            .catch(() => "down"),
        { timeout: 10_000 },
      )
      .toEqual([{ value: 7 }]);
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    await pool.end();
  });

  test("is not started again before the sessions of the dead one have left its memory", async ({
    dataDir,
    start,
    messages,
  }) => {
    const postgres = await start();
    const client = new Client({ connectionString: postgres.url });
    client.on("error", () => undefined);
    await client.connect();
    const orphanPid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
    // Stopped, it cannot notice that its server has died, like one in the middle of a long statement.
    process.kill(orphanPid, "SIGSTOP");
    process.kill(await postmasterPid(dataDir), "SIGKILL");

    await expect
      .poll(() => messages, { timeout: 5_000 })
      .toContain("Waiting for the sessions of the PostgreSQL that was killed to end");
    await expect(query(postgres.url, "select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    process.kill(orphanPid, "SIGCONT");
    await expect.poll(() => messages, { timeout: 10_000 }).toContain("PostgreSQL serves again");
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await client.end();
  });

  test("for a moment, because one session crashed, is not replaced", async ({ dataDir, start, messages }) => {
    const postgres = await start();
    const pid = await postmasterPid(dataDir);
    const client = new Client({ connectionString: postgres.url });
    client.on("error", () => undefined);
    await client.connect();
    const backendPid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;
    process.kill(backendPid, "SIGKILL");
    await expect.poll(() => messages, { timeout: 10_000 }).toContain("PostgreSQL serves again");
    expect(await postmasterPid(dataDir)).toBe(pid);
    await client.end();
  });

  test("while the program stops is not started again", async ({ dataDir, start }) => {
    const postgres = await start();
    const pid = await postmasterPid(dataDir);
    process.kill(pid, "SIGKILL");
    await postgres.stop();
    await sleep(300);
    await expect(query(postgres.url, "select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(await start()).toMatchObject({ adopted: false });
  });

  test("repeatedly is restarted after longer and longer pauses", async ({ dataDir, start, messages }) => {
    const postgres = await start();
    const servesCount = (): number => messages.filter((message) => message === "PostgreSQL serves again").length;
    const gapsMs: number[] = [];
    for (let deathCount = 1; deathCount <= 3; deathCount += 1) {
      const diedAtMs = Date.now();
      process.kill(await postmasterPid(dataDir), "SIGKILL");
      await expect.poll(servesCount, { timeout: 10_000, interval: 10 }).toBe(deathCount);
      gapsMs.push(Date.now() - diedAtMs);
    }
    expect(gapsMs[0]).toBeGreaterThanOrEqual(100);
    expect(gapsMs[1]).toBeGreaterThanOrEqual(200);
    expect(gapsMs[2]).toBeGreaterThanOrEqual(400);
    await postgres.stop();
  });
});
