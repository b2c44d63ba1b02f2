/** One machine of a run: the product's processes on it, its disk and its clock, and what can be done to them. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProduct, trySignal, type ChildName, type Product } from "../testing/product.ts";
import { fillDisk, unmountSmallDisk } from "../testing/small-disk.ts";

/** A host that is started while its disk is full, or while the database is being restored by another, is started again. */
const STARTS_MAX = 20;

/** The time of day of one host; see `host-clock.c`. */
export class HostClock {
  readonly library: string;
  readonly #path: string;
  #jumpedMs = 0;

  /** @throws Error when there is no working gcc. */
  constructor(folder: string, name: string) {
    this.#path = join(folder, `${name}.clock`);
    this.library = join(folder, `${name}.so`);
    this.#write("w");
    const source = join(import.meta.dirname, "host-clock.c");
    const options = ["-O2", "-shared", "-fPIC", `-DCLOCK_FILE="${this.#path}"`, "-o", this.library, source];
    execFileSync("gcc", options, { stdio: ["ignore", "ignore", "ignore"] });
  }

  /** From where the clock stands now; negative puts it back. */
  jump(byMs: number): void {
    this.#jumpedMs += byMs;
    this.#write("r+");
  }

  #write(flags: "w" | "r+"): void {
    const file = openSync(this.#path, flags, 0o644);
    const octets = Buffer.alloc(8);
    octets.writeBigInt64LE(BigInt(this.#jumpedMs));
    writeSync(file, octets, 0, octets.length, 0);
    closeSync(file);
  }
}

export class Host {
  readonly clock: HostClock | undefined;
  readonly #dataDir: string;
  readonly #isDiskItsOwn: boolean;
  #environment: Record<string, string>;
  #product: Product | undefined;
  #url = "";
  /** What is done to its processes, one after the other: a host that is starting is not killed before it stands. */
  #work: Promise<unknown> = Promise.resolve();
  #fillCount = 0;
  #workCount = 0;
  /** Every line that it printed, of earlier starts as well. */
  readonly #earlierOutput: string[] = [];

  constructor(settings: {
    dataDir: string;
    isDiskItsOwn: boolean;
    environment: Record<string, string>;
    clock: HostClock | undefined;
  }) {
    this.clock = settings.clock;
    this.#dataDir = settings.dataDir;
    this.#isDiskItsOwn = settings.isDiskItsOwn;
    this.#environment = {
      ...settings.environment,
      ...(this.clock !== undefined && { LD_PRELOAD: this.clock.library }),
    };
  }

  get url(): string {
    return this.#url;
  }

  get output(): string[] {
    return [...this.#earlierOutput, ...(this.#product?.output ?? [])];
  }

  async start(): Promise<Product> {
    const product = await startProduct({ dataDir: this.#dataDir, environment: this.#environment });
    this.#product = product;
    this.#url = product.url;
    // It comes back where it was, as a machine does.
    this.#environment = { ...this.#environment, PORT: new URL(product.url).port };
    return product;
  }

  /** Stops it, and removes what it kept. */
  async remove(): Promise<void> {
    await this.#work;
    await this.#product?.stop();
    if (this.#isDiskItsOwn) unmountSmallDisk(this.#dataDir);
    else await rm(this.#dataDir, { recursive: true, force: true });
  }

  /** Its supervisor starts it again. */
  async killChild(name: ChildName): Promise<void> {
    await this.#inTurn(async (product) => trySignal(product.childPid(name), "SIGKILL"));
  }

  async killDatabase(): Promise<void> {
    await this.#inTurn(async (product) => {
      if (!(await product.isDatabaseGone())) await product.killDatabase();
    });
  }

  /** Only the first process dies; the next start meets its children, which are still ending, and adopts its database. */
  async killFirstProcess(): Promise<void> {
    await this.#inTurn(async (product) => {
      await product.kill();
      await this.#startAgain();
    });
  }

  async cutPower(): Promise<void> {
    await this.#inTurn(async (product) => {
      await product.cutPower();
      await this.#startAgain();
    });
  }

  async stallWorker(forMs: number): Promise<void> {
    const pid = this.#product?.childPid("worker");
    trySignal(pid, "SIGSTOP");
    await sleep(forMs);
    trySignal(pid, "SIGCONT");
  }

  /** Only a disk of its own can be filled. Asked for again meanwhile, it stays full until the last of them is over. */
  async fillDisk(forMs: number): Promise<void> {
    if (!this.#isDiskItsOwn) return;
    const filler = join(this.#dataDir, "filler");
    if (this.#fillCount === 0) fillDisk(filler);
    this.#fillCount += 1;
    await sleep(forMs);
    this.#fillCount -= 1;
    if (this.#fillCount === 0) rmSync(filler);
  }

  /** Whether nothing is being done to it. */
  get isStanding(): boolean {
    return this.#workCount === 0;
  }

  /** Until nothing is being done to it any more. */
  async stands(): Promise<void> {
    await this.#work;
  }

  async #inTurn(act: (product: Product) => Promise<void>): Promise<void> {
    const before = this.#work;
    this.#workCount += 1;
    const work = (async () => {
      await before;
      if (this.#product !== undefined) await act(this.#product);
      this.#workCount -= 1;
    })();
    this.#work = work;
    await work;
  }

  async #startAgain(): Promise<void> {
    this.#earlierOutput.push(...(this.#product?.output ?? []));
    this.#product = undefined;
    for (let starts = 1; ; starts += 1) {
      try {
        await this.start();
        return;
      } catch (error) {
        if (starts === STARTS_MAX) throw error;
        await sleep(500);
      }
    }
  }
}
