/** What OpenAPI wants beyond the schemas that Fastify gives: names, refusals, examples, events, and the calls for programs by themselves. */
import * as contract from "@ewebal/contract";
import {
  commonRefusals,
  errorCodes,
  errorTable,
  programDocs,
  webhookEvents,
  webhookExamples,
  type ErrorCode,
} from "@ewebal/contract";
import { z } from "zod";

type Json = Record<string, unknown>;
type Media = { schema?: Json; example?: unknown; examples?: Json };
type Response = { description: string; content?: Record<string, Media>; headers?: Json };
type Parameter = { in: string; name: string };
export type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses?: Record<string, Response>;
};
export type Description = {
  paths: Record<string, Record<string, Operation>>;
  components?: Json;
  tags?: { name: string; description: string }[];
  webhooks?: Json;
} & Json;

const FOR_PROGRAMS = "/api/v1/";
const JSON_TYPE = "application/json";
const REFUSAL = { $ref: "#/components/schemas/Refusal" };

/** What stands behind each tag of the calls for programs; the dashboards' tags say it by their names. */
const tagWords: Readonly<Record<string, string>> = {
  "API v1: Messages": "Send now or later, follow each recipient, pause, resume and cancel.",
  "API v1: Catalogs": "Lists of contacts with fields of their own.",
  "API v1: Templates": "Texts that are kept to send again.",
  "API v1: Opt-outs": "Who wants no more messages.",
  "API v1: Inbox": "Messages from phones to the account's numbers, and answers to them.",
  "API v1: Codes": "Codes that people type to prove that a number is theirs.",
  "API v1: Webhooks": "Addresses that events are posted to, what was answered there, and replays.",
  "API v1: Account": "Units, prices, movements and sender names.",
};

/** @param description of every call; it is changed. */
export function completeDescription(description: Description): Description {
  const names = namesOfCalls();
  const tags = new Set<string>();
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = names.get(`${method.toUpperCase()} ${path}`);
      operation.operationId = name ?? nameOfPath(method, path);
      for (const tag of operation.tags ?? []) tags.add(tag);
      completeOperation(path, operation);
    }
  }
  description.tags = [...tags].map((name) => ({
    name,
    description: tagWords[name] ?? `${name}, as the dashboards use them.`,
  }));
  description.webhooks = describeWebhooks();
  description.components = { ...description.components, ...components() };
  return description;
}

/** The calls for programs alone, for generators and for people who read. */
export function describeProgramCalls(description: Description): Description {
  const paths = Object.fromEntries(Object.entries(description.paths).filter(([path]) => path.startsWith(FOR_PROGRAMS)));
  const used = new Set(
    Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags = [] }) => tags)),
  );
  const { securitySchemes, ...parts } = description.components as { securitySchemes: Json };
  const { session: _session, ...ofPrograms } = securitySchemes;
  return {
    ...description,
    paths,
    tags: (description.tags ?? []).filter(({ name }) => used.has(name)),
    components: { ...parts, securitySchemes: ofPrograms },
  };
}

type Route = { method: string; url: string };

/** A call's name in the contract; those of programs first, others with their table's name where two would be the same. */
function namesOfCalls(): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const tables = Object.entries(contract).filter(([name]) => name.endsWith("Routes"));
  const isOfPrograms = ([name]: [string, unknown]): boolean => name.startsWith("program");
  for (const [table, routes] of [...tables.filter(isOfPrograms), ...tables.filter((entry) => !isOfPrograms(entry))]) {
    for (const [name, route] of Object.entries(routes as Record<string, Partial<Route>>)) {
      if (route.url === undefined || route.method === undefined) continue;
      const unique = taken.has(name) ? `${table.slice(0, -"Routes".length)}_${name}` : name;
      taken.add(unique);
      names.set(`${route.method} ${route.url.replaceAll(/:(\w+)/g, "{$1}")}`, unique);
    }
  }
  return names;
}

function nameOfPath(method: string, path: string): string {
  return `${method}_${path.replaceAll(/[^a-zA-Z0-9]+/g, "_")}`;
}

