/**
 * `npm run try-deploy`: what lies in `deploy/`, used on this machine as far as it goes without a registry of images. Each step says what was tried;
 * the steps of the Containerfile are run as they stand there, in a folder in place of an image. Linux, as root, with nginx, caddy and systemd.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort, startEmbeddedPostgres } from "../packages/embedded-postgres/src/index.ts";
import { repositoryFolder } from "./source-files.ts";

const USER_ID = 10_001;
const IMAGE_BYTES_MAX = 400_000_000;
/** Of docker.io/library/debian:bookworm-slim, which is not here: 75 MB on 26 November 2026. */
const BASE_BYTES = 75_000_000;
const STARTS_WITHIN_MS = 120_000;
const KILLS = 4;
/** Both proxies leave out for five seconds a process that broke off. */
const PROXIES_FORGET_MS = 6_000;

const cleanUps: (() => unknown)[] = [];
const deploy = (name: string): string => join(repositoryFolder, "deploy", name);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function assert(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Error(otherwise);
}

function run(program: string, words: string[], cwd = repositoryFolder, env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(program, words, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1e8,
  });
}

function bytesOf(path: string): number {
  return Number(run("du", ["-sb", path]).split("\t")[0]);
}

/** The lines of one stage of the Containerfile that begin with `word`, without it. */
function linesOf(stage: string, word: "COPY" | "RUN"): string[] {
  const [, text = ""] = readFileSync(deploy("Containerfile"), "utf8").split(new RegExp(`^FROM .* AS ${stage}$`, "m"));
  const lines = (text.split(/^FROM /m)[0] ?? "").split("\n");
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
}

/** @returns the folder that stands for `/opt/ewebal` in the image. */
function buildTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "ewebal-image-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const sources = join(folder, "sources");
  mkdirSync(join(sources, "tools"), { recursive: true });
  // All but the last word of a COPY line are names; each keeps its path.
  for (const path of linesOf("sources", "COPY").flatMap((line) => line.split(" ").slice(0, -1)))
    cpSync(join(repositoryFolder, path), join(sources, path), {
      recursive: true,
      filter: (name) => !/\/(?:node_modules|dist|\.dist-[^/]*)$|\.tsbuildinfo$/.test(name),
    });
  for (const stage of ["pages", "production"]) {
    cpSync(sources, join(folder, stage), { recursive: true });
    for (const step of linesOf(stage, "RUN")) {
      say(`  ${stage}: ${step.slice(0, 100)}`);
      run("sh", ["-c", step], join(folder, stage));
    }
  }
  const program = join(folder, "production");
  cpSync(join(folder, "pages/packages/web/dist"), join(program, "packages/web/dist"), { recursive: true });
  mkdirSync(join(program, "deploy"));
  cpSync(deploy("entry.sh"), join(program, "deploy/entry.sh"));
  rmSync(join(folder, "pages"), { recursive: true });
  const bytes = BASE_BYTES + bytesOf(process.execPath) + bytesOf(program);
  assert(bytes < IMAGE_BYTES_MAX, `the image would have ${bytes} bytes`);
  say(
    `Image: ${Math.round(bytes / 1e6)} MB (base 75, node ${Math.round(bytesOf(process.execPath) / 1e6)}, program ${Math.round(bytesOf(program) / 1e6)}).`,
  );
  return program;
}

type Started = { child: ChildProcess; output: string[] };

/** As the image's entry does, as the image's user, with nothing of this environment. */
async function startRole(program: string, environment: Record<string, string>): Promise<Started> {
  const identity = [
    "--reuid",
    String(USER_ID),
    "--regid",
    String(USER_ID),
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all",
  ];
  const path = `${join(process.execPath, "..")}:/usr/bin:/bin`;
  const child = spawn("setpriv", [...identity, "sh", "deploy/entry.sh", "packages/server/src/main/main.ts"], {
    cwd: program,
    env: { PATH: path, HOME: "/nonexistent", NODE_COMPILE_CACHE: "off", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => output.push(text.toString()));
  cleanUps.push(async () => await end(child));
  const deadlineMs = Date.now() + STARTS_WITHIN_MS;
  while (!output.join("").includes("Started in")) {
    assert(child.exitCode === null && Date.now() < deadlineMs, `a process did not start:\n${output.join("")}`);
    await sleep(100);
  }
  return { child, output };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await new Promise((done) => child.once("exit", done));
}

type Answer = { status: number; text: string };

/** @returns status 0 when the connection broke. */
async function ask(url: string, method = "GET", body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return await new Promise((done) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const asked = request(
      url,
      {
        method,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers },
      },
      (answer) => {
        let got = "";
        answer.on("data", (chunk: Buffer) => (got += chunk.toString()));
        answer.on("end", () => done({ status: answer.statusCode ?? 0, text: got }));
        answer.on("error", () => done({ status: 0, text: got }));
      },
    );
    asked.on("error", () => done({ status: 0, text: "" }));
    asked.end(text);
  });
}

