/**
 * What one `npm start` runs: the embedded database (unless one is given), the carrier simulator (while it stands in for
 * carriers) and one child per role. Started in the order of need, stopped in the reverse, so that the roles drain
 * while the carrier and the database still answer.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { PROGRAM_NAME, type Config, type Role } from "../base/config.ts";
import { findFreePort, type Identity, startEmbeddedPostgres } from "@ewebal/embedded-postgres";
import type { SimulatorAddress } from "../base/deps.ts";
import { isLoopbackUrl } from "../base/loopback.ts";
import { getSecretsKeys } from "../secrets/secrets-key.ts";
import { isStandingIn } from "../base/trial-parts.ts";
import type { StartMessage } from "./messages.ts";
import { chooseRoleUsers } from "./role-users.ts";
import { superviseChild, type SupervisedChild } from "./supervise-child.ts";
import { ensureWebBuild } from "./web-build.ts";

export type ProcessTree = {
  /** Lines for the person who started it, such as the demo accounts. */
  notes: string[];
  stop: () => Promise<void>;
};

type Say = (line: string) => void;
/** What was started, in order, and whether it is being stopped. */
type Started = { stops: (() => Promise<void>)[]; isStopping: boolean };

const roleModule = fileURLToPath(new URL("../main/role-process.ts", import.meta.url));
const simulatorModule = fileURLToPath(new URL("../../../simulator/src/main.ts", import.meta.url));

/**
 * All make garbage by the million and keep little: with Node's own limits a worker's heap grew to 369 MB during
 * 1,000,000 messages before anything was collected. The web role has 200 calls at a time half done: with 8 MB each collection
 * carried them over, 5 MB of every 45 (25 November 2026).
 */
const roleFlags: Record<Role, string[]> = {
  web: ["--max-semi-space-size=32"],
  worker: ["--max-semi-space-size=16", "--max-old-space-size=256"],
  smpp: ["--max-semi-space-size=16", "--max-old-space-size=256"],
};

/**
 * @param stopping asks it to stop; while it starts that is looked at between the parts.
 * @throws Error in words for the operator, or the reason of `stopping`; whatever was started by then is stopped again.
 */
