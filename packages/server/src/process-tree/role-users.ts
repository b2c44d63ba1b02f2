/**
 * Chooses the user of each process. When root starts the product, each role runs as a user of its own, so that a fault
 * in the image decoder or in the carriers' protocol does not hand over the machine. The first process stays root, to
 * restart them. Shared files belong to one group. Where this is impossible, all processes run as the first one, and the
 * start says so.
 */
import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Config } from "../base/config.ts";
import { allows, canTraverse, EXECUTE, type Identity, isRoot, PROGRAM_GID, WRITE } from "@ewebal/embedded-postgres";
import { SHARED_DATA_DIR_MODE } from "../base/private-modes.ts";
import { getSecretsKey } from "../secrets/secrets-key.ts";

export type ProcessName = "web" | "worker" | "smpp" | "simulator";

export type RoleUsers = {
  /** Undefined when a role runs as the user of the first process. */
  identityOf: (name: ProcessName) => Identity | undefined;
  /** Notes for the operator: why a process has no user of its own. */
  notes: string[];
};

/** Beside that of PostgreSQL; see `identity.ts` there for the numbers. */
const UIDS: Record<ProcessName, number> = { web: 60_601, worker: 60_602, simulator: 60_603, smpp: 60_605 };

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
/** One of each place that a role reads its program from. */
const PROGRAM_FILES = [
  "packages/server/src/main/role-process.ts",
  "packages/contract/src/index.ts",
  "packages/simulator/src/main.ts",
  "node_modules/fastify/package.json",
  "node_modules/pg/package.json",
];
const CHECK = `const { accessSync, constants } = require("node:fs"); for (const path of process.argv.slice(1)) accessSync(path, constants.R_OK);`;

/**
 * Decides, and gives each user what it needs below the data directory, which exists.
 *
 * @param programFolder the checkout; another one in tests.
 */
export async function chooseRoleUsers(
  config: Pick<Config, "dataDir" | "port" | "roles" | "secretsKey" | "backupDir">,
  programFolder = repository,
): Promise<RoleUsers> {
  if (!isRoot() || process.platform !== "linux") {
    return {
      identityOf: () => undefined,
      notes: [
        `All processes run as user id ${process.getuid?.() ?? "of this account"}. Started by root on Linux, each is a user of its own.`,
      ],
    };
  }
  const owner = statSync(config.dataDir);
  // A data directory of somebody's own is used by its owner, as the database in it is.
  const users = owner.uid === 0 ? ownUsers() : sameUser(owner);
  const hindrance = await findHindrance(config.dataDir, users, programFolder);
  if (hindrance !== undefined)
    return { identityOf: () => undefined, notes: [`All processes run as root: ${hindrance}`] };
  try {
    // Made while it can be given away with the rest.
    await getSecretsKey(config);
    giveDataDir(config.dataDir, users, owner.uid === 0);
  } catch (error) {
    return {
      identityOf: () => undefined,
      notes: [`All processes run as root: ${config.dataDir} cannot be given to other users (${wordsOf(error)}).`],
    };
  }
  const notes =
    config.roles.has("worker") && config.backupDir !== undefined
      ? await giveBackupDir(config.backupDir, users.worker)
      : [];
  const portMin = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  if (!config.roles.has("web") || config.port >= portMin) return { identityOf: (name) => users[name], notes };
  return {
    identityOf: (name) => (name === "web" ? undefined : users[name]),
    notes: [
      ...notes,
      `The web process runs as root: only root may use port ${config.port}. Put a proxy in front, or set the system's net.ipv4.ip_unprivileged_port_start to ${config.port}.`,
    ],
  };
}

type Users = Record<ProcessName, Identity>;

function ownUsers(): Users {
  const of = (name: ProcessName): Identity => ({ uid: UIDS[name], gid: PROGRAM_GID });
  return { web: of("web"), worker: of("worker"), smpp: of("smpp"), simulator: of("simulator") };
}

function sameUser({ uid, gid }: Identity): Users {
  return { web: { uid, gid }, worker: { uid, gid }, smpp: { uid, gid }, simulator: { uid, gid } };
}

/** @returns the reason, in words for the operator. A process that cannot read its program would only fail to start. */
async function findHindrance(dataDir: string, users: Users, programFolder: string): Promise<string | undefined> {
  if (!(await canTraverse(users.web, dirname(dataDir)))) {
    return `user id ${users.web.uid} cannot reach ${dataDir}. Set DATA_DIR to a folder such as /var/lib/ewebal, the way to which is open to everybody (chmod o+x).`;
  }
  try {
    const paths = PROGRAM_FILES.map((path) => join(programFolder, path));
    await promisify(execFile)(process.execPath, ["--eval", CHECK, ...paths], { ...users.web, cwd: "/" });
    return undefined;
  } catch (error) {
    return `user id ${users.web.uid} cannot run the program in ${programFolder} (${wordsOf(error)}). Put it into a folder that everybody may read, such as /opt/ewebal.`;
  }
}

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /\b(?:EACCES|EPERM|EINVAL|EROFS|ENOENT)\b[^\n]*/.exec(text)?.[0] ?? text.split("\n")[0] ?? "";
}

/**
 * Sticky: a role writes files of its own into the folder and cannot take another's place. Kept mails and receipts are
 * written by one role and read by the other.
 */
function giveDataDir(dataDir: string, users: Users, isShared: boolean): void {
  if (isShared) {
    chownSync(dataDir, 0, PROGRAM_GID);
    chmodSync(dataDir, SHARED_DATA_DIR_MODE);
  }
  for (const name of ["mailbox", "files"]) {
    const folder = join(dataDir, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    give(folder, users.worker, isShared ? { folder: 0o2770, file: 0o660 } : undefined);
  }
  for (const [name, identity] of [
    ["secrets", users.worker],
    ["send-mark.json", users.worker],
    ["simulator", users.simulator],
    ["smpp", users.smpp],
  ] as const) {
    if (existsSync(join(dataDir, name))) give(join(dataDir, name), identity, undefined);
  }
}

/**
 * @returns what to tell when the nightly back-up cannot be written there. A folder that is there is somebody's
 *   decision.
 */
async function giveBackupDir(folder: string, worker: Identity): Promise<string[]> {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, worker.uid, worker.gid);
  }
  if ((await allows(worker, folder, WRITE | EXECUTE)) && (await canTraverse(worker, folder))) return [];
  return [
    `The nightly back-up cannot be written: user id ${worker.uid} may not write to ${folder}. Give it the folder with chown, and let everybody pass through those above it.`,
  ];
}

/**
 * Changes what differs. Without waiting in between, as nothing else goes on: 100,000 files take a third of a second.
 */
function give(path: string, identity: Identity, modes: { folder: number; file: number } | undefined): void {
  const found = lstatSync(path);
  // A name that a role could have made lead elsewhere is not followed.
  if (found.isSymbolicLink() || (found.isFile() && found.nlink > 1)) return;
  const mode = found.isDirectory() ? modes?.folder : modes?.file;
  if (found.gid !== identity.gid || found.uid === 0 || (modes === undefined && found.uid !== identity.uid))
    lchownSync(path, identity.uid, identity.gid);
  if (mode !== undefined && (found.mode & 0o7777) !== mode) chmodSync(path, mode);
  if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name), identity, modes);
}
