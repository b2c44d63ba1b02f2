// npm runs this after it has installed. It mends what an older npm leaves out, such as that of Debian 12 (9.2, on Node 18).
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inModules = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
const installed = `node-linux-${process.arch}/bin/node`;

// npm leaves out optional packages, the compiler of the pages among them, that need a newer Node than its own. The Node that came along is one.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isOld = major < 20 || (major === 20 && minor < 19) || (major === 22 && minor < 12) || major === 21;
const npm = process.env.npm_execpath;
if (isOld && npm !== undefined && existsSync(inModules(installed))) {
  const { status } = spawnSync(inModules(installed), [npm, "install", "--no-save", "--ignore-scripts"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

// npm removes the package with the Node for another processor, and with it the link that both packages have.
if (existsSync(inModules(installed)) && !existsSync(inModules(".bin/node")))
  symlinkSync(`../${installed}`, inModules(".bin/node"));
