/**
 * From what was typed about an HTTP carrier to what is spoken: the preset fills what is missing, templates are cut, paths are read. What cannot be
 * spoken is told field by field, before anything is sent.
 */
import type { HttpLinkFields } from "../../schemas/admin/http-carriers.ts";
import { httpPresets } from "./http-presets.ts";
import {
  cutTemplate,
  fillTemplate,
  fixTemplate,
  formOfMediaType,
  isMessagePlace,
  type HttpTemplate,
} from "./http-template.ts";
import { parseValuePath, type ValuePath } from "./value-path.ts";

type Condition = {
  statuses: readonly number[] | undefined;
  path: ValuePath | undefined;
  equals: readonly string[] | undefined;
};

export type HttpSignature = {
  /** In lower case. */
  header: string;
  algorithm: "sha1" | "sha256" | "sha512";
  encoding: "hex" | "base64";
  key: string;
};

/** The states of a report by the carrier's words in lower case. */
export type HttpReportMapping = {
  secret: string | undefined;
  /** Without one the secret in the address alone says who reports. */
  signature: HttpSignature | undefined;
  /** Where the list of reports stands when one call brings several; its paths begin behind it then. */
  list: ValuePath | undefined;
  id: ValuePath;
  states: readonly ValuePath[];
  to: ValuePath | undefined;
  from: ValuePath | undefined;
  error: ValuePath | undefined;
  meanings: ReadonlyMap<string, ReportState>;
  /** How messages from phones look among them. */
  inbound: HttpInboundMapping | undefined;
};

/** Paths of an item, behind the list's. */
export type HttpInboundMapping = {
  from: ValuePath;
  to: ValuePath;
  text: ValuePath;
  when: { path: ValuePath; equals: string } | undefined;
};

/** What a carrier over HTTP is spoken to with. Secrets are in its templates: it is never logged or shown. */
export type HttpLink = {
  method: "POST" | "PUT" | "GET";
  url: HttpTemplate;
  headers: readonly { name: string; value: HttpTemplate }[];
  body: { template: HttpTemplate; form: "json" | "form" | "xml" } | undefined;
  success: Condition;
  idPath: ValuePath | undefined;
  errors: readonly {
    match: Condition & { contains: string | undefined; kind: number | undefined };
    meaning: "refused" | "throttled" | "retry";
  }[];
  report: HttpReportMapping | undefined;
  timeoutMs: number;
};

export type HttpFault = { field: string; text: string };
export type ResolvedHttp = { link: HttpLink; faults: [] } | { link: undefined; faults: HttpFault[] };

const TIMEOUT_MS = 30_000;
/** The connection's own: a value of ours or of an operator would break the request, or smuggle another one into it. */
const OWN_HEADERS = new Set(
  "host connection content-length transfer-encoding upgrade te trailer expect keep-alive proxy-connection accept-encoding".split(
    " ",
  ),
);
/** Values that break a template which puts them where they cannot be escaped, such as outside of the quotes of a JSON text. */
const SAMPLE = {
  to: "2348030000001",
  from: 'A"b\\c',
  text: `a"b\\c\n&d=e{{id}}`,
  id: "01890a5d-ac96-774b-bcce-b302099a8057-0",
};

