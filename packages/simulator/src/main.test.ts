/** The simulator as a process: how it starts, ends, and comes back after being killed. */
import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { commandStatus } from "@ewebal/smpp";
import { describe, expect, test } from "vitest";
import type { SimulatorMessage } from "./main.ts";
import type { SimulatorSettings } from "./settings.ts";
import { ask, buildSettings, endAfterTest, makeFolder, openSender } from "./testing/setup.ts";
import { until } from "./testing/until.ts";

const program = new URL("main.ts", import.meta.url);

type Running = {
  readonly child: ChildProcess;
  readonly message: SimulatorMessage;
};

async function forkSimulator(
  settings: SimulatorSettings,
  start = (): ChildProcess => fork(program, { serialization: "advanced" }),
): Promise<Running> {
  const child = start();
  endAfterTest(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  child.send({ kind: "start", settings });
  const [message] = (await once(child, "message")) as [SimulatorMessage];
  return { child, message };
}

function portsOf({ message }: Running): { smppPort: number; controlPort: number } {
  if (message.kind === "failed") throw new Error(message.message);
  return message;
}

describe("the process", () => {
  test.each([
    ["is told to", (child: ChildProcess) => child.send({ kind: "stop" })],
    ["gets SIGTERM", (child: ChildProcess) => child.kill("SIGTERM")],
    ["loses its parent", (child: ChildProcess) => child.disconnect()],
  ])("ends by itself with status 0 when it %s", async (_what, end) => {
    const { child } = await forkSimulator(buildSettings());
    const whenGone = once(child, "exit");
    end(child);
    expect(await whenGone).toEqual([0, null]);
  });

  test("leaves SIGINT to its parent", async () => {
    const running = await forkSimulator(buildSettings());
    const { controlPort } = portsOf(running);
    running.child.kill("SIGINT");
    expect((await ask(controlPort, "/stats")).status).toBe(200);
    expect(running.child.exitCode).toBeNull();
  });

  test("says why it cannot start, and ends with status 1", async () => {
    const first = await forkSimulator(buildSettings());
    const { smppPort } = portsOf(first);
    const second = await forkSimulator(buildSettings({ smppPort }));
    expect(second.message).toMatchObject({ kind: "failed", message: expect.stringContaining("EADDRINUSE") });
    if (second.child.exitCode === null) await once(second.child, "exit");
    expect(second.child.exitCode).toBe(1);
  });
});

/** A process that can write 512 x `blocks` octets to a file, which is as near to a full disk as a test should come. */
function forkWithFileLimit(blocks: number): ChildProcess {
  const command = `ulimit -f ${blocks} && exec "$0" "$1"`;
  return spawn("sh", ["-c", command, process.execPath, fileURLToPath(program)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
}

test("with a full disk it refuses, and what it accepted before is delivered, reported and there after a restart", async () => {
  const settings = buildSettings();
  const running = await forkSimulator(settings, () => forkWithFileLimit(32));
  const sender = openSender({ port: portsOf(running).smppPort, window: 20 });
  for (let index = 0; index < 300; index += 1) sender.send(`m${index}`, `23480300${10_000 + index}`, `#${index}`);
  await until(() => sender.outcomes.size === 300, "all outcomes");
  const kinds = [...sender.outcomes.values()].map((outcome) =>
    outcome.kind === "refused" ? outcome.status : outcome.kind,
  );
  expect(new Set(kinds)).toEqual(new Set(["accepted", commandStatus.ESME_RSYSERR]));
  const acceptedCount = kinds.filter((kind) => kind === "accepted").length;
  await until(() => sender.receipts.length === acceptedCount, "their receipts");
  await sender.client.close();
  running.child.kill("SIGKILL");
  await once(running.child, "exit");

  const { controlPort } = portsOf(await forkSimulator(settings));
  expect((await ask(controlPort, "/stats")).body.data).toMatchObject({ messagesKept: acceptedCount });
});

test("killed again and again while it is sent to, it loses no accepted message, receipt or phone, and repeats no id", async () => {
  const count = 1500;
  const dataDir = makeFolder();
  const receiptDelayMs = { min: 5, max: 150 };
  let running = await forkSimulator(buildSettings({ dataDir, receiptDelayMs }));
  const ports = portsOf(running);
  // From here on the same ports, as a supervisor keeps them.
  const settings = buildSettings({ dataDir, receiptDelayMs, smppPort: ports.smppPort, controlPort: ports.controlPort });
  const sender = openSender({ port: ports.smppPort, window: 20, messagesPerSecond: 2500 });
  for (let index = 0; index < count; index += 1) sender.send(`m${index}`, `23480300${10_000 + index}`, `#${index}`);
  for (const after of [300, 700, 1100]) {
    // oxlint-disable-next-line no-await-in-loop
    await until(() => sender.outcomes.size >= after, `${after} outcomes`);
    running.child.kill("SIGKILL");
    // oxlint-disable-next-line no-await-in-loop
    await once(running.child, "exit");
    // oxlint-disable-next-line no-await-in-loop
    running = await forkSimulator(settings);
    portsOf(running);
  }
  await until(() => sender.outcomes.size === count, "all outcomes");
  const accepted = [...sender.outcomes].flatMap(([name, outcome]) =>
    outcome.kind === "accepted" ? [{ name, id: outcome.messageId }] : [],
  );
  const unknown = [...sender.outcomes.values()].filter(({ kind }) => kind === "unknown").length;
  expect(accepted.length).toBeGreaterThan(count - 3 * 20 - 1);
  expect(accepted.length + unknown).toBe(count);
  expect(new Set(accepted.map(({ id }) => id)).size).toBe(accepted.length);

  const reported = (): Set<string> => new Set(sender.receipts.map(({ messageId }) => messageId));
  await until(() => accepted.every(({ id }) => reported().has(id)), "a receipt for every accepted message");
  const recipients = new Set(sender.receipts.map(({ recipient }) => recipient));
  expect(recipients.size).toBeLessThanOrEqual(count);
  await expect.poll(async () => (await ask(ports.controlPort, "/stats")).body.data).toMatchObject({ open: 0 });
  for (const { name } of [accepted[0], accepted.at(-1)].filter((entry) => entry !== undefined)) {
    // oxlint-disable-next-line no-await-in-loop
    const { body } = await ask(ports.controlPort, `/phones/23480300${10_000 + Number(name.slice(1))}`);
    expect(body.data).toMatchObject({ messages: [{ text: `#${name.slice(1)}` }] });
  }
});
