import { spawn, type ChildProcess } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { describeProcess } from "./postmaster.ts";
import { expect, postmasterPid, query, test, PROGRAM } from "./testing/postgres-test.ts";

const module = JSON.stringify(new URL("start-embedded-postgres.ts", import.meta.url).href);
const script = `
  const { startEmbeddedPostgres } = await import(${module});
  const log = { info() {}, warn() {}, error() {} };
  const { url } = await startEmbeddedPostgres({ program: "${PROGRAM}", dataDir: process.argv[1], log, fsync: false });
  process.stdout.write(url);`;

/** A program of its own, so that it can be killed and leave its server to nobody. */
async function startProgram(dataDir: string): Promise<{ program: ChildProcess; url: string }> {
  const program = spawn(process.execPath, ["--input-type=module", "-e", script, dataDir], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  program.stderr.on("data", (data: Buffer) => (said += data.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  program.stdout.once("data", (data: Buffer) => resolve(data.toString()));
  program.once("exit", () => reject(new Error(`The program ended at its start: ${said}`)));
  return { program, url: await promise };
}

async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (child) => ({ child, stat: await readFile(`/proc/${child}/stat`, "utf8").catch(() => "") })),
  );
  return parents
    .filter(({ stat }) => Number(/^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1]) === pid)
    .map(({ child }) => child);
}

/** A child of the server may have ended by itself since it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

describe.skipIf(process.platform !== "linux")("a start right after everything was killed", () => {
  test(
    "works ten times without a pause, with everything that was committed",
    { timeout: 120_000 },
    async ({ dataDir, start }) => {
      for (let round = 1; round <= 10; round += 1) {
        const { program, url } = await startProgram(dataDir);
        await query(
          url,
          round === 1 ? "create table rounds as select 1 as round" : `insert into rounds values (${round})`,
        );
        const postmaster = await postmasterPid(dataDir);
        for (const pid of [program.pid ?? 0, postmaster, ...(await childrenOf(postmaster))]) killIfThere(pid);
      }
      const postgres = await start();
      expect(await query(postgres.url, "select count(*)::integer as count from rounds")).toEqual([{ count: 10 }]);
    },
  );

  test("waits for a killed server that its parent has not collected, and says so", async ({
    dataDir,
    start,
    messages,
  }) => {
    const { program } = await startProgram(dataDir);
    // A parent that is stopped collects nobody: to PostgreSQL the dead process still lives.
    program.kill("SIGSTOP");
    const postmaster = await postmasterPid(dataDir);
    process.kill(postmaster, "SIGKILL");
    await expect.poll(async () => (await describeProcess(postmaster)).isZombie).toBe(true);
    const starting = start();
    await expect.poll(() => messages.join("\n"), { timeout: 10_000 }).toContain(`process ${postmaster}, which`);
    expect(messages.join("\n")).toContain(
      "was killed, and its parent process has not collected it. Trying again for 30 s",
    );
    // Longer than eight tries without a pause took.
    await sleep(1_000);
    program.kill("SIGKILL");
    expect(await starting).toMatchObject({ adopted: false, isNew: true });
    expect(messages.join("\n")).not.toContain("did not stay");
  });
});
