import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { describe } from "vitest";
import { Webhook } from "standardwebhooks";
import { readAlarms } from "../../main/read-alarms.ts";
import { expect, overlap, test as base } from "../../testing/app.ts";
import { buildAdmin, buildUser } from "../../testing/factories.ts";
import { lockAlarms } from "./alarm-store.ts";
import { postAlarm } from "./post-alarm.ts";
import { watchAlarms, type AlarmReadings } from "./watch-alarms.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const MAIL = "ops@ewebal.com";

const quiet: AlarmReadings = {
  downCarriers: [],
  queuedSince: undefined,
  ledgerViolations: 0,
  mailWaitsSince: undefined,
  webhookWaitsSince: undefined,
  disks: [{ host: "one", freePercent: 10 }],
  outages: [],
  backedUpAt: undefined,
};

type Listed = { _id: string; kind: string; subject: string; state: string; closedAt: string | null; detail: string };

const environment = { ALARM_MAIL: MAIL, ALARM_WEBHOOK: "http://127.0.0.1:9/", ALARM_WEBHOOK_SECRET: SECRET };

const test = base.extend({ environment }).extend<{
  /** One look of the watcher. */
  look: (readings?: Partial<AlarmReadings>) => Promise<void>;
  listed: () => Promise<Listed[]>;
}>({
  look: async ({ deps }, use) => await use(async (readings = {}) => await watchAlarms(deps, { ...quiet, ...readings })),
  listed: async ({ app, db, signInAs }, use) => {
    const admin = await buildAdmin(db);
    // A session of its own for each look: the clock may have ended the last one.
    await use(async () => {
      const headers = await signInAs(admin);
      return (await app.inject({ url: "/api/view-alarms", headers })).json<{ data: Listed[] }>().data;
    });
  },
});

describe("what opens an alarm", () => {
  const ago = (now: Date, ms: number): Date => new Date(now.getTime() - ms);
  test.for([
    [
      "carrier-down",
      (now: Date, late: number) => ({
        downCarriers: [{ name: "mtn", since: ago(now, 2 * MINUTE_MS + late), lastError: null }],
      }),
    ],
    ["queue-old", (now: Date, late: number) => ({ queuedSince: ago(now, 5 * MINUTE_MS + late) })],
    ["mails-stuck", (now: Date, late: number) => ({ mailWaitsSince: ago(now, 15 * MINUTE_MS + late) })],
    ["webhooks-stuck", (now: Date, late: number) => ({ webhookWaitsSince: ago(now, 5 * MINUTE_MS + late) })],
    ["backup-old", (now: Date, late: number) => ({ backedUpAt: ago(now, 25 * HOUR_MS + late) })],
    ["ledger-violated", (_now: Date, late: number) => ({ ledgerViolations: late })],
    [
      "disk-low",
      (_now: Date, late: number) => ({
        disks: [
          { host: "one", freePercent: 12 },
          { host: "one", freePercent: 10 - late },
        ],
      }),
    ],
  ] as const)(
    "%s at its limit not, beyond it once, and closed when it is over",
    async ([kind, readings], { clock, look, listed, mailsTo, deps }) => {
      await look(readings(clock.now(), 0));
      expect(await listed()).toEqual([]);
      await look(readings(clock.now(), 1));
      await look(readings(clock.now(), 1));
      expect((await listed()).map((alarm) => [alarm.kind, alarm.state])).toEqual([[kind, "open"]]);
      await look();
      expect(await listed()).toEqual([
        expect.objectContaining({ kind, state: "closed", closedAt: clock.now().toISOString() }),
      ]);
      expect((await mailsTo(MAIL)).map(({ subject }) => subject.startsWith("Alarm: "))).toEqual([true]);
      const posts = deps.jobs.enqueued.filter(({ name }) => name === "post-alarm");
      expect(posts.map(({ ids }) => ids["event"])).toEqual(["opened", "closed"]);
    },
  );

  test("the database's absence is told once it is back, once for all processes that saw it", async ({
    clock,
    look,
    listed,
    mailsTo,
  }) => {
    const lostAt = ago(clock.now(), 9_000);
    const outages = [
      { lostAt, backAt: ago(clock.now(), 3_000) },
      { lostAt: ago(clock.now(), 8_000), backAt: clock.now() },
    ];
    await look({ outages });
    await look({ outages });
    expect(await listed()).toEqual([expect.objectContaining({ kind: "database-unreachable", state: "closed" })]);
    expect(await mailsTo(MAIL)).toHaveLength(1);
  });

  test("two workers that look at once make one alarm and one mail", async ({ clock, db, look, listed, mailsTo }) => {
    const readings = { queuedSince: ago(clock.now(), HOUR_MS) };
    // A third holds the lock until both wait for it.
    await overlap(
      db,
      async (tx) => await lockAlarms(tx),
      async () => await Promise.all([look(readings), look(readings)]),
    );
    expect(await listed()).toHaveLength(1);
    expect(await mailsTo(MAIL)).toHaveLength(1);
  });
});

