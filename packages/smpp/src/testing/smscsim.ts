import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A strict carrier simulator in C, and a client, that are not part of this project; they may stand beside the checkout. */
const folderOfSources = resolve(import.meta.dirname, "../../../../../shared/tools/smscsim");

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
  /** Runs the client to its end. @returns the figures that it prints. */
  readonly runClient: (options: readonly string[]) => Promise<Record<string, number>>;
  readonly start: (options?: readonly string[], place?: SmscsimPlace) => Promise<Smscsim>;
  readonly remove: () => void;
};

/** @returns the reason when it cannot be built here. */
export function buildSmscsim(optimisation: "-O1" | "-O2" = "-O1"): SmscsimBuild | string {
  if (!existsSync(join(folderOfSources, "smscsim.c")))
    return "there is no ../shared/tools/smscsim/smscsim.c beside the project";
  const folder = mkdtempSync(join(tmpdir(), "smscsim-"));
  const build = (name: string): string => {
    const program = join(folder, name);
    if (!existsSync(program)) {
      const source = join(folderOfSources, `${name}.c`);
      execFileSync("gcc", [optimisation, "-o", program, source], { stdio: "ignore" });
    }
    return program;
  };
  try {
    build("smscsim");
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return "there is no working gcc";
  }
  return {
    runClient: async (options) => {
      const { stdout } = await promisify(execFile)(build("esme"), [...options]);
      return JSON.parse(stdout) as Record<string, number>;
    },
    start: (options = [], place = HERE) => start(build("smscsim"), options, place),
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
