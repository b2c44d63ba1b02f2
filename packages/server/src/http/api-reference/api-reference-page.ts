import { commonRefusals, errorTable, type ErrorCode } from "@ewebal/contract";
import type { Config } from "../../base/config.ts";
import { escapeHtml } from "../escape-html.ts";
import { API_REFERENCE_STYLE } from "./api-reference-style.ts";
import { smppSection } from "./smpp-section.ts";
import { twilioSection } from "./twilio-section.ts";

/** What this page reads of a JSON schema. */
type Schema = {
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, unknown> };
type Content = { content?: Record<string, Media> };
type Operation = {
  summary?: string;
  description?: string;
  tags?: readonly string[];
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly { name: string; in: "path" | "query" | "header"; required?: boolean; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
};

/** What this page reads of an OpenAPI document. */
export type ApiDescription = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
};

type Call = { method: string; path: string; operation: Operation };

/** Tags of the calls for programs begin so. */
const FIRST_GROUPS = "API v1";
const EVENTS = "Webhook events";
const JSON_TYPE = "application/json";
const COMMON: ReadonlySet<string> = new Set(commonRefusals);

/** All calls on one page, complete without any script, those for programs first. */
export function apiReferencePage(config: Pick<Config, "brand" | "publicUrl">, description: ApiDescription): string {
  const { brand, publicUrl } = config;
  const groups = groupCalls(description);
  const programs = groups.filter(({ tag }) => tag.startsWith(FIRST_GROUPS));
  const dashboards = groups.filter(({ tag }) => !tag.startsWith(FIRST_GROUPS));
  const name = escapeHtml(brand.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every call of the ${name} API with its fields and answers.">
<title>API reference - ${name}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${API_REFERENCE_STYLE}</style>
</head>
<body>
<header>
<a class="brand" href="/">${name}<span>${escapeHtml(brand.suffix)}</span></a>
<nav aria-label="Site"><a href="/sms-api-page">Guide</a> <a href="/api/openapi.json">OpenAPI</a></nav>
</header>
<div class="frame">
<nav class="contents" aria-label="Calls">
<ul>${["Refusals", ...programs.map(({ tag }) => tag), EVENTS, "Twilio", "SMPP", ...dashboards.map(({ tag }) => tag)].map((tag) => `<li><a href="#${idOf(tag)}">${escapeHtml(tag)}</a></li>`).join("")}</ul>
</nav>
<main>
<h1>API reference</h1>
<p class="intro">Programs call what stands under <code>/api/v1</code> with a key: <code>Authorization: Bearer &lt;key&gt;</code> or <code>X-Api-Key: &lt;key&gt;</code>. The other calls are those of the dashboards.</p>
<pre tabindex="0">curl ${escapeHtml(publicUrl)}/api/v1/balance -H "Authorization: Bearer &lt;key&gt;"</pre>
<section id="refusals"><h2>Refusals</h2>
<p class="intro">A refusal is <code>{ message, code, fields?, requestId }</code>. Its code never changes its meaning; <code>fields</code> names every field that is wrong. Any call may answer these; what else a call refuses stands beside it.</p>
${refusalTable(commonRefusals)}</section>
${programs.map(groupSection).join("\n")}
${eventSection(description)}
${twilioSection(publicUrl)}
${smppSection()}
${dashboards.map(groupSection).join("\n")}
</main>
</div>
</body>
</html>
`;
}

function groupCalls({ paths }: ApiDescription): { tag: string; calls: Call[] }[] {
  const groups = new Map<string, Call[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  const order = (tag: string): string => (tag.startsWith(FIRST_GROUPS) ? ` ${tag}` : tag);
  return [...groups]
    .map(([tag, calls]) => ({ tag, calls }))
    .toSorted((one, other) => order(one.tag).localeCompare(order(other.tag)));
}

function idOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

function groupSection({ tag, calls }: { tag: string; calls: readonly Call[] }): string {
  return `<section id="${idOf(tag)}"><h2>${escapeHtml(tag)}</h2>\n${calls.map(callArticle).join("\n")}</section>`;
}

function callArticle({ method, path, operation }: Call): string {
  const parameters = (operation.parameters ?? []).map(({ name, in: place, required = false, schema = {} }) => ({
    name,
    note: place === "path" ? "in the address" : place === "query" ? "after the question mark" : "header",
    isRequired: required,
    schema,
  }));
  const body = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema, example }]) =>
      `<h4>Body</h4><p class="type">${escapeHtml(type)}</p>${fieldTable(fieldsOf(schema))}${exampleBlock(example)}`,
  );
  const answers = Object.entries(operation.responses ?? {}).map(([status, { content }]) => {
    const media = content?.[JSON_TYPE];
    const fields = fieldsOf(media?.schema?.anyOf?.[0] ?? media?.schema);
    if (fields.length === 0 && media?.example === undefined && isRefusal(status)) return "";
    return `<h4>Answer ${escapeHtml(status)}</h4>${fieldTable(fields)}${exampleBlock(media?.example)}`;
  });
  const scopes = (operation.security ?? []).flatMap(({ apiKey = [] }) => apiKey);
  const refusals = refusalsOf(operation);
  return `<article id="${idOf(`${method} ${path}`)}">
<h3><span class="method" data-method="${method}">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary ?? "")}</p>
<details><summary>Fields and answers</summary>
${scopes.length === 0 ? "" : `<p class="type">Scope of the key: <code>${escapeHtml(scopes.join(", "))}</code></p>`}
${parameters.length === 0 ? "" : `<h4>Parameters</h4>${fieldTable(parameters)}`}
${body.join("")}${answers.join("")}
${refusals.length === 0 ? "" : `<h4>Refusals</h4>${refusalTable(refusals)}`}
</details>
</article>`;
}

const isRefusal = (status: string): boolean => !status.startsWith("2");

/** The codes that an operation lists with examples, without those that any call may answer. */
function refusalsOf({ responses = {} }: Operation): ErrorCode[] {
  const codes = Object.values(responses).flatMap(({ content }) => Object.keys(content?.[JSON_TYPE]?.examples ?? {}));
  return codes.filter((code): code is ErrorCode => code in errorTable && !COMMON.has(code));
}

function refusalTable(codes: readonly ErrorCode[]): string {
  const rows = codes
    .toSorted((one, other) => errorTable[one].status - errorTable[other].status)
    .map(
      (code) =>
        `<tr><td>${errorTable[code].status}</td><td><code>${code}</code></td><td>${escapeHtml(errorTable[code].message)}</td></tr>`,
    );
  return `<div class="scroll refusals" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function exampleBlock(example: unknown): string {
  return example === undefined ? "" : `<pre tabindex="0">${escapeHtml(JSON.stringify(example, undefined, 2))}</pre>`;
}

