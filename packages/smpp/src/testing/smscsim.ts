import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A strict carrier simulator in C that is not part of this project; it may stand beside the checkout. */
const source = resolve(import.meta.dirname, "../../../../../shared/tools/smscsim/smscsim.c");

const HERE: SmscsimPlace = { address: "127.0.0.1", command: [] };

export type Smscsim = {
  readonly port: number;
  /** Sends one line to the control port and gives the line that comes back. */
  readonly control: (line: string) => Promise<string>;
  readonly stats: () => Promise<Record<string, number | string>>;
  readonly stop: () => Promise<void>;
};

/** Where it runs and listens. */
export type SmscsimPlace = {
  readonly address: string;
  /** Words before the program and its arguments that start it there. */
  readonly command: readonly string[];
};

export type SmscsimBuild = {
  readonly start: (options?: readonly string[], place?: SmscsimPlace) => Promise<Smscsim>;
  readonly remove: () => void;
};

/** @returns the reason when it cannot be built here. */
export function buildSmscsim(optimisation: "-O1" | "-O2" = "-O1"): SmscsimBuild | string {
  if (!existsSync(source)) return "there is no ../shared/tools/smscsim/smscsim.c beside the project";
  const folder = mkdtempSync(join(tmpdir(), "smscsim-"));
  const program = join(folder, "smscsim");
  try {
    execFileSync("gcc", [optimisation, "-o", program, source], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return "there is no working gcc";
  }
  return {
    start: (options = [], place = HERE) => start(program, options, place),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function start(program: string, options: readonly string[], place: SmscsimPlace): Promise<Smscsim> {
  const ownOptions = ["--bind", place.address, "--port", "0", "--control-port", "0"];
  const [first = "", ...words] = [...place.command, program, ...ownOptions, ...options];
  const child = spawn(first, words, { stdio: ["ignore", "ignore", "pipe"] });
  const [line] = (await once(child.stderr, "data")) as [Buffer];
  const ports = JSON.parse(line.toString()) as { smpp_port: number; control_port: number };
  const control = (question: string): Promise<string> => ask(place.address, ports.control_port, question);
  return {
    port: ports.smpp_port,
    control,
    stats: async () => JSON.parse(await control("stats")) as Record<string, number | string>,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function ask(address: string, port: number, line: string): Promise<string> {
  const socket = connect(port, address);
  socket.write(`${line}\n`);
  let answer = "";
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.includes("\n")) break;
  }
  return answer;
}
