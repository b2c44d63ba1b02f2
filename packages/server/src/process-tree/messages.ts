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

/** What the first process tells one of its role processes before any of them starts. */
export type PrepareMessage = { kind: "prepare"; config: Config; databaseUrl: string; isDemo: boolean };

export type StopMessage = { kind: "stop" };

/**
 * What a child answers when it is told to prepare or to start. `failed` is final: trying again would fail the same way.
 * @property notes lines for the person who started the product.
 */
export type ChildMessage =
  | { kind: "prepared"; notes: string[] }
  | { kind: "ready" }
  | { kind: "failed"; message: string };
