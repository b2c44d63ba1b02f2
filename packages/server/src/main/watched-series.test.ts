import { readFile } from "node:fs/promises";
import { parseYaml } from "@redocly/openapi-core";
import { alarmKinds } from "@ewebal/contract";
import { addFigures } from "../features/delivery/figures/figure-store.ts";
import { LATENCY_BOUNDS_SECONDS } from "../features/delivery/figures/figures.ts";
import { expect, test as base } from "../testing/app.ts";

const test = base.extend({ environment: { BACKUP_DIR: "/nowhere" } });

const deployFile = async (path: string): Promise<string> =>
  await readFile(new URL(`../../../../deploy/${path}`, import.meta.url), "utf8");

/** The names of an expression; a histogram's lines end in what they are. */
function namesIn(expression: string): string[] {
  const names = expression.match(/\b(?:ewebal|http|process|nodejs)_[a-z0-9_]+/g) ?? [];
  return names.map((name) => name.replace(/(?<=_seconds)_(?:bucket|sum|count)$/, ""));
}

/** By name: of what kind the figure is, and which labels its lines have. */
function readExposition(body: string): Map<string, string> {
  return new Map([...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
}

type Rule = { alert: string; expr: string; annotations: { summary?: string; action?: string } };
type Board = { panels: { title: string; targets?: { expr: string }[] }[] };

test("each figure that the board and the rules name is one that /metrics writes", async ({ app, db }) => {
  const counts = [...LATENCY_BOUNDS_SECONDS.map(() => 0), 1, 9_000_000];
  await addFigures(db, [{ name: "acceptToWire", carrier: 'A "quoted" one', class: "promotional", kind: "", counts }]);
  const { body } = await app.inject("/metrics");
  const written = readExposition(body);
  // A name with quotes breaks no line.
  expect(body).toContain(
    `ewebal_accept_to_wire_seconds_bucket{carrier="A \\"quoted\\" one",class="promotional",le="+Inf"} 1`,
  );
  expect(body).toMatch(/^ewebal_database_up 1$/m);
  expect(body).toMatch(/^ewebal_backup_age_seconds 0$/m);
  for (const kind of alarmKinds) expect(body).toContain(`ewebal_alarms_open{kind="${kind}"} 0`);

  const board = JSON.parse(await deployFile("grafana/ewebal.json")) as Board;
  const { groups } = parseYaml(await deployFile("prometheus/alerts.yml")) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const shown = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const named = new Set([...shown, ...rules.map(({ expr }) => expr)].flatMap(namesIn));
  expect(named.size).toBeGreaterThan(25);
  expect([...named].filter((name) => !written.has(name))).toEqual([]);
  // And what the product counts of its own is on the board.
  const ours = [...written.keys()].filter((name) => name.startsWith("ewebal_"));
  const onBoard = new Set(shown.flatMap(namesIn));
  expect(ours.filter((name) => !onBoard.has(name))).toEqual([]);
  for (const { alert, annotations } of rules) expect(Object.keys(annotations), alert).toEqual(["summary", "action"]);
});

test("there is a rule for each alarm of the product", async () => {
  const text = await deployFile("prometheus/alerts.yml");
  const alerts = new Set([...text.matchAll(/alert: Ewebal(\w+)/g)].map(([, name = ""]) => name));
  const nameOf = (kind: string): string => kind.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  expect(alarmKinds.map(nameOf).filter((name) => !alerts.has(name))).toEqual([]);
});

test("without the database the process still tells of itself", async ({ app, db, deps }) => {
  await db.query("alter table alarm rename to alarm_away");
  const { statusCode, body } = await app.inject("/metrics");
  expect(statusCode).toBe(200);
  expect(body).toMatch(/^ewebal_database_up 0$/m);
  expect(body).toContain("process_cpu_seconds_total");
  expect(body).not.toContain("ewebal_workers_alive");
  expect(deps.logLines.map(({ msg }) => msg)).toContain("the figures of the database could not be read");
});
