/** Writes `dist`, the folder that is published: JavaScript, types, the README and a manifest without anything of this workspace. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const HERE = import.meta.dirname;

/** @param folder emptied first. */
export function buildClient(folder = join(HERE, "dist")): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
  const settings = [
    "--noEmit",
    "false",
    "--emitDeclarationOnly",
    "false",
    "--rewriteRelativeImportExtensions",
    "--composite",
    "false",
  ];
  const files = [
    "--outDir",
    folder,
    "--rootDir",
    join(HERE, "src"),
    "--declaration",
    "--target",
    "es2023",
    "--module",
    "nodenext",
  ];
  const lib = [
    "--lib",
    "es2024,dom,dom.iterable",
    "--types",
    "",
    "--strict",
    "--skipLibCheck",
    "--exactOptionalPropertyTypes",
  ];
  execFileSync(
    process.execPath,
    [
      join(typescript, "..", "bin", "tsc"),
      "--ignoreConfig",
      ...settings,
      ...files,
      ...lib,
      join(HERE, "src", "index.ts"),
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const { name, version, description } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const manifest = {
    name,
    version,
    description,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(HERE, "README.md"), join(folder, "README.md"));
}

if (process.argv[1] === import.meta.filename) buildClient();
