/**
 * One role in a process of its own, forked by `main.ts`. Stops when told to, on SIGTERM, and when its parent is gone.
 */
import { pino, type Logger } from "pino";
import type { ChildMessage, StartMessage, StopMessage } from "../process-tree/messages.ts";
import { quietOutages } from "./quiet-outages.ts";
import type { RunningRole } from "./role-deps.ts";

// Files are closed to other users; the roles share them through their group.
process.umask(0o007);

let running: RunningRole | undefined;
let traces: RunningRole | undefined;
let isStopping = false;

function tellParent(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

async function start(message: StartMessage): Promise<void> {
  const log = pino({ level: message.config.logLevel, base: { process: message.role }, hooks: quietOutages() });
  let role: RunningRole;
  try {
    const { traceEndpoint: endpoint } = message.config;
    if (endpoint !== undefined)
      traces = (await import("./start-traces.ts")).startTraces({ endpoint, role: message.role, log });
    role = await startRole(message, log);
  } catch (error) {
    log.error({ err: error }, "start failed");
    tellParent({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
  running = role;
  if (isStopping) await stop();
  else tellParent({ kind: "ready" });
}

/** A role's modules are loaded by itself alone: a worker needs no HTTP server. */
async function startRole(message: StartMessage, log: Logger): Promise<RunningRole> {
  if (message.role === "web") return await (await import("./web-role.ts")).startWebRole({ ...message, log });
  if (message.role === "smpp") return await (await import("./smpp-role.ts")).startSmppRole({ ...message, log });
  return await (await import("./worker-role.ts")).startWorkerRole({ ...message, log });
}

async function stop(): Promise<void> {
  isStopping = true;
  const role = running;
  running = undefined;
  if (role === undefined) return;
  await role.stop();
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

process.on("message", (message: StartMessage | StopMessage) => {
  if (message.kind === "stop") stopOrDie();
  else void start(message);
});
process.on("disconnect", stopOrDie);
process.on("SIGTERM", stopOrDie);
// Ctrl-C reaches the whole process group; the first process decides the order of stopping.
process.on("SIGINT", () => undefined);
