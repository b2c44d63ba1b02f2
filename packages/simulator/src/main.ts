/**
 * The simulator as a process of its own: forked by a parent that tells it the settings over IPC.
 *
 * parent: `{ kind: "start", settings }` -> here: `{ kind: "ready", smppPort, controlPort }` or `{ kind: "failed", message }`.
 * It ends, politely, on `{ kind: "stop" }`, on SIGTERM, and when the parent is gone.
 */
import type { SimulatorSettings } from "./settings.ts";
import { startSimulator, type Simulator } from "./start-simulator.ts";

export type ParentMessage =
  | { readonly kind: "start"; readonly settings: SimulatorSettings }
  | { readonly kind: "stop" };

export type SimulatorMessage =
  | { readonly kind: "ready"; readonly smppPort: number; readonly controlPort: number }
  | { readonly kind: "failed"; readonly message: string };

let simulator: Simulator | undefined;
let starting: Promise<void> | undefined;
let isStopping = false;

async function start(settings: SimulatorSettings): Promise<void> {
  try {
    simulator = await startSimulator(settings);
    tell({ kind: "ready", smppPort: simulator.smppPort, controlPort: simulator.controlPort });
  } catch (error) {
    process.exitCode = 1;
    const message = error instanceof Error ? error.message : String(error);
    tell({ kind: "failed", message }, () => process.connected && process.disconnect());
  }
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await starting;
  await simulator?.close();
  if (process.connected) process.disconnect();
}

function tell(message: SimulatorMessage, onTold: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, onTold);
}

process.on("message", (message: ParentMessage) => {
  if (message.kind === "start") starting ??= start(message.settings);
  if (message.kind === "stop") void stop();
});
process.on("disconnect", () => void stop());
process.on("SIGTERM", () => void stop());
// Ctrl-C goes to the whole process group: the parent stops those who still talk to us first, and then us.
process.on("SIGINT", () => undefined);