export function resolveHttpCarrier(typed: HttpLinkFields): ResolvedHttp {
  const faults: HttpFault[] = [];
  const refuse = (field: string, text: string): undefined => void faults.push({ field, text });
  const fields = fillPreset(typed, refuse);
  const secrets = fields.secrets ?? {};
  const url = readUrl(fields.url, refuse);
  const method = fields.method ?? "POST";
  const headers = readHeaders(fields.headers ?? {}, refuse);
  const body = readBody(method, fields, headers, refuse);
  const templates = [url, ...headers.map(({ value }) => value), ...(body === undefined ? [] : [body.template])];
  const named = new Set(templates.flatMap(({ names }) => names));
  for (const name of named)
    if (!isMessagePlace(name) && secrets[name] === undefined)
      refuse("secrets", `lacks ${name}, which the templates name`);
  for (const { name, value } of headers)
    if (value.names.some((place) => isMessagePlace(place) && place !== "id"))
      refuse("headers", `${name} may hold {{id}} and secrets, no text of a message`);
  for (const value of Object.entries(secrets))
    if (!/^[\x20-\x7e]*$/.test(value[1]) && headers.some((header) => header.value.names.includes(value[0])))
      refuse("secrets", `${value[0]} has characters that no header takes`);
  const spoken = [...url.names, ...(body?.template.names ?? [])];
  for (const place of ["to", "text"] as const)
    if (!spoken.includes(place)) refuse(method === "GET" ? "url" : "body", `must hold {{${place}}}`);
  if (
    body?.form === "json" &&
    faults.length === 0 &&
    !isJson(fillTemplate(body.template, "json", { ...secrets, ...SAMPLE }))
  )
    refuse("body", "is no JSON once it is filled: places stand inside quotes");
  const success = readCondition("success", fields.success ?? {}, refuse);
  const idPath = fields.idPath === undefined ? undefined : readPath("idPath", fields.idPath, refuse);
  const errors = readErrors(fields, refuse);
  const report = readReport(fields, refuse);
  if (
    report !== undefined &&
    idPath === undefined &&
    fields.idPath === undefined &&
    !spoken.includes("id") &&
    !headers.some(({ value }) => value.names.includes("id"))
  )
    refuse("idPath", "is required for reports, unless the request holds {{id}}");
  if (faults.length > 0) return { link: undefined, faults };
  const link: HttpLink = {
    method,
    url: fixTemplate(url, "address", secrets),
    headers: headers.map(({ name, value }) => ({ name, value: fixTemplate(value, "header", secrets) })),
    body: body && { form: body.form, template: fixTemplate(body.template, body.form, secrets) },
    success,
    idPath,
    errors,
    report,
    timeoutMs: fields.timeoutMs ?? TIMEOUT_MS,
  };
  return { link, faults: [] };
}

type Refuse = (field: string, text: string) => undefined;

function fillPreset(typed: HttpLinkFields, refuse: Refuse): HttpLinkFields {
  if (typed.preset === undefined) return typed;
  const { label: _label, asks: _asks, origin, path, ...preset } = httpPresets[typed.preset];
  if (typed.url === undefined && origin === undefined)
    refuse("url", "is required: this provider gives each account an address of its own");
  const own = typed.url ?? `${origin ?? "https://provider.invalid"}${path}`;
  const parsed = URL.parse(own);
  // A bare address of the provider: the call's path is the preset's to know.
  const url = parsed !== null && parsed.pathname === "/" && parsed.search === "" ? `${parsed.origin}${path}` : own;
  const report =
    typed.report === undefined ? { ...preset.report, path: undefined } : { ...preset.report, ...typed.report };
  const { success, idPath, errors, method, body } = preset;
  return {
    success,
    idPath,
    errors,
    method,
    body,
    ...typed,
    url,
    headers: mergeHeaders(preset.headers ?? {}, typed.headers ?? {}),
    secrets: { ...preset.secrets, ...typed.secrets },
    report: withoutAbsent(report),
  };
}

function withoutAbsent<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

function mergeHeaders(
  base: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(base).filter(([name]) => !names.has(name.toLowerCase()))), ...own };
}

const NO_TEMPLATE: HttpTemplate = { literals: [""], names: [] };

