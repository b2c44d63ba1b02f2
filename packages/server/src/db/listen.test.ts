import { describe } from "vitest";
import { expect, test as base } from "../testing/database.ts";
import { createListener, NOTIFY_PAYLOAD_BYTES_MAX, notify } from "./listen.ts";
import type { Listener, Subscription } from "./listen.ts";
import type { Db } from "./pool.ts";
import { withTransaction } from "./transaction.ts";

type Heard = {
  listener: Listener;
  errors: unknown[];
  record: (channel: string) => { events: string[]; subscription: Subscription };
};

const test = base.extend<{ heard: Heard }>({
  heard: async ({ databaseUrl }, use) => {
    const errors: unknown[] = [];
    const listener = createListener({
      url: databaseUrl,
      onError: (error) => errors.push(error),
      applicationName: "listener under test",
    });
    const record: Heard["record"] = (channel) => {
      const events: string[] = [];
      const subscription = listener.listen(channel, {
        onPayload: (payload) => events.push(payload),
        onConnect: () => events.push("<connected>"),
        onDisconnect: () => events.push("<disconnected>"),
      });
      return { events, subscription };
    };
    await use({ listener, errors, record });
    await listener.close();
  },
});

async function killListener(db: Db): Promise<void> {
  await db.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'listener under test'",
  );
}

describe("a hint", () => {
  test("that is longer than PostgreSQL takes is refused before it fails the transaction", async ({ db }) => {
    await expect(notify(db, "news", ["x".repeat(NOTIFY_PAYLOAD_BYTES_MAX + 1)])).rejects.toThrow("too long");
    await notify(db, "news", ["x".repeat(NOTIFY_PAYLOAD_BYTES_MAX)]);
  });

  test("of a transaction that is rolled back is never heard; of one that commits it is, once", async ({
    db,
    heard,
  }) => {
    const { events } = heard.record("news");
    await expect.poll(() => events).toEqual(["<connected>"]);
    const failing = withTransaction(db, async (tx) => {
      await notify(tx, "news", ["of the failed"]);
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    await withTransaction(db, async (tx) => {
      await notify(tx, "news", ["a", "b"]);
      await notify(tx, "news", ["a"]);
      expect(events).toEqual(["<connected>"]);
    });
    await expect.poll(() => events).toEqual(["<connected>", "a", "b"]);
  });

  test("reaches the subscribers of its channel only, on one connection", async ({ db, heard }) => {
    const news = heard.record("news");
    const other = heard.record('odd "name"');
    await expect.poll(() => [...news.events, ...other.events]).toEqual(["<connected>", "<connected>"]);
    await notify(db, 'odd "name"', ["for the other"]);
    await expect.poll(() => other.events).toEqual(["<connected>", "for the other"]);
    expect(news.events).toEqual(["<connected>"]);
    const { rowCount } = await db.query("select from pg_stat_activity where application_name = 'listener under test'");
    expect(rowCount).toBe(1);
  });
});

describe("a subscription", () => {
  test("that begins while the connection stands is told when it hears", async ({ db, heard }) => {
    const first = heard.record("news");
    await expect.poll(() => first.events).toEqual(["<connected>"]);
    const second = heard.record("news");
    await expect.poll(() => second.events).toEqual(["<connected>"]);
    await notify(db, "news", ["x"]);
    await expect.poll(() => second.events).toEqual(["<connected>", "x"]);
    expect(first.events).toEqual(["<connected>", "x"]);
  });

  test("that is closed hears nothing more; another one of its channel does", async ({ db, heard }) => {
    const first = heard.record("news");
    const second = heard.record("news");
    await expect.poll(() => second.events).toEqual(["<connected>"]);
    await first.subscription.close();
    await notify(db, "news", ["x"]);
    await expect.poll(() => second.events).toEqual(["<connected>", "x"]);
    expect(first.events).not.toContain("x");
  });

  test("whose handler throws disturbs no other", async ({ db, heard }) => {
    const fault = new Error("fault of a handler");
    heard.listener.listen("news", {
      onConnect: () => undefined,
      onPayload: () => {
        throw fault;
      },
    });
    const { events } = heard.record("news");
    await expect.poll(() => events).toEqual(["<connected>"]);
    await notify(db, "news", ["x"]);
    await expect.poll(() => events).toEqual(["<connected>", "x"]);
    expect(heard.errors).toEqual([fault]);
  });
});

describe("a lost connection", () => {
  test("is made again, and subscribers learn that they may have missed something", async ({ db, heard }) => {
    const { events } = heard.record("news");
    await expect.poll(() => events).toEqual(["<connected>"]);
    await killListener(db);
    await expect.poll(() => events).toEqual(["<connected>", "<disconnected>", "<connected>"]);
    await notify(db, "news", ["after"]);
    await expect.poll(() => events.at(-1)).toBe("after");
    expect(heard.errors).toHaveLength(1);
  });

  test("that cannot be made is reported, and closing does not wait for it", async () => {
    const errors: unknown[] = [];
    const listener = createListener({
      url: "postgres://nobody@127.0.0.1:1/none",
      onError: (error) => errors.push(error),
    });
    listener.listen("news", { onPayload: () => undefined, onConnect: () => undefined });
    await expect.poll(() => errors.length).toBeGreaterThan(1);
    const startedAtMs = Date.now();
    await listener.close();
    expect(Date.now() - startedAtMs).toBeLessThan(1_000);
  });
});
