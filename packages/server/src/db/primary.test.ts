// Goal: an address with several hosts leads to the one that takes writes, before and after a failover, for pools, listeners and
// jobs. Method: a real primary and its standby, kill -9, and a promotion.
import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Server, StandbyPair, withPool } from "../testing/standby-pair.ts";
import { createListener, notify } from "./listen.ts";
import { createPool } from "./pool.ts";
import { connectionSettings, hostsOf, withHost } from "./primary.ts";
import { isConnectionLost } from "./sql-state.ts";

describe("an address with several hosts", () => {
  test.each([
    ["postgres://u:p@a/db", [{ host: "a", port: 5432 }]],
    [
      "postgres://u:p@a:5433,b/db?x=1",
      [
        { host: "a", port: 5433 },
        { host: "b", port: 5432 },
      ],
    ],
    [
      "postgresql://a,b,c:1",
      [
        { host: "a", port: 5432 },
        { host: "b", port: 5432 },
        { host: "c", port: 1 },
      ],
    ],
    [
      "postgres://u:p%2Cq@[::1]:5433,[::2]/db",
      [
        { host: "::1", port: 5433 },
        { host: "::2", port: 5432 },
      ],
    ],
    ["postgres:///db?host=/run", []],
  ])("%s", (url, hosts) => {
    expect(hostsOf(url)).toEqual(hosts);
  });

  test("keeps everything but the host", () => {
    expect(withHost("postgres://u:p@a:1,b:2/db?sslmode=disable", { host: "b", port: 2 })).toBe(
      "postgres://u:p@b:2/db?sslmode=disable",
    );
    expect(withHost("postgres://[::1],b/db", { host: "::1", port: 5432 })).toBe("postgres://[::1]:5432/db");
  });

  test("one host stays as it was written", () => {
    expect(connectionSettings("postgres://u:p@a/db")).toEqual({ connectionString: "postgres://u:p@a/db" });
  });

  test("a certificate is held against the host that was chosen, and a check that was switched off stays off", () => {
    const { ssl } = connectionSettings("postgres://u:p@a.example,b.example/db?sslmode=verify-full");
    const check = typeof ssl === "object" ? ssl.checkServerIdentity : undefined;
    const certificate = { subject: { CN: "a.example" }, subjectaltname: "DNS:a.example" };
    expect(check?.("b.example", certificate as never)).toBeUndefined();
    expect(check?.("a.example", { ...certificate, subjectaltname: "DNS:b.example" } as never)).toBeInstanceOf(Error);
    expect(connectionSettings("postgres://u:p@a,b/db?sslmode=no-verify").ssl).toMatchObject({
      rejectUnauthorized: false,
    });
    expect(connectionSettings("postgres://u:p@a,b/db?sslmode=disable").ssl).toBe(false);
  });
});

describe("a primary and its standby", () => {
  let pair: StandbyPair;
  let primary: Server;
  let standby: Server;
  let url: string;

  beforeAll(async () => {
    pair = await StandbyPair.make();
    const first = await pair.start("primary");
    await withPool(first.url, async (db) => {
      await db.query("create table note (text text)");
      const boss = new PgBoss({ db: { executeSql: async (text, values) => await db.query(text, values) } });
      await boss.start();
      await boss.createQueue("work", { notify: true });
      await boss.stop({ graceful: false });
    });
    [primary, standby] = await pair.startBoth(first);
    // The standby comes first: whoever takes the first host that answers is led to it.
    url = `postgres://ewebal@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=read-write`;
  }, 60_000);

  afterAll(async () => await pair.end());

  test("a standby alone is no database, which counts as a lost connection", async () => {
    const alone = `postgres://ewebal@127.0.0.1:${standby.port},127.0.0.1:1/postgres`;
    const error = await withPool(alone, async (db) => await db.query("select 1")).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(AggregateError);
    expect(isConnectionLost(error)).toBe(true);
  });

  test("a session that was led to a standby is given up, not kept", async () => {
    await withPool(standby.url, async (db) => {
      const error = await db.query("insert into note values ('no')").catch((failure: unknown) => failure);
      expect(isConnectionLost(error)).toBe(true);
      expect(db.totalCount).toBe(0);
    });
  });

  test("everything finds the primary, and the new one after kill -9 and a promotion", { timeout: 60_000 }, async () => {
    const db = createPool({ url, connectionsMax: 3 });
    const payloads: string[] = [];
    const listener = createListener({ url, onError: () => undefined });
    listener.listen("news", {
      onPayload: (payload) => payloads.push(payload),
      onConnect: () => payloads.push("connected"),
    });
    const done: string[] = [];
    const boss = new PgBoss({
      ...(connectionSettings(url) as object),
      max: 2,
      migrate: false,
      useListenNotify: true,
      notifyHeartbeatIntervalMs: 2_000,
    });
    boss.on("error", () => undefined);
    await boss.start();
    await boss.work<{ name: string }>("work", { pollingIntervalSeconds: 2 }, async ([job]) => {
      done.push(job?.data.name ?? "");
      await Promise.resolve();
    });
    try {
      await db.query("insert into note values ('before')");
      await until(() => payloads.includes("connected"));
      await notify(db, "news", ["first"]);
      await until(() => payloads.includes("first"));
      await boss.send("work", { name: "before" });
      await until(() => done.includes("before"));

      await pair.stop(primary, "SIGKILL");
      const refused = await db.query("insert into note values ('lost')").catch((failure: unknown) => failure);
      expect(isConnectionLost(refused)).toBe(true);
      await withPool(standby.url, async (own) => await own.query("select pg_promote()"));
      const promotedAt = performance.now();
      await untilWritten(async () => await db.query("insert into note values ('after')"));
      // Nothing waits for a time-out: the dead host refuses at once, and the promoted one answers.
      expect(performance.now() - promotedAt).toBeLessThan(5_000);
      expect((await db.query("select text from note order by text")).rows).toEqual([
        { text: "after" },
        { text: "before" },
      ]);
      await until(() => payloads.filter((payload) => payload === "connected").length === 2);
      await notify(db, "news", ["second"]);
      await until(() => payloads.includes("second"));
      await untilWritten(async () => await boss.send("work", { name: "after" }));
      await until(() => done.includes("after"));
    } finally {
      await boss.stop({ graceful: false });
      await listener.close();
      await db.end();
    }
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries += 1) {
    if (tries > 400) throw new Error("it did not come to pass in 20 s");
    await sleep(50);
  }
}

async function untilWritten(write: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isConnectionLost(error) || tries > 200) throw error;
      await sleep(50);
    }
  }
}
