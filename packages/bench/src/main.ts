/**
 * `npm run bench [part ...]`: what the product does on this machine, printed as tables for docs/benchmarks.md.
 * Parts: client, accept, deliver, merged, people, latency, single, smpp-in, webhooks, http-carrier. Three more run only when they are asked
 * for: ten-million (ten minutes), cluster (needs Citus and, for shares of a core, root) and growth (46 GB and an hour). Everything is measured over
 * real sockets against the whole product and a carrier that is not ours. Nothing else should run meanwhile.
 */
import { cpus } from "node:os";
import { measureAccepting } from "./accept.ts";
import { measureClients } from "./client.ts";
import { measureCluster } from "./cluster.ts";
import { measureDelivery, measureTenMillion } from "./deliver.ts";
import { measureHttpCarrier } from "./http-carrier.ts";
import { measureGrowth } from "./growth/growth.ts";
import { measureMerged } from "./merged.ts";
import { measureLatency } from "./latency.ts";
import { measurePeople } from "./people.ts";
import { measureSingle } from "./single.ts";
import { measureSmppIn } from "./smpp-in.ts";
import { measureWebhooks } from "./webhooks.ts";
import { printTable, say } from "./print.ts";

const parts: Record<string, () => Promise<void>> = {
  client: measureClients,
  accept: measureAccepting,
  deliver: measureDelivery,
  merged: measureMerged,
  people: measurePeople,
  latency: measureLatency,
  single: measureSingle,
  "smpp-in": measureSmppIn,
  webhooks: measureWebhooks,
  "http-carrier": measureHttpCarrier,
  "ten-million": measureTenMillion,
  cluster: measureCluster,
  growth: measureGrowth,
};
const ONLY_WHEN_ASKED = ["ten-million", "cluster", "growth"];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
printTable("machine", [
  {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: cpus()[0]?.model ?? "",
    cores: cpus().length,
  },
]);
for (const [name, measure] of Object.entries(parts)) {
  if (asked.includes(name) || (asked.length === 0 && !ONLY_WHEN_ASKED.includes(name))) await measure();
}
