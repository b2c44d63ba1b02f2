/** What `npm start` promises to whoever starts it, stops it, or pulls the plug. */
import { execFile, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { MessageCounts } from "@ewebal/contract";
import { startEmbeddedPostgres } from "@ewebal/embedded-postgres";
import { commandStatus, SmppServer } from "@ewebal/smpp";
import { createPool } from "@ewebal/server/src/db/pool.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  equipCustomer,
  findMessage,
  makeNumbers,
  readUser,
  registerCustomer,
  send,
  signIn,
} from "./testing/api-client.ts";
import { carrierSetting } from "./testing/carrier.ts";
import {
  makeDataDir,
  removeProduct,
  repository,
  runProduct,
  startProduct,
  waitUntil,
  type Product,
  type ProductSettings,
} from "./testing/product.ts";

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function start(settings?: ProductSettings): Promise<Product> {
  const product = await startProduct(settings);
  cleanUps.push(() => removeProduct(product));
  return product;
}

async function makeFolder(prefix: string): Promise<string> {
  const folder = await makeDataDir(prefix);
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Figures are for people: what a start costs belongs to the machine, so no bound is asserted. */
function reportSeconds(what: string, product: Product): void {
  const seconds = /Started in ([0-9.]+) s/.exec(product.output.join("\n"))?.[1];
  process.stdout.write(`${what}: ${seconds} s\n`);
}

describe("a start that cannot succeed", () => {
  test("with a port in use ends with an error that names it, and makes nothing", async () => {
    const dataDir = join(await makeFolder("ewebal-port-"), "data");
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanUps.push(async () => server.close());
    const { port } = server.address() as { port: number };

    const { status, output } = await runProduct({ DATA_DIR: dataDir, PORT: String(port) });

    expect(status).toBe(1);
    expect(output).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Set PORT to another one, or to 0 for a free one.`,
    );
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  });

  test("with faulty settings ends with one message that lists them all and tells no value", async () => {
    const dataDir = join(await makeFolder("ewebal-faulty-"), "data");
    const { status, output } = await runProduct({
      DATA_DIR: dataDir,
      PORT: "65536",
      DATABASE_URL: "mysql://root:very-secret@localhost/shop",
      ROLES: "web,cook",
      PAGE_RULE: "sometimes",
      SESSION_IDLE_SECONDS: "-1",
      CARRIERS: '[{"name":"Foreign"}]',
    });

    expect(status).toBe(1);
    const [title, ...faults] = output.split("\n");
    expect(title).toBe("The configuration is invalid:");
    const names = faults.map((fault) => fault.trim().split(" ")[0]);
    expect(names).toEqual(["PORT", "DATABASE_URL", "ROLES", "CARRIERS", "PAGE_RULE", "SESSION_IDLE_SECONDS"]);
    expect(output).not.toMatch(/very-secret|sometimes|cook/);
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  });
});

test("a start that would be open to the world ends with one message that lists what is missing, and makes nothing", async () => {
  const dataDir = join(await makeFolder("ewebal-open-"), "data");
  const { status, output } = await runProduct({
    DATA_DIR: dataDir,
    PUBLIC_URL: "https://sms.example",
    TRIAL_PARTS: "",
  });
  expect(status).toBe(1);
  expect(output).toMatch(/^The start is refused.*\n {2}a mail server: set SMTP_URL.*\n {2}carriers: set CARRIERS.*$/);
  await expect(stat(dataDir)).rejects.toThrow("ENOENT");
});

describe("npm start", () => {
  test("stops with SIGTERM, leaves nothing behind, and starts again on what it kept", async () => {
    const dataDir = join(await makeFolder("ewebal with a space "), "data");
    const first = await start({ dataDir, isThroughNpm: true });
    reportSeconds("First start", first);
    const customer = await registerCustomer(first);
    await equipCustomer(first, customer, 500, "SHOP");
    expect(await first.stop()).toBe(0);
    await waitUntil(first.isGone, "the end of every process");

    const second = await start({ dataDir, isThroughNpm: true });
    reportSeconds("Second start", second);
    expect(second.output).not.toContain("Built the pages.");
    // Said while nobody has registered yet, and not again.
    expect(
      [first, second].map(({ output }) => /only gmail\.com addresses can sign in/.test(output.join("\n"))),
    ).toEqual([true, false]);
    // The accounts are there already, and their passwords were told once.
    expect(second.demo.customer).toEqual({ email: "", password: "" });
    expect(
      await readUser(await signIn(second, { email: customer.email, password: "a-long-enough-secret" })),
    ).toMatchObject({ units: 500, senderID: ["SHOP"] });
    await signIn(second, first.demo.admin, "admin");
    expect(await second.stop("Ctrl-C")).toBe(0);
    await waitUntil(second.isGone, "the end of every process");
  });
});

describe("the first process", () => {
  let killed: Product;
  beforeAll(async () => (killed = await startProduct()));
  afterAll(async () => await removeProduct(killed));

  test.skipIf(process.getuid?.() !== 0)(
    "started by root: every other process is a user of its own, and the work is done",
    async () => {
      const product = killed;
      if (!(await isOpenToEverybody(import.meta.dirname))) {
        expect(product.output.join("\n")).toMatch(/All processes run as root: user id \d+ cannot run the program in/);
        return;
      }
      // Said by another writer than the lines for people, so it may come after these.
      const readPids = () =>
        product.output.flatMap((line) =>
          line.startsWith("{") ? [JSON.parse(line) as { child?: string; childPid?: number }] : [],
        );
      await waitUntil(() => readPids().some(({ child }) => child === "web"), "the process id of the web role");
      const pids = readPids();
      const postgres = Number.parseInt(
        await readFile(join(product.dataDir, "postgres/data/postmaster.pid"), "utf8"),
        10,
      );
      const uids = new Map<string, string>();
      for (const [name, pid] of [
        ...pids.map(({ child, childPid }) => [child, childPid] as const),
        ["postgres", postgres] as const,
      ]) {
        if (name === undefined || pid === undefined) continue;
        const status = await readFile(`/proc/${pid}/status`, "utf8");
        expect(/^Groups:(.*)$/m.exec(status)?.[1]?.trim(), name).toBe("");
        uids.set(name, [...new Set(/^Uid:\s+(.*)$/m.exec(status)?.[1]?.split("\t"))].join());
      }
      expect([...uids.keys()].toSorted()).toEqual(["postgres", "simulator", "web", "worker"]);
      expect(new Set(uids.values()).size).toBe(4);
      expect([...uids.values()]).not.toContain("0");
      expect((await stat(product.dataDir)).mode & 0o7777).toBe(0o1770);

      // The worker keeps the mail, the web process shows it; a receipt goes the other way.
      const customer = await registerCustomer(product);
      await equipCustomer(product, customer, 50, "SHOP");
      const token = /\/mailbox\?token=(\S+)/.exec(product.output.join("\n"))?.[1] ?? "";
      await waitUntil(
        async () => (await (await fetch(`${product.url}/mailbox?token=${token}`)).text()).includes(customer.email),
        "the mail in the mailbox",
      );
    },
  );

  test("killed with SIGKILL during a send: the next start adopts the database and ends the send, exactly", async () => {
    const customer = await registerCustomer(killed);
    await equipCustomer(killed, customer, 40_000, "SHOP");
    const { body } = await send(
      customer,
      { senderName: "SHOP", message: "Sale today", phoneNo: makeNumbers(10_000).join(","), code: "234" },
      randomUUID(),
    );
    const messageId = body.data._id;
    await waitUntil(
      async () => ((await findMessage(customer, messageId))?.counts.sent ?? 0) > 0,
      "the first answers of the carrier",
    );
    await killed.kill();

    const next = await start({ dataDir: killed.dataDir });
    reportSeconds("Start after SIGKILL", next);
    expect(next.output.join("\n")).toContain('"isAdopted":true');
    const again = await signIn(next, { email: customer.email, password: "a-long-enough-secret" });
    let counts: MessageCounts | undefined;
    await waitUntil(
      async () => {
        counts = (await findMessage(again, messageId))?.counts;
        return counts?.waiting === 0 && counts.sent === 0;
      },
      "the end of the send",
      { withinMs: 100_000, everyMs: 200 },
    );
    const { body: failed } = await again.call<{ data: { reason: string }[] }>(
      "GET",
      `/api/${again.actorId}/${messageId}/recipients?state=failed`,
    );
    expect(failed.data.map(({ reason }) => reason)).toEqual([]);
    // What was between the hand-over and its record when everything died is settled by its receipt, or shown as
    // unknown.
    expect((counts?.delivered ?? 0) + (counts?.unknown ?? 0)).toBe(10_000);
    expect((await readUser(again)).units).toBe(10_000);
  });

  test("told to stop while it is still starting: stops, and leaves nothing behind", async () => {
    const dataDir = join(await makeFolder("ewebal-early-"), "data");
    const { status, output } = await runProduct({ DATA_DIR: dataDir }, /migration applied/);
    expect(status, output).toBe(0);
    await expect(stat(join(dataDir, "postgres/data/postmaster.pid"))).rejects.toThrow("ENOENT");
  });
});

test("npm run move while it sends: it stops, a killed move goes on, nothing is lost or sent twice", async () => {
  const peer = await startCountingCarrier();
  const target = await startTarget();
  // So slow that the move comes before the end on any machine.
  const environment = { CARRIERS: peer.settingOf(30), SECRETS_KEY: randomBytes(32).toString("base64") };
  const old = await start({ environment });
  const customer = await registerCustomer(old);
  await equipCustomer(old, customer, 10_000, "SHOP");
  const numbers = makeNumbers(1_500);
  const { body } = await send(customer, {
    senderName: "SHOP",
    message: "Moving house",
    phoneNo: numbers.join(","),
    code: "234",
  });
  await waitUntil(() => peer.taken.length > 20, "the first submits");

  const first = startMove(old.dataDir, target.url);
  await waitUntil(() => target.hasTables(), "the first tables of the target");
  first.child.kill("SIGKILL");
  await first.ended;
  expect(await old.stop()).toBe(0);
  expect(old.output).toContain(`The database is being moved to ${target.shownUrl}; stopping.`);
  expect(peer.taken.length).toBeLessThan(1_500);
  const refused = await runProduct({ DATA_DIR: old.dataDir, ...environment });
  expect([refused.status, refused.output]).toEqual([
    1,
    `The database of ${old.dataDir} is being moved to ${target.shownUrl}: wait for "npm run move", and run it again if it was interrupted.`,
  ]);
  const halfFilled = await runProduct({ DATA_DIR: old.dataDir, DATABASE_URL: target.url, ...environment });
  expect([halfFilled.status, halfFilled.output]).toEqual([
    1,
    expect.stringMatching(/A move into this database was interrupted: run "npm run move" again/) as string,
  ]);

  const second = await startMove(old.dataDir, target.url).ended;
  expect(second).toMatchObject({ status: 0, stderr: "" });
  expect(second.stdout).toMatch(
    /Moved [\d,]+ rows of \d+ tables and \d+ waiting jobs to .*; set DATABASE_URL to that address and start Ewebal\.\n$/,
  );
  expect(await runProduct({ DATA_DIR: old.dataDir, ...environment })).toMatchObject({
    status: 1,
    output: expect.stringMatching(/ was moved to .* on .*: set DATABASE_URL to that address\.$/) as string,
  });

  const moved = await start({
    dataDir: old.dataDir,
    environment: { ...environment, CARRIERS: peer.settingOf(10_000), DATABASE_URL: target.url },
  });
  // Whoever was signed in still is.
  const again = await signIn(moved, { email: customer.email, password: "a-long-enough-secret" });
  await waitUntil(async () => (await findMessage(again, body.data._id))?.counts.sent === 1_500, "the end of the send", {
    withinMs: 60_000,
    everyMs: 200,
  });
  expect(peer.taken.toSorted()).toEqual(numbers.toSorted());
  expect((await readUser(again)).units).toBe(10_000 - 1_500 * 3);
});

/** Whether the way to a folder may be passed by every user, as one's own home seldom may. */
async function isOpenToEverybody(folder: string): Promise<boolean> {
  const isPassable = ((await stat(folder)).mode & 0o001) !== 0;
  return isPassable && (folder === dirname(folder) || (await isOpenToEverybody(dirname(folder))));
}

/** A carrier that reports nothing, so that each recipient stays where its submit left it. */
async function startCountingCarrier(): Promise<{
  taken: string[];
  settingOf: (messagesPerSecond: number) => string;
}> {
  const taken: string[] = [];
  const peer = new SmppServer<string>(
    { host: "127.0.0.1", port: 0, systemId: "COUNT", deliverWindow: 10 },
    {
      onBind: () => commandStatus.ESME_ROK,
      onBound: () => undefined,
      onSubmit: (_session, submit) => {
        taken.push(submit.destination.address);
        submit.accept(String(taken.length));
      },
      onDelivered: () => undefined,
      onReady: () => undefined,
      onClosed: () => undefined,
    },
  );
  const smppPort = await peer.listen();
  cleanUps.push(async () => await peer.close({ isPolite: false }));
  return {
    taken,
    settingOf: (messagesPerSecond) => carrierSetting({ smppPort }, { messagesPerSecond, window: 20 }),
  };
}

/** A PostgreSQL that is not the product's. */
async function startTarget(): Promise<{ url: string; shownUrl: string; hasTables: () => Promise<boolean> }> {
  const dataDir = join(await makeFolder("ewebal-target-"), "data");
  const ignore = (): void => undefined;
  const log = { info: ignore, warn: ignore, error: ignore };
  const server = await startEmbeddedPostgres({ program: "target", dataDir, log, fsync: false });
  const db = createPool({ url: server.url });
  cleanUps.push(async () => {
    await db.end();
    await server.stop();
  });
  return {
    url: server.url,
    shownUrl: server.url.replace(/:[^:@]*@/, "@"),
    hasTables: async () => (await db.query("select from pg_tables where schemaname = 'public'")).rowCount !== 0,
  };
}

type Ended = { status: number | null; stdout: string; stderr: string };

function startMove(dataDir: string, url: string): { child: ChildProcess; ended: Promise<Ended> } {
  const path = join(repository, "packages/server/src/main/move-command.ts");
  const ended = Promise.withResolvers<Ended>();
  const child = execFile(
    process.execPath,
    [path, url],
    { env: { PATH: process.env["PATH"], DATA_DIR: dataDir } },
    (_error, stdout, stderr) => ended.resolve({ status: child.exitCode, stdout, stderr }),
  );
  return { child, ended: ended.promise };
}
