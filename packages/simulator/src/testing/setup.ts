import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { SimulatorSettings } from "../settings.ts";
import { startSimulator, type Simulator } from "../start-simulator.ts";
import { startSender, type Sender, type SenderOptions } from "./sender.ts";

const ends: (() => Promise<void> | void)[] = [];

/** Ends something after the test that is running, in the reverse order of starting. */
export function endAfterTest(end: () => Promise<void> | void): void {
  ends.push(end);
}

afterEach(async () => {
  // One after the other: clients unbind before their carrier goes.
  // oxlint-disable-next-line no-await-in-loop
  for (const end of ends.splice(0).toReversed()) await end();
});

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "simulator-"));
  endAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Quick settings: a receipt comes within some 20 ms. */
export function buildSettings(overrides: Partial<SimulatorSettings> = {}): SimulatorSettings {
  return {
    host: "127.0.0.1",
    smppPort: 0,
    controlPort: 0,
    systemId: "shop",
    password: "secret",
    controlToken: "token",
    dataDir: overrides.dataDir ?? makeFolder(),
    answerDelayMs: { min: 1, max: 3 },
    receiptDelayMs: { min: 5, max: 20 },
    ...overrides,
  };
}

export async function openSimulator(overrides: Partial<SimulatorSettings> = {}): Promise<Simulator> {
  const simulator = await startSimulator(buildSettings(overrides));
  endAfterTest(() => simulator.close());
  return simulator;
}

export function openSender(options: SenderOptions): Sender {
  const sender = startSender(options);
  endAfterTest(sender.close);
  return sender;
}

/** Asks the control port. */
export async function ask(port: number, path: string, token = "token"): Promise<{ status: number; body: ControlBody }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as ControlBody };
}

export type ControlBody = {
  readonly code?: string;
  readonly next?: string | null;
  // Each test knows which shape it asked for.
  readonly data: unknown;
};
