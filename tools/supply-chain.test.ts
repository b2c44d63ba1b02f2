import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryFolder } from "./source-files.ts";

const run = (...args: string[]) =>
  spawnSync(process.execPath, ["tools/supply-chain.ts", ...args], { cwd: repositoryFolder, encoding: "utf8" });

test("the list of packages names what the product is made of, with versions", () => {
  const folder = mkdtempSync(join(tmpdir(), "ewebal-sbom-"));
  const file = join(folder, "sbom.json");
  const { status, stdout } = run("sbom", file);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\nWrote \d+ packages to .*\.\n$/)]);
  const list = JSON.parse(readFileSync(file, "utf8")) as {
    bomFormat: string;
    components: { name: string; version: string; scope: string; hashes?: { alg: string; content: string }[] }[];
  };
  expect(list.bomFormat).toBe("CycloneDX");
  const names = list.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["fastify", "pg", "zod", "react"]));
  const find = (name: string) => list.components.find((component) => component.name === name);
  expect([find("vitest")?.scope, find("react")?.scope]).toEqual(["excluded", "required"]);
  expect(find("zod")?.hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  expect(list.components.filter(({ version }) => version === "")).toEqual([]);
  rmSync(folder, { recursive: true });
});

test("says how it is used, and refuses what it does not know", () => {
  expect([run("sbom", "--help").status, run("sbom").status, run("other").status]).toEqual([0, 1, 1]);
  expect(run("--help").stdout).toContain("npm run sbom -- FILE");
});
