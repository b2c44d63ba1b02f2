/**
 * One role in a process of its own, forked by `main.ts`, which names the role. Stops when told to, on SIGTERM, and when its parent is gone.
 */
import { pino, type Logger } from "pino";
import type { ChildMessage, PrepareMessage, StartMessage, StopMessage } from "../process-tree/messages.ts";
import { quietOutages } from "./quiet-outages.ts";
import type { RunningRole } from "./role-deps.ts";

// Files are closed to other users; the roles share them through their group.
process.umask(0o007);

let running: RunningRole | undefined;
let traces: RunningRole | undefined;
/** What is under way; it is finished before the process stops. */
let work: Promise<void> | undefined;
let isStopping = false;

/** Begun at once, while another process prepares the database. A module that cannot be read is reported when the role is told to start. */
const loading = Promise.allSettled([loadRole(process.argv[2])]);

/** A role's modules are loaded by itself alone: a worker needs no HTTP server. */
async function loadRole(
  role: string | undefined,
): Promise<(settings: StartMessage & { log: Logger }) => Promise<RunningRole>> {
  if (role === "web") return (await import("./web-role.ts")).startWebRole;
  if (role === "smpp") return (await import("./smpp-role.ts")).startSmppRole;
  return (await import("./worker-role.ts")).startWorkerRole;
}

function tellParent(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

/** One of the processes of a start is told to prepare, before any role begins. A stop waits until it has. */
async function prepare(message: PrepareMessage): Promise<void> {
  try {
    const notes = await (await import("./prepare.ts")).prepare(message);
    tellParent({ kind: "prepared", notes });
  } catch (error) {
    tellParent({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

async function start(message: StartMessage): Promise<void> {
  const log = pino({ level: message.config.logLevel, base: { process: message.role }, hooks: quietOutages() });
  let role: RunningRole;
  try {
    const { traceEndpoint: endpoint } = message.config;
    if (endpoint !== undefined)
      traces = (await import("./start-traces.ts")).startTraces({ endpoint, role: message.role, log });
    const [loaded] = await loading;
    if (loaded.status === "rejected") throw loaded.reason;
    role = await loaded.value({ ...message, log });
  } catch (error) {
    log.error({ err: error }, "start failed");
    tellParent({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
  running = role;
  if (!isStopping) tellParent({ kind: "ready" });
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await work;
  await running?.stop();
  await traces?.stop();
  process.exit(0);
}

/** An error while draining is printed and ends the process: what was not recorded is picked up after the lease. */
function stopOrDie(): void {
  stop().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
}

process.on("message", (message: PrepareMessage | StartMessage | StopMessage) => {
  if (message.kind === "stop") stopOrDie();
  else work = message.kind === "prepare" ? prepare(message) : start(message);
});
process.on("disconnect", stopOrDie);
process.on("SIGTERM", stopOrDie);
// Ctrl-C reaches the whole process group; the first process decides the order of stopping.
process.on("SIGINT", () => undefined);
