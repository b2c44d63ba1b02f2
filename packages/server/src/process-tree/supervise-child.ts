/**
 * Keeps one child process alive.
 *
 *   launched -> starting  `start()`; it has read its modules meanwhile
 *   starting -> ready     the child said so
 *   starting -> failed    the child said that it cannot start, or died before it was ever ready
 *   ready    -> starting  it died; again after a back-off
 *   any      -> stopped   `stop()`; the child drains, and is killed when it takes too long
 *
 * The IPC channel doubles as a lifeline: when this process is killed, the channel closes and the child drains by
 * itself.
 */
import { fork, type ChildProcess } from "node:child_process";
import { chownSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Identity } from "@ewebal/embedded-postgres";
import type { ChildMessage, PrepareMessage, StopMessage } from "./messages.ts";

const RESTART_DELAY_MS = 250;
/** A dead worker delays everybody; a loop of starts at this pace costs a fraction of a core. */
const RESTART_DELAY_MS_MAX = 3_000;
/** A child that lived this long did not die of its start; the next restart is quick again. */
const HEALTHY_AFTER_MS = 5_000;
/** Longer than the 10 s that running requests get, shorter than a service manager's patience. */
const STOP_TIMEOUT_MS = 20_000;

export type ChildSettings = {
  name: string;
  modulePath: string;
  /** Words after the module's path. */
  args?: string[];
  /** The user it runs as; undefined for the user of this process. */
  identity?: Identity | undefined;
  /** Flags for Node. */
  execArgv?: string[];
  /** The first message, made anew for each start. */
  startMessage: () => Record<string, unknown>;
  log: Logger;
  /** True once the whole tree is stopping: a signal to the process group ends children before they are told to. */
  isTreeStopping: () => boolean;
};

export type SupervisedChild = {
  /**
   * Brings the database to what this version needs.
   * @returns lines for the person who started the product.
   * @throws Error with the child's own words.
   */
  prepare: (message: PrepareMessage) => Promise<string[]>;
  /**
   * Starts the work of the child, and keeps it running from then on.
   * @returns once the child is ready for the first time.
   * @throws Error with the child's own words when it cannot start.
   */
  start: () => Promise<void>;
  /** Lets the child drain and waits for its end. */
  stop: () => Promise<void>;
};

/** Launches a child. It waits to be told what to do. @throws Error when the system has no memory for another process. */
export function superviseChild(settings: ChildSettings): SupervisedChild {
  const { name, log, isTreeStopping } = settings;
  let isStopping = false;
  let failureCount = 0;
  let child = launch(settings);
  let watching: Promise<void> | undefined;

  const watch = async (): Promise<void> => {
    for (;;) {
      const startedAt = Date.now();
      const [exitCode, signal] = await ended(child);
      if (isStopping || isTreeStopping()) return;
      failureCount = Date.now() - startedAt > HEALTHY_AFTER_MS ? 1 : failureCount + 1;
      const delayMs = Math.min(RESTART_DELAY_MS_MAX, RESTART_DELAY_MS * 2 ** (failureCount - 1));
      log.error({ child: name, exitCode, signal, delayMs }, "process ended unexpectedly, starting it again");
      await sleep(delayMs);
      if (isStopping || isTreeStopping()) return;
      try {
        child = launch(settings);
        await becomeReady(child, settings);
      } catch (error) {
        // Not the end: the reason (a database that is down, a machine without memory) may pass.
        log.error({ child: name, err: error }, "restart failed");
      }
    }
  };

  return {
    prepare: async (message) => {
      const answer = await ask(child, name, message);
      return answer.kind === "prepared" ? answer.notes : [];
    },
    start: async () => {
      await becomeReady(child, settings);
      watching = watch();
    },
    stop: async () => {
      isStopping = true;
      await stopChild(child, log, name);
      // The watcher may be asleep before a restart; it wakes up, sees the flag and ends.
      if (watching !== undefined) await Promise.race([watching, sleep(RESTART_DELAY_MS_MAX)]);
    },
  };
}

/** @throws Error when the system has no memory for another process. */
function launch({ name, modulePath, args = [], identity, execArgv = [], log }: ChildSettings): ChildProcess {
  const child = fork(modulePath, args, {
    ...asUser(identity),
    execArgv,
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // Heard as long as it lives: unheard, a process that cannot be started would end this one.
  child.on("error", (error) => log.error({ child: name, err: error }, "process fault"));
  return child;
}

type AsUser = Partial<Identity & { cwd: string; env: NodeJS.ProcessEnv }>;

/** Another user may not even enter the folder that this process stands in, and keeps compiled modules in a folder of its own. */
function asUser(identity: Identity | undefined): AsUser {
  if (identity === undefined) return {};
  const { uid, gid } = identity;
  return { uid, gid, cwd: "/", env: { ...process.env, NODE_COMPILE_CACHE: giveCompileCache(identity) } };
}

/** @returns undefined where the folder cannot be made, or is another user's, whose compiled code would be run. Modules are compiled at each start then. */
function giveCompileCache({ uid, gid }: Identity): string | undefined {
  const parent = process.env["NODE_COMPILE_CACHE"];
  if (parent === undefined) return undefined;
  const folder = join(parent, String(uid));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (found.uid !== 0 && found.uid !== uid)) return undefined;
    chownSync(folder, uid, gid);
    return folder;
  } catch {
    return undefined;
  }
}

/** It may have ended, and the news of that not be read yet: its end is seen elsewhere. */
function tell(child: ChildProcess, message: Record<string, unknown>): void {
  child.send(message, () => undefined);
}

async function becomeReady(child: ChildProcess, { name, log, startMessage }: ChildSettings): Promise<void> {
  await ask(child, name, startMessage());
  log.info({ child: name, childPid: child.pid }, "process is ready");
}

/** @throws Error with the child's own words when it cannot do what it is told, or when it has ended. */
async function ask(child: ChildProcess, name: string, message: Record<string, unknown>): Promise<ChildMessage> {
  if (child.pid === undefined) throw new Error(`The ${name} process could not be started`);
  const { promise, resolve, reject } = Promise.withResolvers<ChildMessage>();
  const onMessage = (answer: ChildMessage): void => {
    if (answer.kind === "failed") reject(new Error(answer.message));
    else resolve(answer);
  };
  const onExit = (): void => reject(new Error(`The ${name} process ended while it was starting`));
  child.on("message", onMessage).once("exit", onExit);
  try {
    if (child.exitCode === null && child.signalCode === null) tell(child, message);
    else onExit();
    return await promise;
  } finally {
    child.off("message", onMessage).off("exit", onExit);
  }
}

async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  // Without an id it never began. Not `once` of the events module, which takes every fault for the end.
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    await new Promise<void>((done) => child.once("exit", () => done()));
  }
  return [child.exitCode, child.signalCode];
}

async function stopChild(child: ChildProcess, log: Logger, name: string): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (child.connected) tell(child, { kind: "stop" } satisfies StopMessage);
  const hasEnded = await Promise.race([ended(child).then(() => true), sleep(STOP_TIMEOUT_MS, false, { ref: false })]);
  if (hasEnded) return;
  log.error({ child: name }, "process did not stop in time and is killed; its leases expire by themselves");
  child.kill("SIGKILL");
  await ended(child);
}
