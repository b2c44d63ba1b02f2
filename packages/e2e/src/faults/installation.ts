/**
 * A whole installation to be tried: two hosts on one database, two carriers that misbehave, a mail server, two customers with units. The
 * first host has the database and, where file systems can be mounted, a small disk of its own.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, chmod, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { equipCustomer, orNoAnswer, signIn, type ApiClient } from "../testing/api-client.ts";
import { startClusterDatabase, type ClusterDatabase } from "../testing/cluster-database.ts";
import { makeDataDir, readDatabaseUrl, waitUntil, type Product } from "../testing/product.ts";
import { mountSmallDisk } from "../testing/small-disk.ts";
import { ContraryCarrier, receiptIdsOf } from "./contrary-carrier.ts";
import { Host, HostClock } from "./host.ts";
import { MailServer } from "./mail-server.ts";
import { CUSTOMER_COUNT, type Fault, type Plan } from "./plan.ts";
import { Witness } from "./witness.ts";

const DISK_MEGABYTES = 512;
const PASSWORD = "a-long-enough-secret";
export const SENDER_NAME = "SHOP";
export const CREDITED_UNITS = 100_000;

/** Of each carrier. Small, so that a crash leaves little unknown and a run has time to break something. */
export const carrierBounds = { binds: 2, window: 20 } as const;

export class Installation {
  readonly witness = new Witness();
  readonly mail = new MailServer();
  readonly carriers: ContraryCarrier[];
  readonly hosts: Host[] = [];
  readonly customers: ApiClient[] = [];
  /** Who was told during the run that a mail is on its way. */
  readonly promisedMails: string[] = [];
  /** Faults that this machine cannot do, and why. */
  readonly lacking = new Map<Fault["kind"], string>();
  readonly #plan: Plan;
  readonly #folder: string;
  readonly #isOnCluster: boolean;
  #cluster: ClusterDatabase | undefined;
  admin: ApiClient | undefined;

  private constructor(plan: Plan, folder: string, isOnCluster: boolean) {
    this.#plan = plan;
    this.#isOnCluster = isOnCluster;
    this.#folder = folder;
    this.carriers = plan.carriers.map((carrier) => new ContraryCarrier(carrier, this.witness));
  }

