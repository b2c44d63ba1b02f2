/** A carrier that is not ours: the C simulator beside the project, compiled when a compiler is there. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../../../../shared/tools/smscsim/smscsim.c", import.meta.url));

export type CarrierStats = {
  accepted: number;
  /** Distinct number and text among the accepted. */
  unique: number;
  duplicates: number;
  malformed: number;
  dlr_acked: number;
  dropped_conns: number;
};

export type ForeignCarrier = {
  smppPort: number;
  stats: () => Promise<CarrierStats>;
  set: (option: string, value: string | number) => Promise<void>;
  stop: () => Promise<void>;
};

/** The reason why it cannot run here, or undefined. */
export function reasonWithoutForeignCarrier(): string | undefined {
  if (!existsSync(source)) return "the carrier simulator in C is not beside the project";
  try {
    execFileSync("gcc", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "there is no gcc";
  }
}

/** @param options of smscsim, such as `{ "dlr-delay-ms": 50 }`; duplicates are found by number and text. */
export async function startForeignCarrier(options: Record<string, string | number> = {}): Promise<ForeignCarrier> {
  const folder = await mkdtemp(join(tmpdir(), "ewebal-smscsim-"));
  const program = join(folder, "smscsim");
  execFileSync("gcc", ["-O2", "-o", program, source]);
  const settings = { port: 0, "control-port": 0, dup: "dest-text", ...options };
  const child = spawn(
    program,
    Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const [firstLine] = (await once(createInterface(child.stderr), "line")) as [string];
  const ports = JSON.parse(firstLine) as { smpp_port: number; control_port: number };
  const ask = (line: string): Promise<string> => askControl(ports.control_port, line);
  return {
    smppPort: ports.smpp_port,
    stats: async () => JSON.parse(await ask("stats")) as CarrierStats,
    set: async (option, value) => {
      await ask(`set ${option} ${value}`);
    },
    stop: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The `CARRIERS` setting of a product that sends through it. */
export function carrierSetting({ smppPort }: ForeignCarrier, more: Record<string, unknown> = {}): string {
  return JSON.stringify([
    { name: "Foreign", kind: "smpp", host: "127.0.0.1", port: smppPort, systemId: "ewebal", password: "secret", window: 100, messagesPerSecond: 100_000, ...more },
  ]);
}

async function askControl(port: number, line: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    socket.write(`${line}\n`);
    let answer = "";
    for await (const chunk of socket) {
      answer += String(chunk);
      if (answer.includes("\n")) break;
    }
    return answer.trim();
  } finally {
    socket.destroy();
  }
}