/** What is posted to an account's webhooks, event by event. */
function eventSection({ webhooks = {} }: ApiDescription): string {
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const media = post.requestBody?.content?.[JSON_TYPE];
    return `<article id="${idOf(`event ${type}`)}">
<h3><span class="method">EVENT</span> <code>${escapeHtml(type)}</code></h3>
<p>${escapeHtml(post.summary ?? "")}</p>
<details><summary>Fields and example</summary>
<h4>Body</h4>${fieldTable(fieldsOf(media?.schema))}${exampleBlock(media?.example)}
</details>
</article>`;
  });
  const how = Object.values(webhooks)[0]?.post.description ?? "";
  return `<section id="${idOf(EVENTS)}"><h2>${EVENTS}</h2>
<p class="intro">${escapeHtml(how)} The headers are <code>webhook-id</code>, the same at every try, <code>webhook-timestamp</code> and <code>webhook-signature</code>. Programs that verify them are on the page <a href="/sms-api-page">SMS API</a>.</p>
${events.join("\n")}</section>`;
}

type Field = { name: string; note: string; isRequired: boolean; schema: Schema };

/** A schema's fields, those of objects within it behind a dot; three levels say enough. */
function fieldsOf(schema: Schema | undefined, prefix = "", depth = 0): Field[] {
  const inner = schema?.items ?? schema;
  if (inner?.properties === undefined) return [];
  return Object.entries(inner.properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}${field.items === undefined ? "" : "[]"}`;
    const own = { name: path, note: "", isRequired: inner.required?.includes(name) === true, schema: field };
    return [own, ...(depth < 2 ? fieldsOf(field, `${path}.`, depth + 1) : [])];
  });
}

function fieldTable(fields: readonly Field[]): string {
  if (fields.length === 0) return `<p class="type">No JSON fields</p>`;
  const rows = fields.map(
    ({ name, note, isRequired, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(describeType(schema))}</td><td>${isRequired ? "required" : "optional"}</td><td>${escapeHtml([note, schema.description ?? ""].filter((text) => text !== "").join("; "))}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Needed</th><th scope="col">Notes</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function describeType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeType))].join(" or ");
  if (schema.items !== undefined) return `list of ${describeType(schema.items)}`;
  const type = [schema.type ?? "any"].flat().join(" or ");
  const limits = [
    schema.format,
    schema.minLength !== undefined && schema.minLength > 0 && `at least ${schema.minLength} characters`,
    schema.maxLength !== undefined && `at most ${schema.maxLength.toLocaleString("en")} characters`,
    schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER && `at least ${schema.minimum}`,
    schema.maximum !== undefined &&
      schema.maximum < Number.MAX_SAFE_INTEGER &&
      `at most ${schema.maximum.toLocaleString("en")}`,
  ].filter((limit) => typeof limit === "string");
  return [type, ...limits].join(", ");
}