function readUrl(text: string | undefined, refuse: Refuse): HttpTemplate {
  if (text === undefined) {
    refuse("url", "is required");
    return NO_TEMPLATE;
  }
  const template = cutTemplate(text);
  const url = /[\s\\]/.test(template.literals.join("")) ? null : URL.parse(fillTemplate(template, "address", {}));
  if (url === null || !/^https?:\/\//i.test(text)) refuse("url", "is no address that begins with http:// or https://");
  else if (url.username !== "" || url.password !== "")
    refuse("url", "holds a user name or a password: put them into headers or secrets");
  else if (text.includes("#")) refuse("url", "holds a #, which no request carries");
  // A place before the path would let a value choose the host.
  else if (template.names.length > 0 && !/^https?:\/\/[^/?#]+[/?]/i.test(template.literals[0] ?? ""))
    refuse("url", "takes places behind the host only");
  return template;
}

function readHeaders(
  headers: Readonly<Record<string, string>>,
  refuse: Refuse,
): { name: string; value: HttpTemplate }[] {
  return Object.entries(headers).map(([name, value]) => {
    if (OWN_HEADERS.has(name.toLowerCase())) refuse("headers", `${name} is the connection's own`);
    return { name, value: cutTemplate(value) };
  });
}

function readBody(
  method: string,
  { body }: HttpLinkFields,
  headers: { name: string; value: HttpTemplate }[],
  refuse: Refuse,
): HttpLink["body"] {
  if (method === "GET")
    return body === undefined ? undefined : refuse("body", "is not sent with GET: put the places into the address");
  if (body === undefined) return undefined;
  const given = headers.find(({ name }) => name.toLowerCase() === "content-type");
  const mediaType =
    given?.value.literals.join("") ??
    (/^\s*[[{]/.test(body) ? "application/json" : "application/x-www-form-urlencoded");
  const form = formOfMediaType(mediaType);
  if (form === undefined)
    return refuse("headers", "Content-Type must be JSON, XML or application/x-www-form-urlencoded");
  if (given === undefined) headers.push({ name: "Content-Type", value: cutTemplate(mediaType) });
  return { form, template: cutTemplate(body) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readPath(field: string, text: string, refuse: Refuse, maySpread = false): ValuePath | undefined {
  const path = parseValuePath(text);
  if (path === undefined) return refuse(field, `"${text.slice(0, 40)}" is no path such as messages.0.id`);
  const spreads = path.filter((segment) => segment === "*").length;
  if (spreads > (maySpread ? 1 : 0)) return refuse(field, maySpread ? "takes one * at most" : "takes no *");
  return path;
}

type TypedCondition = { status?: number | number[] | undefined; path?: string | undefined; equals?: unknown };

function readCondition(field: string, typed: TypedCondition, refuse: Refuse): Condition {
  if (typed.equals !== undefined && typed.path === undefined) refuse(field, "equals needs a path");
  return {
    statuses: typed.status === undefined ? undefined : [typed.status].flat(),
    path: typed.path === undefined ? undefined : readPath(`${field}.path`, typed.path, refuse),
    equals: typed.equals === undefined ? undefined : [typed.equals].flat().map(String),
  };
}

function readErrors({ errors }: HttpLinkFields, refuse: Refuse): HttpLink["errors"] {
  return (errors ?? []).map(({ match, meaning }, index) => {
    const empty = { statuses: undefined, path: undefined, equals: undefined, contains: undefined, kind: undefined };
    if (typeof match === "number") return { match: { ...empty, statuses: [match] }, meaning };
    if (typeof match === "object") {
      if (Object.keys(match).length === 0) refuse(`errors.${index}.match`, "is empty");
      return { match: { ...empty, ...readCondition(`errors.${index}.match`, match, refuse) }, meaning };
    }
    if (/^[1-5][0-9]{2}$/.test(match)) return { match: { ...empty, statuses: [Number(match)] }, meaning };
    const kind = /^([1-5])xx$/i.exec(match)?.[1];
    if (kind !== undefined) return { match: { ...empty, kind: Number(kind) }, meaning };
    return { match: { ...empty, contains: match.toLowerCase() }, meaning };
  });
}

function readReport({ report, secrets = {}, preset }: HttpLinkFields, refuse: Refuse): HttpReportMapping | undefined {
  // A preset knows how reports look; without a secret none can arrive.
  if (report === undefined || (report.path === undefined && report.idPath === undefined)) return undefined;
  if (report.idPath === undefined) return refuse("report.idPath", "is required");
  if (report.statePath === undefined) return refuse("report.statePath", "is required");
  if (report.states === undefined || Object.keys(report.states).length === 0)
    return refuse("report.states", "names no state");
  const id = readPath("report.idPath", report.idPath, refuse, true);
  if (id === undefined) return undefined;
  const spread = id.indexOf("*");
  const list = spread < 0 ? undefined : id.slice(0, spread);
  const inList = (field: string, text: string | undefined): ValuePath | undefined => {
    const path = text === undefined ? undefined : readPath(`report.${field}`, text, refuse, true);
    if (path === undefined) return undefined;
    const isIn = list !== undefined && path[spread] === "*" && list.every((segment, index) => path[index] === segment);
    if (isIn !== (list !== undefined)) return refuse(`report.${field}`, "must begin as idPath does, up to its *");
    return list === undefined ? path : path.slice(spread + 1);
  };
  return {
    secret: report.path,
    signature: readSignature(report.signature, { secrets, preset }, refuse),
    list,
    id: list === undefined ? id : id.slice(spread + 1),
    states: [report.statePath].flat().flatMap((text) => {
      const path = inList("statePath", text);
      return path === undefined ? [] : [path];
    }),
    to: inList("toPath", report.toPath),
    from: inList("fromPath", report.fromPath),
    error: inList("errorPath", report.errorPath),
    meanings: readMeanings(report.states, refuse),
    inbound: report.inbound && readInbound(report.inbound, inList),
  };
}

function readInbound(
  typed: NonNullable<NonNullable<HttpLinkFields["report"]>["inbound"]>,
  inList: (field: string, text: string) => ValuePath | undefined,
): HttpInboundMapping | undefined {
  const from = inList("inbound.fromPath", typed.fromPath);
  const to = inList("inbound.toPath", typed.toPath);
  const text = inList("inbound.textPath", typed.textPath);
  const path = typed.when && inList("inbound.when.path", typed.when.path);
  if (from === undefined || to === undefined || text === undefined) return undefined;
  const when = typed.when === undefined || path === undefined ? undefined : { path, equals: typed.when.equals };
  return { from, to, text, when };
}

/** A preset knows how its provider signs: reports are checked as soon as the account's key is among the secrets. */
function readSignature(
  signature: NonNullable<HttpLinkFields["report"]>["signature"],
  { secrets, preset }: { secrets: Readonly<Record<string, string>>; preset: HttpLinkFields["preset"] },
  refuse: Refuse,
): HttpSignature | undefined {
  if (signature === undefined) return undefined;
  const { header, algorithm, encoding = "hex", secret } = signature;
  const key = secrets[secret];
  if (key !== undefined && key !== "") return { header: header.toLowerCase(), algorithm, encoding, key };
  const isOfPreset = preset !== undefined && httpPresets[preset].report.signature?.secret === secret;
  return isOfPreset ? undefined : refuse("secrets", `lacks ${secret}, which report.signature names`);
}

type ReportState = "sent" | "delivered" | "failed" | "dnd";

function readMeanings(
  states: Readonly<Record<string, string | readonly string[]>>,
  refuse: Refuse,
): Map<string, ReportState> {
  const isOurs = (word: unknown): word is ReportState =>
    word === "sent" || word === "delivered" || word === "failed" || word === "dnd";
  const meanings = new Map<string, ReportState>();
  for (const [key, value] of Object.entries(states)) {
    const words = isOurs(value) ? [key] : [value].flat();
    const meaning = isOurs(value) ? value : key;
    if (!isOurs(meaning)) {
      refuse("report.states", `"${key.slice(0, 40)}" leads to none of sent, delivered, failed and dnd`);
      continue;
    }
    for (const word of words) meanings.set(word.trim().toLowerCase(), meaning);
  }
  return meanings;
}