export async function startProcessTree(
  config: Config,
  log: Logger,
  say: Say,
  stopping: AbortSignal,
): Promise<ProcessTree> {
  const started: Started = { stops: [], isStopping: false };
  const stop = async (): Promise<void> => {
    started.isStopping = true;
    for (const stopPart of started.stops.toReversed()) await stopPart();
  };
  try {
    return { ...(await startParts(config, log, say, { started, stopping })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  config: Config,
  log: Logger,
  say: Say,
  { started, stopping }: { started: Started; stopping: AbortSignal },
): Promise<Omit<ProcessTree, "stop">> {
  const webBuild = config.roles.has("web") ? ensureWebBuild() : Promise.resolve(false);
  // The build may fail while the database is still starting; its error is read below, not lost.
  webBuild.catch((error: unknown) => log.debug({ err: error }, "web build failed"));

  const users = await chooseRoleUsers(config);
  const { databaseUrl, isNew } = await startDatabase(config, log, started);
  stopping.throwIfAborted();
  // Before the migration: an older version that still works on this database sees the new schema for as short as can be.
  if (await webBuild) say("Built the pages.");
  stopping.throwIfAborted();
  const { address: simulator, child: simulatorChild } = await launchSimulator(config, log, {
    started,
    identity: users.identityOf("simulator"),
  });
  const localToken = randomBytes(18).toString("base64url");
  // The keys' files are the worker's, which backs them up.
  const [secretsKey, ...oldSecretsKeys] = users.identityOf("worker") === undefined ? [] : await getSecretsKeys(config);
  const roleConfig = secretsKey === undefined ? config : { ...config, secretsKey, oldSecretsKeys };
  // The worker first: it is stopped last, so that what the others accept is still delivered.
  const children = (["worker", "web", "smpp"] as const)
    .filter((role) => config.roles.has(role))
    .map((role) => {
      const start: StartMessage = { kind: "start", role, config: roleConfig, databaseUrl, simulator, localToken };
      const child = superviseChild({
        name: role,
        modulePath: roleModule,
        args: [role],
        identity: users.identityOf(role),
        execArgv: roleFlags[role],
        startMessage: () => start,
        log,
        isTreeStopping: () => started.isStopping,
      });
      started.stops.push(child.stop);
      return child;
    });
  const isDemo = isStandingIn(config, "demo") && (config.isDemo ?? isNew);
  // The others read their modules meanwhile.
  const [notes = []] = await Promise.all([
    children[0]?.prepare({ kind: "prepare", config: roleConfig, databaseUrl, isDemo }),
    simulatorChild?.start(),
  ]);
  stopping.throwIfAborted();
  await Promise.all(children.map((child) => child.start()));

  notes.push(...users.notes);
  if (config.isDemo === true && !isStandingIn(config, "demo"))
    notes.push("DEMO=on makes no accounts, because TRIAL_PARTS does not name demo.");
  if (config.roles.has("web") && config.publicUrl.startsWith("https:") && config.trustedProxyCount === 0) {
    notes.push(
      "PUBLIC_URL is https, so a proxy stands in front, and TRUST_PROXY is off: all visitors count as one address. Set TRUST_PROXY to the number of proxies.",
    );
  }
  if (config.roles.has("web")) notes.push(...localAddresses(config, simulator, localToken));
  const { smppListen } = config;
  if (smppListen !== undefined && config.roles.has("smpp"))
    notes.push(`SMPP clients bind at ${smppListen.host}:${smppListen.port}${smppListen.hasTls ? " with TLS" : ""}`);
  return { notes };
}

function localAddresses(config: Config, simulator: SimulatorAddress | undefined, localToken: string): string[] {
  const address = (path: string): string => `${config.publicUrl}${path}?token=${localToken}`;
  return [
    ...(isStandingIn(config, "mailbox") ? [`Kept mails: ${address("/mailbox")}`] : []),
    ...(simulator === undefined ? [] : [`Virtual phones: ${address("/virtual-phones")}`]),
    ...(config.metricsToken === undefined && !isLoopbackUrl(config.publicUrl)
      ? [`Metrics: ${address("/metrics")}`]
      : []),
  ];
}

async function startDatabase(
  config: Config,
  log: Logger,
  started: Started,
): Promise<{ databaseUrl: string; isNew: boolean }> {
  if (config.databaseUrl !== undefined) return { databaseUrl: config.databaseUrl, isNew: false };
  const postgres = await startEmbeddedPostgres({ program: PROGRAM_NAME, dataDir: config.dataDir, log });
  started.stops.push(() => postgres.stop());
  log.info({ isNew: postgres.isNew, isAdopted: postgres.adopted }, "embedded PostgreSQL runs");
  return { databaseUrl: postgres.url, isNew: postgres.isNew };
}

async function launchSimulator(
  config: Config,
  log: Logger,
  { started, identity }: { started: Started; identity: Identity | undefined },
): Promise<{ address: SimulatorAddress | undefined; child: SupervisedChild | undefined }> {
  if (!isStandingIn(config, "phones") || !config.roles.has("worker")) return { address: undefined, child: undefined };
  const address: SimulatorAddress = {
    smppPort: await findFreePort(),
    controlPort: await findFreePort(),
    systemId: "ewebal",
    password: randomBytes(6).toString("base64url"),
    controlToken: randomBytes(24).toString("base64url"),
  };
  const child = superviseChild({
    name: "simulator",
    modulePath: simulatorModule,
    identity,
    // Left to itself, its heap grows to 400 MB under a fast send before it collects anything.
    execArgv: ["--max-old-space-size=96", "--max-semi-space-size=8"],
    startMessage: () => ({
      kind: "start",
      settings: { ...address, host: "127.0.0.1", dataDir: join(config.dataDir, "simulator") },
    }),
    log,
    isTreeStopping: () => started.isStopping,
  });
  started.stops.push(child.stop);
  return { address, child };
}
