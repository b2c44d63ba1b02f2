/** The form of a carrier over HTTP: its values, and the fields that are sent. The server decides; these rules give early hints. */
import type {
  AddHttpCarrierBody,
  HttpCarrierAnswer,
  HttpCarrierFields,
  HttpLinkFields,
  HttpPresetName,
} from "@ewebal/contract";
import { httpPresets, messageClasses } from "@ewebal/contract/rules";
import { splitList } from "./carrier-form.ts";

export type HttpCarrierValues = {
  name: string;
  /** `other`: described by `definition`. */
  preset: string;
  url: string;
  username: string;
  apiKey: string;
  secretKey: string;
  channel: string;
  /** JSON. */
  definition: string;
  reportSecret: string;
  window: string;
  messagesPerSecond: string;
  prefixes: string;
  weight: string;
  priority: string;
  classes: string;
  reachesDnd: string;
  to: string;
  from: string;
  text: string;
} & Record<string, string>;

/** Shown in an empty form: every part that a carrier may need, with a provider that nobody has. */
export const EXAMPLE_DEFINITION = JSON.stringify(
  {
    url: "https://api.provider.example/messages",
    headers: { Authorization: "Bearer {{apiKey}}" },
    secrets: { apiKey: "..." },
    body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","reference":"{{id}}"}',
    success: { status: 200, path: "status", equals: "accepted" },
    idPath: "id",
    errors: [{ match: 429, meaning: "throttled" }],
    report: { idPath: "id", statePath: "status", toPath: "to", states: { delivered: "delivered", failed: "failed" } },
  },
  null,
  2,
);

/** @param carrier undefined when adding one. The server never sends what it is spoken to with. */
export function httpValuesOf(carrier: HttpCarrierAnswer | undefined): HttpCarrierValues {
  const facts = carrier ?? newCarrier;
  return {
    name: carrier?.name ?? "",
    preset: carrier === undefined ? "termii" : (carrier.preset ?? "other"),
    url: "",
    username: "",
    apiKey: "",
    secretKey: "",
    channel: "",
    definition: carrier === undefined ? EXAMPLE_DEFINITION : "",
    reportSecret: carrier === undefined ? newReportSecret() : "",
    window: String(facts.window),
    messagesPerSecond: String(facts.messagesPerSecond),
    prefixes: facts.prefixes.join(", "),
    weight: String(facts.weight),
    priority: String(facts.priority),
    classes: facts.classes.length === 1 ? (facts.classes[0] ?? "both") : "both",
    reachesDnd: facts.reachesDnd ? "on" : "off",
    to: "",
    from: "",
    text: "Test of this carrier",
  };
}

const newCarrier = {
  window: 10,
  messagesPerSecond: 20,
  prefixes: [],
  weight: 1,
  priority: 0,
  classes: [...messageClasses],
  reachesDnd: false,
};

/** Nobody guesses it: 32 hexadecimal digits at random. */
export function newReportSecret(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function presetOf(values: Pick<HttpCarrierValues, "preset">): HttpPresetName | undefined {
  return values.preset === "other" ? undefined : (values.preset as HttpPresetName);
}

/** How the carrier is spoken to; what is left empty stays as it is stored. */
export function linkOf(values: HttpCarrierValues): HttpLinkFields {
  const report = values.reportSecret === "" ? {} : { path: values.reportSecret };
  const preset = presetOf(values);
  if (preset === undefined) {
    const definition = readDefinition(values.definition) ?? {};
    return definition.report === undefined
      ? definition
      : { ...definition, report: { ...definition.report, ...report } };
  }
  const named = [...httpPresets[preset].asks.map(({ name }) => name), ...(preset === "termii" ? ["channel"] : [])];
  const secrets = Object.fromEntries(
    named.map((name) => [name, values[name]?.trim() ?? ""]).filter(([, text]) => text !== ""),
  );
  return {
    preset,
    ...(values.url.trim() !== "" && { url: values.url.trim() }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(values.reportSecret !== "" && { report }),
  };
}

export function httpFieldsOf(values: HttpCarrierValues): HttpCarrierFields {
  return {
    kind: "http",
    ...linkOf(values),
    window: Number(values.window),
    messagesPerSecond: Number(values.messagesPerSecond),
    prefixes: splitList(values.prefixes),
    weight: Number(values.weight),
    priority: Number(values.priority),
    classes: messageClasses.filter((each) => values.classes === "both" || values.classes === each),
    reachesDnd: values.reachesDnd === "on",
  };
}

export function newHttpCarrierOf(values: HttpCarrierValues): AddHttpCarrierBody {
  return { ...httpFieldsOf(values), name: values.name };
}

/** The missing parts, in words for "Still needed: ...". */
export function findMissingForLink(values: HttpCarrierValues, carrier: HttpCarrierAnswer | undefined): string[] {
  const keeps = carrier !== undefined && !carrier.isLocked && (carrier.preset ?? "other") === values.preset;
  const preset = presetOf(values);
  if (preset === undefined) {
    const isMissing = values.definition.trim() === "" ? !keeps : readDefinition(values.definition) === undefined;
    return isMissing ? ["definition in JSON"] : [];
  }
  const { asks, origin } = httpPresets[preset];
  if (keeps) return [];
  return [
    ...(origin === undefined && values.url.trim() === "" ? ["address"] : []),
    ...asks
      .filter(({ name, isOptional }) => isOptional !== true && values[name]?.trim() === "")
      .map(({ label }) => label.replace(/^U/, "u")),
  ];
}

export function findMissingForHttp(values: HttpCarrierValues, carrier: HttpCarrierAnswer | undefined): string[] {
  const isNumber = (text: string): boolean => /^[0-9]+(?:\.[0-9]+)?$/.test(text);
  return [
    values.name.trim() === "" && "name",
    ...findMissingForLink(values, carrier),
    !isNumber(values.messagesPerSecond) && "messages a second",
    !isNumber(values.window) && "window",
    splitList(values.prefixes).some((prefix) => !/^[0-9]{1,15}$/.test(prefix)) && "prefixes in digits",
    !isNumber(values.weight) && "weight",
    !isNumber(values.priority) && "priority",
  ].filter((word) => word !== false);
}

export function findMissingForHttpTest(values: HttpCarrierValues, carrier: HttpCarrierAnswer | undefined): string[] {
  return [
    ...findMissingForLink(values, carrier),
    !/^[0-9]{7,15}$/.test(values.to) && "number with country code",
    values.from.trim() === "" && "sender name",
    values.text.trim() === "" && "text",
  ].filter((word) => word !== false);
}

function readDefinition(text: string): HttpLinkFields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // It is being typed.
    return undefined;
  }
}
