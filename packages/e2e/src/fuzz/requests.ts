/** One request of a run: a valid one, or one with faults. What is drawn is the seed's; ids and keys are those of the installation. */
import { SeededRandom } from "../faults/plan.ts";
import type { FuzzedCall, Parameter } from "./calls.ts";
import type { Person } from "./people.ts";
import { isRecord, makeUuid, makeValue, spoil, type Known } from "./values.ts";

export type FuzzRequest = {
  index: number;
  call: FuzzedCall;
  /** Whose credentials it bears; undefined when it bears none, or broken ones. */
  person: Person | undefined;
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer | undefined;
  /** Announces more than it sends, and ends. */
  isTruncated: boolean;
  /** What was done to it, for whoever reads the finding. */
  faults: string[];
};

/** What the generator knows of the installation. */
export type World = {
  calls: readonly FuzzedCall[];
  /** Who may be meant to make a call, best first. */
  peopleFor: (call: FuzzedCall) => readonly Person[];
  everybody: readonly Person[];
  /** Ids that answers named, best those that a parameter of this name means. */
  findId: (name: string, random: SeededRandom) => string | undefined;
  /** Ids of the account that nobody here may see anything of. */
  foreignIds: readonly string[];
};

const VALID_IN_FIVE = 2;
/** Whoever may do everything gets furthest. */
const BEST_IN_FIVE = 3;
const FAULTS_MAX = 3;
const MIXED_BITS = 0x9e37_79b1;

export function makeRequest(world: World, seed: number, index: number): FuzzRequest {
  const random = new SeededRandom((seed + Math.imul(index + 1, MIXED_BITS)) >>> 0);
  const drawn = random.pick(world.calls);
  // A document of a page is the same bytes for everybody; most of the run is for calls.
  const call = drawn.manner === "page" ? random.pick(world.calls) : drawn;
  const [best, ...others] = world.peopleFor(call);
  const meant = best !== undefined && random.below(5) < BEST_IN_FIVE ? [best] : [...others, best ?? world.everybody[0]];
  const person = random.below(10) === 0 ? random.pick(world.everybody) : (random.pick(meant) as Person);
  const draft = new Draft(world, call, person, random);
  const isValid = random.below(5) < VALID_IN_FIVE;
  const made = draft.make();
  if (!isValid)
    for (let left = random.between(1, FAULTS_MAX); left > 0; left -= 1) random.pick(faultKinds)(made, random, world);
  return { index, ...made };
}

type Made = Omit<FuzzRequest, "index">;

const numbers = ["2348030000001", "08030000002", "2348030000003,2348030000004", "+447911123456", "2348030009901"];
const words: Readonly<Record<string, readonly unknown[]>> = {
  senderName: ["SHOP", "SHOP", "OTHER"],
  message: ["Your order is ready", "Pay {{name}} now", "é € 😀", "x".repeat(400)],
  text: ["Your order is ready", "Hello"],
  code: ["234", "234", "44"],
  phoneNo: numbers,
  to: numbers,
  To: ["+2348030000001", "+447911123456"],
  From: ["SHOP"],
  Body: ["Hello", "x".repeat(300)],
  units: [1, 10, 1_000, "1,000"],
  password: ["a-long-enough-secret", "secret1"],
  limit: ["1", "100"],
  search: ["a", "shop", "%"],
  host: ["127.0.0.1", "nobody.invalid"],
  port: [9],
  url: ["http://127.0.0.1:9/hook"],
  format: ["csv", "jsonl", "xlsx"],
};

class Draft {
  readonly #world: World;
  readonly #call: FuzzedCall;
  readonly #person: Person;
  readonly #random: SeededRandom;

  constructor(world: World, call: FuzzedCall, person: Person, random: SeededRandom) {
    this.#world = world;
    this.#call = call;
    this.#person = person;
    this.#random = random;
  }