  /** @param isOnCluster whether its database is a distributed one, with a coordinator and two workers. */
  static async start(plan: Plan, isOnCluster = false): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-faults-"));
    await chmod(folder, 0o711);
    const installation = new Installation(plan, folder, isOnCluster);
    try {
      await installation.#start();
      return installation;
    } catch (error) {
      await installation.remove();
      throw error;
    }
  }

  async remove(): Promise<void> {
    for (const host of this.hosts.toReversed()) await host.remove();
    for (const carrier of this.carriers) await carrier.stop();
    await this.#cluster?.stop();
    await this.mail.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Does what a step says, and undoes it at its end. */
  async apply(fault: Fault, lastsMs: number): Promise<void> {
    if (this.lacking.has(fault.kind)) return;
    if ("carrier" in fault) {
      await this.#applyToCarrier(fault, lastsMs);
      return;
    }
    switch (fault.kind) {
      case "kill worker":
        return await this.#host(fault).killChild("worker");
      case "kill web":
        return await this.#host(fault).killChild("web");
      case "kill first process":
        return await this.#host(fault).killFirstProcess();
      case "cut power":
        return await this.#host(fault).cutPower();
      case "stall worker":
        return await this.#host(fault).stallWorker(lastsMs);
      case "kill database":
        return await this.#killDatabase();
      case "disk is full":
        return await this.#host({ host: 0 }).fillDisk(lastsMs);
      case "clock jumps":
        this.#host(fault).clock?.jump(fault.byMs);
        return;
      case "mail server is dead":
        return await this.#breakMail(fault.how, lastsMs);
      case "slow clients":
        await this.#beSlow(this.#host(fault).url, fault.count, lastsMs);
    }
  }

  /** Drops every link once, so that no answer is waited for any longer that will not come. */
  hangUp(): void {
    for (const carrier of this.carriers) carrier.reset();
  }

  /** Of a cluster each server, one after the other. */
  async #killDatabase(): Promise<void> {
    if (this.#cluster === undefined) return await this.#host({ host: 0 }).killDatabase();
    for (let server = 0; server < this.#cluster.serverCount; server += 1) await this.#cluster.kill(server);
  }

  async #applyToCarrier(fault: Extract<Fault, { carrier: number }>, lastsMs: number): Promise<void> {
    const carrier = this.carriers[fault.carrier] as ContraryCarrier;
    switch (fault.kind) {
      case "carrier resets":
        carrier.reset();
        return;
      case "foreign reports":
        carrier.reportForeign(fault.count);
        return;
      case "foreign answers":
        carrier.answerForeign(fault.count);
        return;
      case "carrier is silent":
        carrier.setSilent(true);
        await sleep(lastsMs);
        carrier.setSilent(false);
        return;
      case "carrier is away":
        await carrier.setAway(true);
        await sleep(lastsMs);
        await carrier.setAway(false);
        return;
      case "carrier throttles":
        carrier.setThrottle(fault.perSecond);
        await sleep(lastsMs);
        carrier.setThrottle(Infinity);
        return;
      case "carrier refuses binds":
        carrier.setBindRefusal(fault.status);
        await sleep(lastsMs);
        carrier.setBindRefusal(0);
    }
  }

  async #start(): Promise<void> {
    await this.mail.start();
    for (const carrier of this.carriers) await carrier.start();
    const disk = mountSmallDisk(DISK_MEGABYTES);
    if (disk === undefined) this.lacking.set("disk is full", "no file system can be mounted here");
    const shared = {
      CARRIERS: this.#carrierSetting(),
      SMTP_URL: this.mail.url,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      // A clock that jumps ahead by minutes must not sign the customers of the run out.
      SESSION_IDLE_SECONDS: "86400",
    };
    if (this.#isOnCluster) this.#cluster = await startClusterDatabase();
    const first = new Host({
      dataDir: disk ?? (await makeDataDir()),
      isDiskItsOwn: disk !== undefined,
      environment: { ...shared, ...(this.#cluster !== undefined && { DATABASE_URL: this.#cluster.url }) },
      clock: this.#makeClock("first"),
    });
    this.hosts.push(first);
    const product = await first.start();
    const second = new Host({
      dataDir: await makeDataDir(),
      isDiskItsOwn: false,
      environment: { ...shared, DATABASE_URL: this.#cluster?.url ?? (await readDatabaseUrl(product)), DEMO: "off" },
      clock: this.#makeClock("second"),
    });
    this.hosts.push(second);
    const [admin, customers] = await Promise.all([
      signIn(product, product.demo.admin, "admin"),
      Promise.all(Array.from({ length: CUSTOMER_COUNT }, () => this.#makeCustomer(product))),
      second.start(),
    ]);
    this.admin = admin;
    this.customers.push(...customers);
  }

  #makeClock(name: string): HostClock | undefined {
    try {
      return new HostClock(this.#folder, name);
    } catch (error) {
      this.lacking.set("clock jumps", `no clock of its own for a host: ${String(error)}`);
      return undefined;
    }
  }

  /** The rate makes the messages of the plan last for most of the run. */
  #carrierSetting(): string {
    const { carriers, numberCount, lastsMs } = this.#plan;
    const messagesPerSecond = Math.ceil((numberCount * 2.5 * 1_000) / lastsMs / carriers.length);
    return JSON.stringify(
      carriers.map((carrier, index) => ({
        name: `Contrary ${index}`,
        kind: "smpp",
        host: "127.0.0.1",
        port: this.carriers[index]?.port,
        systemId: "ewebal",
        password: "secret",
        messagesPerSecond,
        receiptIds: receiptIdsOf(carrier),
        ...carrierBounds,
      })),
    );
  }

  async #makeCustomer(product: Product): Promise<ApiClient> {
    const email = `shop.${randomUUID().slice(0, 8)}@gmail.com`;
    await register(product.url, email);
    await waitUntil(() => this.mail.find(email, verifyLink) !== undefined, `the mail to ${email}`);
    await fetch(`${product.url}/api/${this.mail.find(email, verifyLink)}/verify-user`);
    await equipCustomer(product, { email }, CREDITED_UNITS, SENDER_NAME);
    return await signIn(product, { email, password: PASSWORD });
  }

  /** Somebody registers while no mail can go out, and must get it later. */
  async #breakMail(how: "away" | "silent" | "refusing", lastsMs: number): Promise<void> {
    await this.mail.setMood(how);
    const email = `late.${this.promisedMails.length}.${this.#plan.seed}@gmail.com`;
    const isOver = sleep(lastsMs);
    for (let tries = 0; tries < 300; tries += 1) {
      const url = this.hosts[tries % this.hosts.length]?.url ?? "";
      const status = (await orNoAnswer(register(url, email))) ?? 0;
      // Whoever is registered already was by a try whose answer was lost.
      if ((status >= 200 && status < 300) || status === 409) {
        this.promisedMails.push(email);
        break;
      }
      await sleep(200);
    }
    await isOver;
    await this.mail.setMood("well");
  }

  /** Half of them never finish their request, the others never read their answer. */
  async #beSlow(url: string, count: number, lastsMs: number): Promise<void> {
    const { port } = new URL(url);
    const sockets = Array.from({ length: count }, (_, index) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => socket.destroy());
      const head =
        "POST /api/sign-in-user HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{";
      socket.write(index % 2 === 0 ? head : "GET /login HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20));
      socket.pause();
      return socket;
    });
    await sleep(lastsMs);
    for (const socket of sockets) socket.destroy();
  }

  #host({ host }: { host: number }): Host {
    return this.hosts[host] as Host;
  }
}

const verifyLink = /http\S+\/([^/\s]+)\/verify-user/;

/** @returns the status of the answer. */
async function register(url: string, email: string): Promise<number> {
  const response = await fetch(`${url}/api/create-user`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      userName: "Shop",
      fullName: "Shop Owner",
      email,
      password: PASSWORD,
      phoneNo: "8012345678",
    }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.text();
  return response.status;
}
