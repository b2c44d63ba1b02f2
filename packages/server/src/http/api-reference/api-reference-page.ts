import type { Config } from "../../base/config.ts";
import { escapeHtml } from "../escape-html.ts";
import { API_REFERENCE_STYLE } from "./api-reference-style.ts";

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
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  summary?: string;
  tags?: readonly string[];
  parameters?: readonly { name: string; in: "path" | "query" | "header"; required?: boolean; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
};

/** What this page reads of an OpenAPI document. */
export type ApiDescription = { paths: Record<string, Record<string, Operation>> };

type Call = { method: string; path: string; operation: Operation };

/** Tags of the calls for programs begin so. */
const FIRST_GROUPS = "API v1";

/** All calls on one page, complete without any script, those for programs first. */
export function apiReferencePage(config: Pick<Config, "brand" | "publicUrl">, description: ApiDescription): string {
  const { brand, publicUrl } = config;
  const groups = groupCalls(description);
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
<ul>${groups.map(({ tag }) => `<li><a href="#${idOf(tag)}">${escapeHtml(tag)}</a></li>`).join("")}</ul>
</nav>
<main>
<h1>API reference</h1>
<p class="intro">Programs call what stands under <code>/api/v1</code> with a key: <code>Authorization: Bearer &lt;key&gt;</code> or <code>X-Api-Key: &lt;key&gt;</code>. The other calls are those of the dashboards.</p>
<pre tabindex="0">curl ${escapeHtml(publicUrl)}/api/v1/balance -H "Authorization: Bearer &lt;key&gt;"</pre>
<p class="intro">A refusal is <code>{ message, code, fields?, requestId }</code>. Its code never changes its meaning; <code>fields</code> names every field that is wrong.</p>
${groups.map(groupSection).join("\n")}
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
    ([type, { schema }]) => `<h4>Body</h4><p class="type">${escapeHtml(type)}</p>${fieldTable(fieldsOf(schema))}`,
  );
  const answers = Object.entries(operation.responses ?? {}).map(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return `<h4>Answer ${escapeHtml(status)}</h4>${fieldTable(fieldsOf(schema))}`;
  });
  return `<article id="${idOf(`${method} ${path}`)}">
<h3><span class="method" data-method="${method}">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary ?? "")}</p>
<details><summary>Fields and answers</summary>
${parameters.length === 0 ? "" : `<h4>Parameters</h4>${fieldTable(parameters)}`}
${body.join("")}${answers.join("")}
</details>
</article>`;
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
