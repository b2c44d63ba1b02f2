// Run by npm after it has installed. The npm of Debian 12 (9.2) leaves no link to the Node that it brought along, because it has
// just left out the one for another processor, whose link has the same name.
import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = `node-linux-${process.arch}`;
const inModules = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
if (existsSync(inModules(`${folder}/bin/node`)) && !existsSync(inModules(".bin/node")))
  symlinkSync(`../${folder}/bin/node`, inModules(".bin/node"));
