/** Values for a schema, and values that no schema wants; each drawn from a seed. */
import { sample, stringMatching } from "fast-check";
import type { SeededRandom } from "../faults/plan.ts";
import type { Schema } from "./calls.ts";

/** What a field means that its schema does not say, by the name of the field. */
export type Known = (name: string, random: SeededRandom) => unknown;

const DEPTH_MAX = 8;
const ITEMS_MAX = 3;
const TEXTS_KEPT = 12;
const PROPERTY_IN = 3;

/** @param name of the field that the value is for. */
export function makeValue(schema: Schema, name: string, random: SeededRandom, known: Known, depth = 0): unknown {
  const told = known(name, random);
  if (told !== undefined && fitsType(told, schema) && random.below(5) > 0) return told;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice !== undefined) return makeValue(random.pick(choice), name, random, known, depth);
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((part) => makeValue(part, name, random, known, depth));
    return parts.every(isRecord) ? Object.assign({}, ...parts) : parts[0];
  }
  const type = typeof schema.type === "object" ? random.pick(schema.type) : schema.type;
  // A schema without a type takes anything.
  switch (type ?? "any") {
    case "object":
      return makeObject(schema, random, known, depth);
    case "array":
      return makeArray(schema, name, random, known, depth);
    case "integer":
    case "number":
      return makeNumber(schema, random, type === "integer");
    case "boolean":
      return random.below(2) === 0;
    case "null":
      return null;
    case "string":
      return makeText(schema, random);
    default:
      return random.pick(["any", 1, true, null]);
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fitsType(value: unknown, { type, enum: choices, const: only, anyOf }: Schema): boolean {
  if (choices !== undefined || only !== undefined) return false;
  if (anyOf !== undefined) return anyOf.some((schema) => fitsType(value, schema));
  const kind = Array.isArray(value) ? "array" : typeof value;
  return kind === type || (kind === "number" && type === "integer");
}

function makeObject(schema: Schema, random: SeededRandom, known: Known, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const isWanted = required.includes(name) || (depth < DEPTH_MAX && random.below(PROPERTY_IN) === 0);
    if (isWanted) made[name] = makeValue(property, name, random, known, depth + 1);
  }
  if (isRecord(additionalProperties) && depth < DEPTH_MAX)
    for (let left = random.below(ITEMS_MAX); left > 0; left -= 1)
      made[random.pick(["name", "amount", "NG", "234"])] = makeValue(
        additionalProperties,
        "",
        random,
        known,
        depth + 1,
      );
  return made;
}

function makeArray(schema: Schema, name: string, random: SeededRandom, known: Known, depth: number): unknown[] {
  if (schema.prefixItems !== undefined)
    return schema.prefixItems.map((item) => makeValue(item, name, random, known, depth + 1));
  const least = schema.minItems ?? 0;
  const count = Math.min(schema.maxItems ?? ITEMS_MAX, least + (depth < DEPTH_MAX ? random.below(ITEMS_MAX) : 0));
  return Array.from({ length: count }, () => makeValue(schema.items ?? {}, name, random, known, depth + 1));
}

function makeNumber({ minimum = 0, maximum = 1_000 }: Schema, random: SeededRandom, isWhole: boolean): number {
  const [least, most] = [Math.ceil(Math.max(minimum, -1e9)), Math.floor(Math.min(maximum, 1e9))];
  const number = random.pick([least, most, least + random.below(Math.max(1, Math.min(most - least, 1_000)))]);
  return isWhole || random.below(2) === 0 ? number : number + 0.5;
}

