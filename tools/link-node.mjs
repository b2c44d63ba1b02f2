// npm runs this after it has installed. The npm of Debian 12 (9.2) removes the package with the Node for another processor, and with it the
// link `node_modules/.bin/node`, which both packages have: then this makes the link again.
import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = `node-linux-${process.arch}`;
const inModules = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
if (existsSync(inModules(`${folder}/bin/node`)) && !existsSync(inModules(".bin/node")))
  symlinkSync(`../${folder}/bin/node`, inModules(".bin/node"));