async function untilServes(name: string, url: string): Promise<void> {
  const deadlineMs = Date.now() + STARTS_WITHIN_MS;
  while ((await ask(url)).status !== 200) {
    assert(Date.now() < deadlineMs, `${name} does not answer at ${url}`);
    await sleep(100);
  }
}

type Proxy = { name: string; url: string };

async function startProxies(upstreams: [number, number], folder: string): Promise<Proxy[]> {
  const [nginxPort, caddyPort] = [await findFreePort(), await findFreePort()];
  const site = readFileSync(deploy("nginx.conf"), "utf8")
    .replace(/10\.0\.0\.11:8080/, `127.0.0.1:${upstreams[0]}`)
    .replace(/10\.0\.0\.12:8080/, `127.0.0.1:${upstreams[1]}`)
    .replaceAll("/etc/letsencrypt/live/sms.example.com", folder);
  const main = (text: string): string =>
    `pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp {\naccess_log off;\n${text}\n}\n`;
  run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "1",
    "-subj",
    "/CN=sms.example.com",
    "-keyout",
    `${folder}/privkey.pem`,
    "-out",
    `${folder}/fullchain.pem`,
  ]);
  writeFileSync(join(folder, "whole.conf"), main(site));
  run("nginx", ["-t", "-c", join(folder, "whole.conf")]);
  // Plain http on a free port in place of 443: the certificate is not what is tried.
  const plain = site
    .replace(/server \{\n\tlisten 80;[^]*?\n\}\n/, "")
    .replace("listen 443 ssl http2", `listen 127.0.0.1:${nginxPort}`)
    .replaceAll(/^\tssl_.*$/gm, "");
  writeFileSync(join(folder, "nginx.conf"), main(plain));
  const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-g", "daemon off;"], { stdio: "ignore" });
  cleanUps.push(async () => await end(nginx));
  const settings = {
    PATH: process.env["PATH"],
    HOME: folder,
    SITE: `http://127.0.0.1:${caddyPort}`,
    UPSTREAMS: upstreams.map((port) => `127.0.0.1:${port}`).join(" "),
  };
  run("caddy", ["validate", "--config", deploy("Caddyfile"), "--adapter", "caddyfile"], folder, settings);
  writeFileSync(join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${readFileSync(deploy("Caddyfile"), "utf8")}`);
  const caddy = spawn("caddy", ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
    env: settings,
    stdio: "ignore",
  });
  cleanUps.push(async () => await end(caddy));
  const proxies = [
    { name: "nginx", url: `http://127.0.0.1:${nginxPort}` },
    { name: "Caddy", url: `http://127.0.0.1:${caddyPort}` },
  ];
  for (const { name, url } of proxies) await untilServes(name, `${url}/healthz`);
  return proxies;
}

