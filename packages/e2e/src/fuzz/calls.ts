/** Every call of a running installation: those of its OpenAPI file, and those of other programs and of links that the file leaves out. */
import * as contract from "@ewebal/contract";
import { pagePaths } from "@ewebal/contract";

export type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type Parameter = { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema };

/** In whose words a call refuses: ours, Twilio's, or those of a page. */
export type Manner = "ours" | "twilio" | "page";

export type FuzzedCall = {
  method: string;
  /** Parameters as `{name}`. */
  path: string;
  manner: Manner;
  parameters: Parameter[];
  /** What the body's type is when the request is a valid one. */
  bodyType?: "application/json" | "application/x-www-form-urlencoded";
  body?: Schema;
  /** By status; a call of the file may give no other answer than these and refusals. Absent for calls that the file leaves out. */
  answers?: Readonly<Record<string, Schema | undefined>>;
};

type Media = { content?: Record<string, { schema?: Schema }> };
type Operation = { parameters?: Parameter[]; requestBody?: Media; responses: Record<string, Media> };
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const text: Schema = { type: "string", minLength: 1, maxLength: 40 };

const twilioForm: Schema = {
  type: "object",
  properties: {
    To: { type: "string" },
    From: { type: "string" },
    Body: { type: "string" },
    StatusCallback: { type: "string", format: "uri" },
    SendAt: { type: "string", format: "date-time" },
    ScheduleType: { const: "fixed" },
    ValidityPeriod: { type: "string", pattern: "^[0-9]{1,5}$" },
    Status: { const: "canceled" },
    MediaUrl: { type: "string", format: "uri" },
  },
  required: ["To", "From", "Body"],
};
const twilioQuery = ["PageSize", "Page", "PageToken", "To", "From", "DateSent", "DateSent<", "DateSent>"];
const report: Schema = { type: "object", properties: { id: text, status: text, messageId: text }, required: ["id"] };

/** What no schema of ours describes: `METHOD /path`, in whose manner it answers, and what it takes. */
const others: readonly [string, Manner, { form?: Schema; json?: Schema; query?: readonly string[] }?][] = [
  ["POST /2010-04-01/Accounts/{accountSid}/Messages.json", "twilio", { form: twilioForm }],
  ["GET /2010-04-01/Accounts/{accountSid}/Messages.json", "twilio", { query: twilioQuery }],
  ["GET /2010-04-01/Accounts/{accountSid}/Messages/{sid}.json", "twilio"],
  ["POST /2010-04-01/Accounts/{accountSid}/Messages/{sid}.json", "twilio", { form: twilioForm }],
  ["DELETE /2010-04-01/Accounts/{accountSid}/Messages/{sid}.json", "twilio"],
  ["GET /2010-04-01/{anything}", "twilio"],
  ["POST /carrier-reports/{secret}", "ours", { json: report }],
  ["POST /api/carrier-reports/{secret}", "ours", { form: report }],
  ["GET /o/{code}", "page"],
  ["POST /o/{code}", "page", { form: { type: "object", properties: { wish: { enum: ["stop", "undo"] } } } }],
  ["GET /l/{code}", "page"],
  ["GET /healthz", "ours"],
  ["GET /readyz", "ours"],
  ["GET /metrics", "ours"],
  ["GET /mailbox", "page", { query: ["to", "id"] }],
  ["GET /status", "page"],
  ["GET /status.json", "ours"],
  ["GET /docs", "page"],
  ["GET /api/openapi.json", "ours"],
  ["GET /api/v1/openapi.json", "ours"],
  ["GET /.well-known/security.txt", "page"],
  ["GET /robots.txt", "page"],
  ["GET /manifest.webmanifest", "page"],
  ["GET /sitemap.xml", "page"],
  ["GET /assets/{file}", "page"],
  ["GET /{anything}", "page"],
];

/**
 * @throws Error when the contract has a call that is in neither list: nobody would try it.
 */
export function listCalls(openApi: OpenApi): FuzzedCall[] {
  const described = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => readOperation(method.toUpperCase(), path, operation)),
  );
  const calls = [...described, ...others.map(readOther), ...Object.values(pagePaths).map(readPage)];
  const known = new Set(calls.map(({ method, path }) => `${method} ${path}`));
  const missing = contractCalls().filter((call) => !known.has(call));
  if (missing.length > 0) throw new Error(`The contract has calls that nobody describes: ${missing.join(", ")}`);
  return calls;
}

/** Every call of the contract as `METHOD /path/{id}`. */
function contractCalls(): string[] {
  const groups = Object.entries(contract).filter(([name]) => name.endsWith("Routes"));
  return groups.flatMap(([, group]) =>
    Object.values(group as Record<string, { method?: string; url?: string }>).flatMap(({ method, url }) =>
      method === undefined || url === undefined ? [] : [`${method} ${url.replaceAll(/:(\w+)/g, "{$1}")}`],
    ),
  );
}

function readOperation(
  method: string,
  path: string,
  { parameters = [], requestBody, responses }: Operation,
): FuzzedCall {
  const body = requestBody?.content?.[JSON_TYPE]?.schema;
  const answers = Object.fromEntries(
    Object.entries(responses).map(([status, { content }]) => [status, content?.[JSON_TYPE]?.schema]),
  );
  return {
    method,
    path,
    manner: "ours",
    parameters,
    answers,
    ...(body !== undefined && { body, bodyType: JSON_TYPE }),
  };
}

function readOther([call, manner, { form, json, query = [] } = {}]: (typeof others)[number]): FuzzedCall {
  const [method = "", path = ""] = call.split(" ");
  const inQuery = query.map((name): Parameter => ({ name, in: "query", required: false, schema: text }));
  const body = form ?? json;
  return {
    method,
    path,
    manner,
    parameters: [...pathParameters(path), ...inQuery],
    ...(body !== undefined && { body, bodyType: form === undefined ? JSON_TYPE : FORM_TYPE }),
  };
}

function readPage(address: string): FuzzedCall {
  const path = address.replaceAll(/:(\w+)/g, "{$1}");
  return { method: "GET", path, manner: "page", parameters: pathParameters(path) };
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({ name, in: "path", required: true, schema: text }));
}