test("open ones are listed apart from those that are over, and counted in the menu", async ({
  app,
  db,
  look,
  signInAs,
}) => {
  await look({ ledgerViolations: 1 });
  await look({ queuedSince: new Date(0) });
  const admin = await buildAdmin(db);
  const get = async (url: string): Promise<{ data: never }> =>
    (await app.inject({ url, headers: await signInAs(admin) })).json();
  const kindsOf = async (query: string): Promise<string[]> =>
    ((await get(`/api/view-alarms?${query}`)).data as Listed[]).map(({ kind }) => kind);
  expect(await kindsOf("state=open")).toEqual(["queue-old"]);
  expect(await kindsOf("state=closed")).toEqual(["ledger-violated"]);
  expect(await kindsOf("")).toEqual(["queue-old", "ledger-violated"]);
  expect((await app.inject({ url: "/api/view-alarms?state=x", headers: await signInAs(admin) })).statusCode).toBe(400);
  expect((await get("/api/view-waiting-counts")).data).toMatchObject({ alarms: 1 });
  await db.query("update alarm set silenced_until = now() + interval '1 day'");
  expect((await get("/api/view-waiting-counts")).data).toMatchObject({ alarms: 0 });
});

test("what comes back within ten minutes is the same event, later another one", async ({
  clock,
  look,
  listed,
  mailsTo,
}) => {
  await look({ ledgerViolations: 1 });
  await look();
  clock.advance(9 * MINUTE_MS);
  await look({ ledgerViolations: 2 });
  expect(await listed()).toEqual([
    expect.objectContaining({ state: "open", detail: "The ledger breaks its rules in 2 places." }),
  ]);
  await look();
  clock.advance(11 * MINUTE_MS);
  await look({ ledgerViolations: 1 });
  expect((await listed()).map(({ state }) => state)).toEqual(["open", "closed"]);
  expect(await mailsTo(MAIL)).toHaveLength(2);
});

test("the readings come from the product's own tables", async ({ db, deps, clock }) => {
  expect(await readAlarms(deps)).toMatchObject({ ...quiet, disks: [] });
  await db.query(
    `insert into process_heartbeat (process_id, roles, started_at, seen_at, host, disk_free_percent) values (gen_random_uuid(), '{worker}', now(), now(), 'one', 4)`,
  );
  await db.query(
    `insert into mail (mail_id, recipient, subject, text_body, html_body, created_at) values (gen_random_uuid(), 'a@b.ng', 's', 't', 'h', $1)`,
    [clock.now()],
  );
  expect(await readAlarms({ ...deps, config: { ...deps.config, backupDir: "/nowhere" } })).toMatchObject({
    disks: [{ host: "one", freePercent: 4 }],
    mailWaitsSince: clock.now(),
    backedUpAt: clock.now(),
  });
});