function makeText(schema: Schema, random: SeededRandom): string {
  const { format, pattern, minLength = 0, maxLength = 60 } = schema;
  if (format === "uuid") return makeUuid(random);
  if (format === "date-time" || format === "date") {
    const at = new Date(Date.UTC(2026, 10, 26) + random.between(-400, 400) * 86_400_000 + random.below(86_400_000));
    return format === "date" ? at.toISOString().slice(0, 10) : at.toISOString();
  }
  if (format === "email") return `fuzz${random.below(1_000)}@gmail.com`;
  if (format === "uri") return random.pick(["http://127.0.0.1:9/x", "https://nobody.invalid/y?z=1"]);
  const texts = textsOf(pattern ?? ".*");
  const made = random.pick(texts).slice(0, Math.max(minLength, Math.min(maxLength, 300)));
  return made.length >= minLength ? made : made.padEnd(Math.min(minLength, 1_000), "a1");
}

export function makeUuid(random: SeededRandom): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const textsByPattern = new Map<string, string[]>();

/** Texts that a pattern takes. What the library cannot read gets words instead. */
function textsOf(pattern: string): string[] {
  const kept = textsByPattern.get(pattern);
  if (kept !== undefined) return kept;
  let texts = ["a", "Shop", "Ada Obi", "1200", "12:30", "words and more words", "é ü ß"];
  try {
    texts = sample(stringMatching(new RegExp(pattern, "u")), { numRuns: TEXTS_KEPT, seed: 1 });
  } catch {
    // Lookaheads and classes of Unicode; the words are tried instead.
  }
  textsByPattern.set(pattern, texts);
  return texts;
}

/** Each is made anew when it is drawn: the long ones together are megabytes. */
const hostile: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => -2_147_483_649,
  () => "",
  () => " ",
  () => "\u0000",
  () => "a\u0000b",
  () => "x".repeat(10_000),
  () => "x".repeat(70_000),
  () => "😀".repeat(2_000),
  () => "\uD800",
  () => "\u202Egpj.exe\u2066",
  () => "e\u0301".repeat(500),
  () => "١٢٣٤",
  () => "1e3",
  () => "0x10",
  () => "-0",
  () => "NaN",
  () => "'; drop table app_user; --",
  () => "\\'\\\" %s %d ${7*7} {{7*7}} <%= 7*7 %>",
  () => "<img src=x onerror=alert(1)>",
  () => "../../../etc/passwd",
  () => "file:///etc/passwd",
  () => "http://127.0.0.1:1/",
  () => "http://[::1]:1/",
  () => "javascript:alert(1)",
  () => "a@gmail.com\r\nBcc: b@gmail.com",
  () => "=1+1",
  () => "2026-02-30T00:00:00Z",
  () => "0000-01-01T00:00:00Z",
  () => "9999-12-31T23:59:59Z",
  () => "2026-11-26T00:00:00+23:59",
  () => "0001-01-01",
  () => "9999-12-31",
  () => "00000000-0000-0000-0000-000000000000",
  () => "__proto__",
  () => "constructor",
  () => [],
  () => [[[[]]]],
  () => [null],
  () => {
    const list: unknown[] = [];
    for (let left = 2_000; left > 0; left -= 1) list.push(left);
    return list;
  },
  () => ({}),
  () => ({ length: 1e9 }),
  () => ({ toString: "x", valueOf: 1 }),
  () => ({ $ne: null }),
  () => "2348030000001,".repeat(300),
  () => "+2348030000001;2348030000002\n2348030000003",
  () => "{{name}}{{",
];

export function makeHostile(random: SeededRandom): unknown {
  return random.pick(hostile)();
}

/** Replaces, takes away or adds one thing somewhere in a value. */
export function spoil(value: unknown, random: SeededRandom): unknown {
  if (Array.isArray(value) && value.length > 0 && random.below(3) > 0) {
    const at = random.below(value.length);
    return value.map((item, index) => (index === at ? spoil(item, random) : (item as unknown)));
  }
  if (!isRecord(value) || random.below(8) === 0) return makeHostile(random);
  const names = Object.keys(value);
  if (names.length === 0 || random.below(6) === 0)
    return { ...value, [random.pick(["extra", "isAdmin", "role", "user_id", "units", "_id"])]: makeHostile(random) };
  const name = random.pick(names);
  const { [name]: part, ...rest } = value;
  return random.below(5) === 0 ? rest : { ...rest, [name]: spoil(part, random) };
}