  make(): Made {
    const { method, path, parameters, body, bodyType } = this.#call;
    const query = this.#inPlace("query").map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    );
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((known) => known.in === "path" && known.name === name);
      return encodeURIComponent(this.#textOf(name, parameter));
    });
    const headers = this.#inPlace("header").map(([name, value]): [string, string] => [name, headerText(value)]);
    const value = body === undefined ? undefined : makeValue(body, "", this.#random, this.#known);
    if (value !== undefined) headers.push(["content-type", bodyType ?? "application/json"]);
    return {
      call: this.#call,
      person: this.#person,
      method,
      path: query.length === 0 ? address : `${address}?${query.join("&")}`,
      headers: [...Object.entries(this.#person.headers), ...headers],
      body: value === undefined ? undefined : writeBody(value, bodyType),
      isTruncated: false,
      faults: [],
    };
  }

  #inPlace(place: "query" | "header"): [string, string][] {
    return this.#call.parameters
      .filter((parameter) => parameter.in === place && (parameter.required || this.#random.below(4) === 0))
      .map((parameter) => [parameter.name, this.#textOf(parameter.name, parameter)]);
  }

  #textOf(name: string, parameter: Parameter | undefined): string {
    const value = makeValue(parameter?.schema ?? { type: "string" }, name, this.#random, this.#known);
    return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
  }

  readonly #known: Known = (name, random) => {
    const own = this.#person.ids[name];
    if (own !== undefined) return random.below(8) === 0 ? (this.#world.findId("", random) ?? own) : own;
    const known = words[name];
    if (known !== undefined) return random.pick(known);
    if (name === "email") return this.#person.email;
    return /I[dD]$|^id$|^sid$/.test(name) ? this.#world.findId(name, random) : undefined;
  };
}

function writeBody(value: unknown, bodyType: FuzzedCall["bodyType"]): Buffer {
  if (bodyType !== "application/x-www-form-urlencoded") return Buffer.from(JSON.stringify(value));
  const pairs = Object.entries(value as Record<string, unknown>).map(([name, part]): [string, string] => [
    name,
    String(part),
  ]);
  return Buffer.from(new URLSearchParams(pairs).toString());
}

/** A header's text is of visible ASCII, or the client refuses to write it. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?").slice(0, 8_000);
}

type FaultMaker = (made: Made, random: SeededRandom, world: World) => void;

function readJson({ body, faults }: Made): unknown {
  // What is deeply nested can be read, and not written.
  if (faults.includes("broken text")) return {};
  try {
    return body === undefined ? {} : JSON.parse(body.toString());
  } catch {
    return {};
  }
}

function setHeader(made: Made, name: string, value: string): void {
  made.headers = [...made.headers.filter(([known]) => known !== name), [name, value]];
}

function hasBody({ method, body }: Made): boolean {
  return body !== undefined || ["POST", "PATCH", "DELETE", "PUT"].includes(method);
}

/** A body of JSON with something wrong in the text itself. */
const brokenTexts: readonly ((text: string, random: SeededRandom) => string | Buffer)[] = [
  (text, random) => text.slice(0, random.below(Math.max(1, text.length))),
  (text) => text.replace(/^\{/, '{"email":"twice@gmail.com","message":"twice",'),
  (text) => text.replace(/^\{/, '{"__proto__":{"isAdmin":true},'),
  (text) => text.replace(/^\{/, '{"constructor":{"prototype":{"isAdmin":true}},'),
  () => "[".repeat(30_000),
  () => `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`,
  () => "",
  () => "null",
  () => '"text"',
  () => "[]",
  () => "[1,2",
  (text) => `\uFEFF${text}`,
  (text) => Buffer.concat([Buffer.from([0xff, 0xfe, 0xc3, 0x28]), Buffer.from(text)]),
  (text) => Buffer.from(text, "utf16le"),
  (text) => text.replace(/"/, "\u0000"),
  (text) => `${text}{}`,
  (text) => text.replace(/:\s*"/, ':"\\ud800'),
  (text) => text.replace(/:\s*[^,}]+/, ":1e999"),
  () => "x".repeat(200_000),
];

const types = [
  "text/plain",
  "text/xml",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json;",
  "application/jsonx",
  "",
  'a/b; c="',
  "application/vnd.api+json",
];

const oddHeaders: readonly [string, string][] = [
  ["authorization", "Bearer eyJhbGciOiJub25lIn0.eyJpZCI6IjEifQ."],
  ["authorization", `Bearer ${"a".repeat(6_000)}`],
  ["authorization", "Basic Og=="],
  ["authorization", "Bearer "],
  ["cookie", "__Host-ewebal=%%%; ewebal=; a"],
  ["cookie", `ewebal_session=${"x".repeat(3_000)}`],
  ["x-forwarded-for", "127.0.0.1, ::1, <script>"],
  ["x-forwarded-host", "evil.invalid"],
  ["forwarded", "for=127.0.0.1;host=evil.invalid"],
  ["host", "evil.invalid"],
  ["origin", "https://evil.invalid"],
  ["origin", "null"],
  ["idempotency-key", "k".repeat(300)],
  ["idempotency-key", "same-key-for-all"],
  ["idempotency-key", "\xe9\xff"],
  ["if-match", '"x", W/"y"'],
  ["if-none-match", "*"],
  ["range", "bytes=0-,5-1,-1"],
  ["accept", "text/html;q=0.00001,*/*;q=2"],
  ["accept-encoding", "br;q=1.0, gzip;q=9, identity;q=0"],
  ["accept-language", "x".repeat(2_000)],
  ["content-encoding", "gzip"],
  ["content-encoding", "br"],
  ["expect", "100-continue"],
  ["upgrade", "websocket"],
  ["x-second-factor", "000000"],
  ["x-api-key", "ek_live_nothing"],
  ["x-paystack-signature", "00"],
  ["x-http-method-override", "DELETE"],
  ["traceparent", "00-zz-zz-zz"],
  ["last-event-id", "9".repeat(100)],
  ["user-agent", ""],
  ["user-agent", "\xff\xfe'\"><script>"],
];

const pathTricks: readonly ((path: string, random: SeededRandom) => string)[] = [
  (path) => path.replace(/[^/]+$/, "%00"),
  (path) => path.replace(/[^/]+$/, "..%2f..%2fetc%2fpasswd"),
  (path) => `/..${path}`,
  (path) => path.replace("/api/", "/api/./../api/"),
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[^/]+$/, "%zz"),
  (path) => path.replace(/[^/]+$/, "%ff%fe"),
  (path) => path.replace(/[^/]+$/, "x".repeat(5_000)),
  (path) => `${path};jsessionid=1`,
  (path) => `${path}%20`,
  (path) => path.replace(/[^/?]+$/, "%E2%80%AE%F0%9F%98%80"),
  (path) => path.replace(/[^/?]+$/, "__proto__"),
  (path) => path.replace(/[^/?]+$/, "%27%20or%201=1--"),
];

const queries = [
  "limit=-1",
  "limit=1e9",
  "limit=1&limit=2",
  "after=AAAA",
  "after=%00",
  "after=eyJhIjoxfQ",
  "after=' or 1=1",
  "__proto__[x]=1",
  "a[b][c]=1",
  "from=2026-13-01&to=x",
  "from=9999-12-31&to=0001-01-01",
  "search=%25%25%25",
  "search=%00",
  `search=${"a".repeat(4_000)}`,
  "state=nothing",
  "format=exe",
  "%zz=1",
  "&&&=&",
];

const faultKinds: readonly FaultMaker[] = [
  (made, random) => {
    if (!hasBody(made)) return;
    made.body = Buffer.from(JSON.stringify(spoil(readJson(made), random)));
    made.faults.push("spoilt field");
  },
  (made, random) => {
    if (!hasBody(made)) return;
    made.body = Buffer.from(JSON.stringify(spoil(readJson(made), random)));
    made.faults.push("spoilt field");
  },
  (made, random) => {
    if (!hasBody(made)) return;
    const text = made.body?.toString() ?? "{}";
    made.body = Buffer.from(random.pick(brokenTexts)(text, random) as string);
    setHeader(made, "content-type", "application/json");
    made.faults.push("broken text");
  },
  (made, random) => {
    if (!hasBody(made)) return;
    setHeader(made, "content-type", random.pick(types));
    made.body ??= Buffer.from("a=b");
    made.faults.push("other content type");
  },
  (made, random) => {
    if (!hasBody(made)) return;
    made.body = multipart(random, readJson(made));
    setHeader(made, "content-type", "multipart/form-data; boundary=fuzz");
    made.faults.push("multipart");
  },
  (made, random) => {
    if (made.body === undefined || random.below(4) > 0) return;
    made.isTruncated = true;
    made.faults.push("truncated body");
  },
  (made, random) => {
    const [name, value] = random.pick(oddHeaders);
    setHeader(made, name, value);
    if (name === "authorization") made.person = undefined;
    made.faults.push(`header ${name}`);
  },
  (made, random) => {
    const [address = "", query] = made.path.split("?");
    const odd = random.pick(pathTricks)(address, random);
    made.path = query === undefined ? odd : `${odd}?${query}`;
    made.faults.push("odd path");
  },
  (made, random) => {
    made.path += `${made.path.includes("?") ? "&" : "?"}${random.pick(queries).replaceAll(" ", "%20")}`;
    made.faults.push("odd query");
  },
  (made, random, world) => {
    const ids = [...made.path.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id);
    if (ids.length === 0) return;
    const others = made.person?.kind === "admin" ? [makeUuid(random)] : [...world.foreignIds, makeUuid(random)];
    made.path = made.path.replace(random.pick(ids), random.pick(others));
    made.faults.push("another's id");
  },
  (made, random, world) => {
    const other = random.pick(world.everybody);
    const names = new Set(Object.keys(made.person?.headers ?? {}));
    made.headers = [...made.headers.filter(([name]) => !names.has(name)), ...Object.entries(other.headers)];
    made.person = other;
    made.faults.push(`as ${other.name}`);
  },
  (made, random) => {
    made.method = random.pick(["PUT", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "GET", "POST", "PATCH", "DELETE"]);
    made.faults.push(`method ${made.method}`);
  },
];

function multipart(random: SeededRandom, fields: unknown): Buffer {
  const parts = Object.entries(isRecord(fields) ? fields : {}).map(
    ([name, value]) =>
      `--fuzz\r\ncontent-disposition: form-data; name="${encodeURIComponent(name)}"\r\n\r\n${JSON.stringify(value)}\r\n`,
  );
  const [type, name, content] = random.pick([
    ["text/csv", "numbers.csv", "name,phone\nAda,08030000001\n"],
    ["text/csv", "../../evil.csv", "a\u0000b\n"],
    ["image/png", "receipt.png", "\x89PNG\r\n\x1a\nnothing"],
    ["image/png", "receipt.png", "<svg onload=alert(1)>"],
    ["application/pdf", "r.pdf", "%PDF-1.7\n%%EOF"],
    ["application/zip", "book.xlsx", "PK\u0003\u0004nothing"],
    ["text/vcard", "c.vcf", "BEGIN:VCARD\nTEL:08030000001\nEND:VCARD\n"],
  ] as const);
  const file = `--fuzz\r\ncontent-disposition: form-data; name="${random.pick(["file", "image", "receipt", "x"])}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
  const end = random.below(4) === 0 ? "" : "\r\n--fuzz--\r\n";
  return Buffer.concat([
    Buffer.from(parts.join("")),
    Buffer.from(file),
    Buffer.from(content, "latin1"),
    Buffer.from(end),
  ]);
}