describe("silencing", () => {
  test("is refused to strangers, customers, other roles, and for times that are none", async ({
    app,
    db,
    clock,
    look,
    listed,
    signInAs,
  }) => {
    await look({ ledgerViolations: 1 });
    const [alarm] = await listed();
    const admin = await buildAdmin(db);
    const url = `/api/${admin.id}/${alarm?._id}/silence-alarm`;
    const silence = async (headers: Record<string, string>, payload: object, to = url) =>
      (await app.inject({ method: "PATCH", url: to, headers, payload })).statusCode;
    const until = new Date(clock.now().getTime() + HOUR_MS).toISOString();
    expect((await app.inject("/api/view-alarms")).statusCode).toBe(401);
    expect(await silence({}, { until })).toBe(401);
    const customer = await signInAs(await buildUser(db));
    expect((await app.inject({ url: "/api/view-alarms", headers: customer })).statusCode).toBe(403);
    expect(await silence(customer, { until })).toBe(403);
    const headers = await signInAs(admin);
    const tooFar = new Date(clock.now().getTime() + 366 * 24 * HOUR_MS).toISOString();
    for (const payload of [
      {},
      { until: "soon" },
      { until: clock.now().toISOString() },
      { until: tooFar },
      { until, more: 1 },
    ])
      expect(await silence(headers, payload)).toBe(400);
    expect(await silence(headers, { until }, `/api/${admin.id}/${admin.id}/silence-alarm`)).toBe(404);
    expect(await silence(headers, { until })).toBe(200);
    expect((await listed()).map(({ state }) => state)).toEqual(["silenced"]);
  });

  test("nobody is told until it ends; what is still open then is told", async ({
    app,
    db,
    clock,
    look,
    listed,
    mailsTo,
    signInAs,
  }) => {
    await look({ ledgerViolations: 1 });
    const [alarm] = await listed();
    const admin = await buildAdmin(db);
    const until = new Date(clock.now().getTime() + HOUR_MS).toISOString();
    await app.inject({
      method: "PATCH",
      url: `/api/${admin.id}/${alarm?._id}/silence-alarm`,
      headers: await signInAs(admin),
      payload: { until },
    });
    await look();
    clock.advance(30 * MINUTE_MS);
    await look({ ledgerViolations: 1 });
    expect((await listed()).map(({ state }) => state)).toEqual(["silenced", "closed"]);
    expect(await mailsTo(MAIL)).toHaveLength(1);
    clock.advance(31 * MINUTE_MS);
    await look({ ledgerViolations: 1 });
    expect(await mailsTo(MAIL)).toHaveLength(2);
  });
});

test("the post is signed, comes again after a failure under the same id, and may go to a private address", async ({
  deps,
  look,
  listed,
}) => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  let status = 500;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const own = {
    ...deps,
    config: { ...deps.config, alarms: { ...deps.config.alarms, webhook: `http://127.0.0.1:${port}/a` } },
  };
  await look({ ledgerViolations: 1 });
  const [alarm] = await listed();
  await expect(postAlarm(own, alarm?._id ?? "", "opened")).rejects.toThrow("ALARM_WEBHOOK answered 500");
  status = 204;
  await postAlarm(own, alarm?._id ?? "", "opened");
  server.close();
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([
    `${alarm?._id}.opened`,
    `${alarm?._id}.opened`,
  ]);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({
    type: "alarm.opened",
    data: { kind: "ledger-violated", state: "open" },
  });
});

describe("the status page", () => {
  test("says that nothing is sent without a worker, and nothing of what is inside", async ({ app, look, clock }) => {
    await look({
      downCarriers: [{ name: "secret-carrier", since: new Date(clock.now().getTime() - HOUR_MS), lastError: "x" }],
    });
    const answer = await app.inject("/status.json");
    expect(answer.headers["cache-control"]).toBe("public, max-age=10");
    expect(answer.json()).toMatchObject({
      state: "down",
      parts: [
        { name: "Website and API", state: "operational", since: null },
        { name: "Sending", state: "down" },
        { name: "E-mails", state: "down" },
        { name: "Webhooks", state: "down" },
      ],
    });
    const page = await app.inject("/status");
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.body).toContain("Something does not work");
    // Drawn without the pages' files, in their colours.
    const tokens = await readFile(new URL("../../../../web/src/ui/theme/tokens.css", import.meta.url), "utf8");
    const used = page.body.match(/--ew-[a-z-]+: #[0-9a-f]{6}/g) ?? [];
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((token) => !tokens.includes(`${token};`))).toEqual([]);
    expect(answer.body + page.body).not.toContain("secret-carrier");
  });

  test("says since when a part is slower than usual, also while the alarm is silenced", async ({
    app,
    db,
    look,
    clock,
  }) => {
    await db.query(
      `insert into process_heartbeat (process_id, roles, started_at, seen_at) values (gen_random_uuid(), '{worker}', now(), now())`,
    );
    const openedAt = clock.now().toISOString();
    await look({ queuedSince: new Date(clock.now().getTime() - HOUR_MS) });
    await db.query("update alarm set silenced_until = now() + interval '1 day'");
    expect((await app.inject("/status.json")).json()).toEqual({
      state: "degraded",
      parts: [
        { name: "Website and API", state: "operational", since: null },
        { name: "Sending", state: "degraded", since: openedAt },
        { name: "E-mails", state: "operational", since: null },
        { name: "Webhooks", state: "operational", since: null },
      ],
    });
  });
});