/** One of the two breaks off every request that is not a health check after it has read it; the other answers. Nothing but a GET may reach both. */
async function tryBreakingUpstreams(): Promise<void> {
  const got: string[] = [];
  const listen = async (isBroken: () => boolean): Promise<{ server: Server; port: number }> => {
    const server = createServer((asked, answer) => {
      asked.resume().on("end", () => {
        if (asked.url !== "/healthz") got.push(`${asked.method} ${asked.url}`);
        if (asked.url !== "/healthz" && isBroken()) asked.socket.destroy();
        else answer.end("ok");
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    cleanUps.push(async () => await new Promise((done) => (server.closeAllConnections(), server.close(done))));
    const address = server.address();
    return { server, port: address !== null && typeof address === "object" ? address.port : 0 };
  };
  // Whichever is asked first breaks off.
  const breaksFirst = (): boolean => got.length === 1;
  const [one, other] = [await listen(breaksFirst), await listen(breaksFirst)];
  const folder = mkdtempSync(join(tmpdir(), "ewebal-proxies-"));
  for (const { name, url } of await startProxies([one.port, other.port], folder)) {
    for (const [method, path, times, status] of [
      ["POST", "/api/x/send-bulk-sms", 1, 502],
      ["PATCH", "/api/x/credit-a-user", 1, 502],
      ["GET", "/api/send-bulk-sms/a@gmail.com/secret/Hello/SHOP/2348030000001/234", 1, 502],
      ["GET", "/api/token/verify-user", 1, 502],
      ["GET", "/user-dashboard/ewebal", 2, 200],
    ] as const) {
      got.length = 0;
      // What failed is left out for five seconds, and is then asked again.
      const answer = await ask(`${url}${path}`, method, method === "GET" ? undefined : {});
      assert(
        got.length === times && answer.status === status,
        `${name}: ${method} ${path} arrived ${got.length} times and got ${answer.status}`,
      );
      await sleep(6_000);
    }
    got.length = 0;
    const { status } = await ask(`${url}/api/x/send-bulk-sms`, "POST", "x".repeat(23 * 1024 * 1024));
    assert(got.length === 0 && status !== 200, `${name} let 23 MB through, which got ${status}`);
  }
  say(
    "nginx and Caddy: POST, PATCH, the GET form and a link of a mail that broke off arrived once (502); another GET was asked again (200); 23 MB were refused.",
  );
}

function readDemo(output: string[], kind: string): { email: string; password: string } {
  const [, email = "", password = ""] = new RegExp(`^Demo ${kind}: (\\S+) / (\\S+)`, "m").exec(output.join("")) ?? [];
  return { email, password };
}

/** Two web processes, two workers, both proxies: messages are sent through each while one or the other web process is killed. */
async function tryTwoHosts(program: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ewebal-deploy-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const ignore = (): void => undefined;
  const log = { info: ignore, warn: ignore, error: ignore };
  const postgres = await startEmbeddedPostgres({ program: "ewebal", dataDir: join(folder, "database"), log });
  cleanUps.push(async () => await postgres.stop());
  const start = async (name: string, more: Record<string, string>): Promise<Started> => {
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    chownSync(dataDir, USER_ID, USER_ID);
    return await startRole(program, {
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      TRIAL_PARTS: "card,mailbox,phones,demo",
      TRUST_PROXY: "1",
      QUIET_HOURS: "off",
      RATE_LIMITS: "off",
      ...more,
    });
  };
  const workers = [
    await start("worker-1", { ROLES: "worker", DEMO: "on" }),
    await start("worker-2", { ROLES: "worker" }),
  ];
  const ports: [number, number] = [await findFreePort(), await findFreePort()];
  const webs = [
    await start("web-1", { ROLES: "web", PORT: String(ports[0]) }),
    await start("web-2", { ROLES: "web", PORT: String(ports[1]) }),
  ];
  say(`Two web processes and two workers run as user ${USER_ID} without capabilities, in the tree of the image.`);
  const proxies = await startProxies(ports, folder);
  const customer = readDemo(
    workers.flatMap(({ output }) => output),
    "customer",
  );
  const killed = webs.map((web, index) => ({ web, health: `http://127.0.0.1:${ports[index]}/healthz` }));
  for (const { name, url } of proxies) await sendWhileKilled(name, url, customer, killed);
}

/** The process id of the role below a first process. */
function childOf({ output }: Started): number {
  const pids = [...output.join("").matchAll(/"childPid":(\d+)/g)].map(([, pid]) => Number(pid));
  return pids.at(-1) ?? 0;
}

async function sendWhileKilled(
  name: string,
  url: string,
  customer: { email: string; password: string },
  webs: { web: Started; health: string }[],
): Promise<void> {
  const { text } = await ask(`${url}/api/sign-in-user`, "POST", customer);
  const token = (JSON.parse(text) as { data: string }).data;
  const { id } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { id: string };
  const headers = { authorization: `Bearer ${token}` };
  const answers = new Map<number, number>();
  let [gets, badGets] = [0, 0];
  const sending = { isOver: false };
  const read = async (): Promise<void> => {
    while (!sending.isOver) {
      gets += 1;
      if ((await ask(`${url}/`)).status !== 200) badGets += 1;
      await sleep(10);
    }
  };
  // One at a time: the next is killed when the one before serves again and the proxies know it.
  const kill = async (): Promise<void> => {
    for (let turn = 0; turn < KILLS; turn += 1) {
      const { web, health } = webs[turn % webs.length]!;
      process.kill(childOf(web), "SIGKILL");
      await untilServes("a web process that was killed", health);
      await sleep(PROXIES_FORGET_MS);
    }
  };
  let messages = 0;
  const send = async (): Promise<void> => {
    for (; !sending.isOver; messages += 1) {
      const message = `${name} ${messages}`;
      const { status } = await ask(
        `${url}/api/${id}/send-bulk-sms`,
        "POST",
        { senderName: "DemoShop", message, phoneNo: "2348030000001", code: "234" },
        headers,
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
      await sleep(50);
    }
  };
  const beside = [read(), send()];
  await kill().finally(() => (sending.isOver = true));
  await Promise.all(beside);
  const sent = await countMessages(url, id, headers, name);
  const accepted = answers.get(200) ?? 0;
  const unanswered = messages - accepted;
  assert(sent.twice === 0, `${name}: ${sent.twice} messages were sent twice`);
  assert(
    sent.count >= accepted && sent.count <= accepted + unanswered,
    `${name}: ${accepted} were accepted and ${sent.count} are there`,
  );
  assert(badGets === 0, `${name}: ${badGets} of ${gets} pages did not come`);
  say(
    `${name}: of ${messages} messages sent while web processes were killed ${KILLS} times ${accepted} were accepted, ${sent.count} are there, none twice; ${gets} of ${gets} pages came.`,
  );
}

async function countMessages(
  url: string,
  id: string,
  headers: Record<string, string>,
  name: string,
): Promise<{ count: number; twice: number }> {
  const texts: string[] = [];
  for (let after = ""; ;) {
    const query = `limit=100${after === "" ? "" : `&after=${after}`}`;
    const { text } = await ask(`${url}/api/${id}/populate-sms-history?${query}`, "GET", undefined, headers);
    const { data, next } = JSON.parse(text) as { data: { message: string }[]; next: string | null };
    texts.push(...data.map(({ message }) => message));
    if (next === null) break;
    after = next;
  }
  const own = texts.filter((text) => text.startsWith(`${name} `));
  return { count: own.length, twice: own.length - new Set(own).size };
}

/** The units as they stand, with the program that they start where they say. */
function tryUnits(program: string): void {
  const isThere = existsSync("/opt/ewebal");
  assert(!isThere, "/opt/ewebal is there already; try this on a machine without");
  cpSync(program, "/opt/ewebal", { recursive: true });
  cleanUps.push(() => rmSync("/opt/ewebal", { recursive: true }));
  mkdirSync("/opt/ewebal/node_modules/.bin", { recursive: true });
  cpSync(process.execPath, "/opt/ewebal/node_modules/.bin/node");
  const units = ["web", "worker", "smpp"].map((role) => deploy(`systemd/ewebal-${role}.service`));
  run("systemd-analyze", ["verify", ...units]);
  say("systemd-analyze verify: nothing to say of the three units.");
}

function tryCompose(): void {
  const folder = mkdtempSync(join(tmpdir(), "ewebal-compose-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(repositoryFolder, "deploy"), folder, { recursive: true });
  cpSync(join(folder, "ewebal.env.example"), join(folder, "ewebal.env"));
  run("docker-compose", ["-f", join(folder, "compose.yaml"), "config", "--quiet"], folder, {
    PATH: process.env["PATH"],
    SITE: "sms.example.com",
  });
  say("docker-compose config: the file is valid. No container was started: that takes images from a registry.");
}

try {
  tryCompose();
  await tryBreakingUpstreams();
  const program = buildTree();
  tryUnits(program);
  await tryTwoHosts(program);
  say("Everything in deploy/ that can be tried on this machine was tried.");
} catch (error) {
  process.stderr.write(
    `Not everything in deploy/ works here: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}
