/**
 * What the product is made of, for whoever must answer for it: `npm run sbom -- FILE` writes a list of all packages
 * (CycloneDX), `npm run advisories` asks the registry which of them have known faults.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repositoryFolder } from "./source-files.ts";

const HELP = `npm run sbom -- FILE      write the packages of the product as CycloneDX JSON
npm run advisories        ask the registry for known faults of these packages

Both end with one sentence that says what was done, and with status 0, or 1 when it was not done or a fault is known.
Packages that build and test the product are among them, marked as such: the pages are built from what npm calls development.`;

type LockedPackage = { version?: string; license?: string; integrity?: string; dev?: boolean; link?: boolean };

/** @param integrity as the lock file has it, such as `sha512-` and base64. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = "", digest = ""] = integrity.split("-", 2);
  return { alg: algorithm.replace(/^sha/, "SHA-"), content: Buffer.from(digest, "base64").toString("hex") };
}

/**
 * A CycloneDX 1.6 document of every package that the lock file names. npm has a command for that, which refuses a tree with a
 * dependency on "latest", and without development packages drops those that development needs as well.
 */
export function describePackages(lock: { name: string; version: string; packages: Record<string, LockedPackage> }): {
  components: object[];
} {
  const components = Object.entries(lock.packages).flatMap(([path, { version, license, integrity, dev, link }]) => {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.includes("node_modules/") || link === true || version === undefined) return [];
    return {
      type: "library",
      "bom-ref": path,
      name,
      version,
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      scope: dev === true ? "excluded" : "required",
      ...(license !== undefined && { licenses: [{ expression: license }] }),
      ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    };
  });
  const product = { type: "application", name: lock.name, version: lock.version };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: product },
    components,
  } as { components: object[] };
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

function writeList(file: string): void {
  say("Reading package-lock.json");
  const list = describePackages(
    JSON.parse(readFileSync(join(repositoryFolder, "package-lock.json"), "utf8")) as Parameters<
      typeof describePackages
    >[0],
  );
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`);
  say(`Wrote ${list.components.length} packages to ${file}.`);
}

function askForAdvisories(): void {
  say("Asking the registry");
  const { stdout, stderr } = spawnSync("npm", ["audit", "--json"], {
    cwd: repositoryFolder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const answer = JSON.parse(stdout === "" ? "{}" : stdout) as { metadata?: { vulnerabilities?: { total: number } } };
  const total = answer.metadata?.vulnerabilities?.total;
  process.exitCode = total === 0 ? 0 : 1;
  if (total === undefined)
    say(`${stderr.trim()}\nNothing is known about these packages: the registry did not answer the question.`);
  else
    say(
      total === 0
        ? "The registry knows of no fault in these packages."
        : `The registry knows of ${total} faults; \`npm audit\` names them.`,
    );
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" } } });
  const [command, file] = positionals;
  if (values.help === true) say(HELP);
  else if (command === "advisories") askForAdvisories();
  else if (command === "sbom" && file !== undefined) writeList(file);
  else {
    say(HELP);
    process.exitCode = 1;
  }
}
