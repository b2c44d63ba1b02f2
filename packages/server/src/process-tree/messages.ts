import type { Config, Role } from "../base/config.ts";
import type { SimulatorAddress } from "../base/deps.ts";

/** What the first process tells a role process, once, over IPC: its environment holds no secrets. */
export type StartMessage = {
  kind: "start";
  role: Role;
  config: Config;
  databaseUrl: string;
  simulator: SimulatorAddress | undefined;
  /** Opens the local pages from anywhere; made anew at each start, and printed. */
  localToken: string;
};

/** What the first process tells `prepare-process.ts`, and what comes back. */
export type PrepareMessage = { config: Config; databaseUrl: string; isDemo: boolean };
export type PreparedMessage = { kind: "prepared"; notes: string[] } | { kind: "failed"; message: string };

export type StopMessage = { kind: "stop" };

/** What a child tells the first process. `failed` is final: trying again would fail the same way. */
export type ChildMessage = { kind: "ready" } | { kind: "failed"; message: string };