function completeOperation(path: string, operation: Operation): void {
  const { operationId = "", responses = {} } = operation;
  for (const [status, response] of Object.entries(responses)) {
    if (response.description === "Default Response") response.description = wordsOf(status);
  }
  if (!path.startsWith(FOR_PROGRAMS)) {
    operation.responses = {
      ...responses,
      "4XX": { description: "A refusal: see its code", content: { [JSON_TYPE]: { schema: REFUSAL } } },
    };
    return;
  }
  const docs = (programDocs as Record<string, (typeof programDocs)[keyof typeof programDocs] | undefined>)[operationId];
  operation.responses = withRefusals(responses, [...commonRefusals, ...(docs?.refusals ?? [])]);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const media = success?.[1].content?.[JSON_TYPE];
  if (media !== undefined && docs !== undefined) media.example = docs.answer;
  const body = operation.requestBody?.content[JSON_TYPE];
  if (body !== undefined && docs?.body !== undefined) body.example = docs.body;
}

function wordsOf(status: string): string {
  const words: Record<string, string> = {
    "200": "Done",
    "201": "Made",
    "202": "Waits",
    "503": "Sent, without numbers on the do-not-disturb list",
  };
  return words[status] ?? "Answer";
}

/** Each status with the codes that it may carry, and every code with what its answer looks like. */
function withRefusals(responses: Record<string, Response>, codes: readonly ErrorCode[]): Record<string, Response> {
  const all = { ...responses };
  const byStatus = Map.groupBy(new Set(codes), (code) => errorTable[code].status);
  for (const [status, ofStatus] of byStatus) {
    const own = all[status];
    const answer = own?.content?.[JSON_TYPE]?.schema;
    const examples = Object.fromEntries(ofStatus.map((code) => [code, { value: exampleOf(code) }]));
    all[status] = {
      description: `${own === undefined ? "" : `${own.description}; or refused: `}${ofStatus.join(", ")}`,
      content: { [JSON_TYPE]: { schema: answer === undefined ? REFUSAL : { anyOf: [answer, REFUSAL] }, examples } },
      ...((status === 429 || status === 503) && {
        headers: { "Retry-After": { $ref: "#/components/headers/Retry-After" } },
      }),
    };
  }
  for (const response of Object.values(all)) {
    response.headers = {
      ...response.headers,
      "RateLimit-Policy": { $ref: "#/components/headers/RateLimit-Policy" },
      RateLimit: { $ref: "#/components/headers/RateLimit" },
    };
  }
  return all;
}

function exampleOf(code: ErrorCode): Json {
  const { message } = errorTable[code];
  const fields = code === "VALIDATION" ? { fields: { senderName: "is required" } } : {};
  return { message, code, ...fields, requestId: "01900000-0000-7000-8000-000000000001" };
}

function describeWebhooks(): Json {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: `webhook_${type.replaceAll(".", "_")}`,
          summary,
          description:
            "Signed by the Standard Webhooks specification. An answer of 2xx within 10 seconds takes it; anything else is tried again for 72 hours.",
          security: [],
          parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
            name,
            in: "header",
            required: true,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: { [JSON_TYPE]: { schema: eventSchema(type, data), example: eventExample(type) } },
          },
          responses: { "2XX": { description: "Taken" }, "4XX": { description: "Not taken; it comes again" } },
        },
      },
    ]),
  );
}

function eventSchema(type: string, data: z.ZodType): Json {
  const schema = z.object({ type: z.literal(type), timestamp: z.iso.datetime(), mode: z.enum(["live", "test"]), data });
  const { $schema: _schema, ...json } = z.toJSONSchema(schema, { io: "input" });
  return json;
}

function eventExample(type: string): Json {
  return { type, timestamp: "2026-11-25T09:30:01.000Z", mode: "live", data: webhookExamples[type] };
}

function components(): Json {
  const header = (description: string, example: string): Json => ({ description, schema: { type: "string" }, example });
  return {
    schemas: {
      Refusal: {
        type: "object",
        required: ["message", "code", "requestId"],
        description: "Nothing was done. Programs branch on the code, never on the sentence.",
        properties: {
          message: { type: "string", description: "A sentence for people" },
          code: { type: "string", enum: [...errorCodes] },
          fields: {
            type: "object",
            additionalProperties: { type: "string" },
            description: "What is wrong with each field, by its path",
          },
          requestId: { type: "string", description: "What support asks for" },
        },
      },
    },
    headers: {
      "RateLimit-Policy": header("How many calls the key has: q in w seconds", '"key";q=100;w=1'),
      RateLimit: header("How many calls are left, and for how many seconds", '"key";r=99;t=1'),
      "Retry-After": header("Seconds after which the call may be repeated", "1"),
    },
  };
}
