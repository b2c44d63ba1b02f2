/**
 * Machines of one installation, as network namespaces of this one: each with an address of its own, on a network that leads nowhere else
 * but to the tests. Linux, root and iproute2.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Kept for tests of network devices (RFC 2544): nothing on the internet has such an address. */
const NETWORK_PREFIX = "198.18";
const NAME_PREFIX = "ewebal-";
const SWITCH = "switch";
const GONE_TRIES_MAX = 200;
const GONE_POLL_MS = 25;

/** The reason why there can be no such machines here, or undefined. */
export const reasonWithoutHosts = findReason();

function findReason(): string | undefined {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  if (process.getuid?.() !== 0) return "network namespaces are made by root";
  try {
    ip("-V");
  } catch {
    return "there is no program ip (Debian: apt-get install iproute2)";
  }
  const name = `${NAME_PREFIX}${process.pid}-try`;
  try {
    ip("netns", "add", name);
    ip("-n", name, "link", "add", "try", "type", "bridge");
    return undefined;
  } catch (error) {
    return `the system makes no network namespace with a bridge: ${String((error as { stderr?: unknown }).stderr).trim()}`;
  } finally {
    if (existsSync(`/run/netns/${name}`)) ip("netns", "delete", name);
  }
}

/** One machine. Whatever is started with `command` lives on it. */
export class Host {
  readonly address: string;
  /** Words before a program and its arguments that start it here. */
  readonly command: readonly string[];
  readonly #namespace: string;
  readonly #network: string;
  readonly #port: string;

  constructor(place: { namespace: string; network: string; port: string; address: string }) {
    this.address = place.address;
    this.command = ["ip", "netns", "exec", place.namespace];
    this.#namespace = place.namespace;
    this.#network = place.network;
    this.#port = place.port;
  }

  /** Runs a program here to its end. */
  run(...words: string[]): void {
    const [program = "", ...rest] = [...this.command, ...words];
    execFileSync(program, rest, { stdio: ["ignore", "ignore", "pipe"] });
  }

  /**
   * Nothing reaches it and nothing leaves it, and neither end hears of it, as when a cable is cut further on. Its processes go on, and
   * what they had sent is sent again when it is back.
   */
  cutOff(): void {
    this.#plug("nomaster");
  }

  reconnect(): void {
    this.#plug("master", SWITCH);
  }

  /** All of its processes stand still. Its system goes on acknowledging what it is sent, as that of a stalled machine does. */
  pause(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  /** As when its power fails: not even the end of its connections is heard. */
  kill(): void {
    this.cutOff();
    this.#signal("SIGKILL");
  }

  /** Ends all of its processes, and what it is. Calling it again changes nothing. */
  async remove(): Promise<void> {
    if (!existsSync(`/run/netns/${this.#namespace}`)) return;
    for (let tries = 0; this.#signal("SIGKILL") > 0; tries += 1) {
      if (tries > GONE_TRIES_MAX) throw new Error(`Processes of ${this.#namespace} do not end`);
      await sleep(GONE_POLL_MS);
    }
    ip("netns", "delete", this.#namespace);
  }

  #plug(...how: string[]): void {
    ip("-n", this.#network, "link", "set", "dev", this.#port, ...how);
  }

  /** @returns how many processes there were. */
  #signal(signal: NodeJS.Signals): number {
    const pids = pidsOf(this.#namespace);
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // It has ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
    return pids.length;
  }
}

/** The machines and what joins them. The tests themselves have the first address. */
export class HostNetwork {
  readonly #name = `${NAME_PREFIX}${process.pid}-net`;
  readonly #hosts: Host[] = [];
  readonly #subnet = findFreeSubnet();

  /** Removes first what a run left that was itself killed. */
  static async make(): Promise<HostNetwork> {
    await removeLeftovers();
    const network = new HostNetwork();
    try {
      network.#build();
    } catch (error) {
      await network.remove();
      throw error;
    }
    return network;
  }

  #build(): void {
    const device = `ew${process.pid}`;
    ip("netns", "add", this.#name);
    ip("-n", this.#name, "link", "add", SWITCH, "type", "bridge");
    ip("-n", this.#name, "link", "set", SWITCH, "up");
    ip("link", "add", device, "type", "veth", "peer", "name", "tests", "netns", this.#name);
    ip("-n", this.#name, "link", "set", "tests", "master", SWITCH, "up");
    ip("address", "add", `${this.#subnet}.1/24`, "dev", device);
    ip("link", "set", device, "up");
  }

  /** @param name of up to 11 letters and digits. */
  addHost(name: string): Host {
    const namespace = `${NAME_PREFIX}${process.pid}-${name}`;
    const port = `to-${name}`;
    const address = `${this.#subnet}.${10 + this.#hosts.length}`;
    ip("netns", "add", namespace);
    const host = new Host({ namespace, network: this.#name, port, address });
    this.#hosts.push(host);
    ip("-n", this.#name, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", namespace);
    ip("-n", this.#name, "link", "set", port, "master", SWITCH, "up");
    ip("-n", namespace, "address", "add", `${address}/24`, "dev", "eth0");
    ip("-n", namespace, "link", "set", "eth0", "up");
    ip("-n", namespace, "link", "set", "lo", "up");
    return host;
  }

  /** Ends every process on every machine, and leaves nothing of it. */
  async remove(): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.remove();
    // Its end of the cable to the tests takes the other one along.
    if (existsSync(`/run/netns/${this.#name}`)) ip("netns", "delete", this.#name);
  }
}

async function removeLeftovers(): Promise<void> {
  for (const line of ip("netns", "list").split("\n")) {
    const [, name = "", pid] = new RegExp(`^(${NAME_PREFIX}(\\d+)-\\S+)`).exec(line) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    for (const left of pidsOf(name)) process.kill(left, "SIGKILL");
    await sleep(GONE_POLL_MS);
    ip("netns", "delete", name);
  }
}

function findFreeSubnet(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  for (let third = 0; third < 256; third += 1) {
    const subnet = `${NETWORK_PREFIX}.${third}`;
    if (!own.some(({ address }) => address.startsWith(`${subnet}.`))) return subnet;
  }
  throw new Error(`Every network of ${NETWORK_PREFIX} is in use`);
}

function pidsOf(namespace: string): number[] {
  return ip("netns", "pids", namespace)
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
}

function ip(...words: string[]): string {
  return execFileSync("ip", words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
