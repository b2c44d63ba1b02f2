// Loaded with --import before every command, in plain JavaScript, because an old Node cannot read the
// TypeScript that would complain. Node 24 arrives through npm on Linux; elsewhere the machine's own serves.
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Ewebal runs on Node 22.18 or newer, and this is ${process.version}.\n` +
      `Run \`npm ci\` and start it with \`npm start\`: on Linux that brings Node 24 along.\n`,
  );
  process.exit(1);
}

// Each process would otherwise load the compiler that strips the types (35 MB resident, 0.3 s) to read the same files again.
// The variable hands the cache on to child processes; a folder that cannot be written to only switches it off.
const { enableCompileCache } = await import("node:module");
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
