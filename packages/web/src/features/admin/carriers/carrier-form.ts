/**
 * The form of a carrier: its values, and the fields that are sent. The server's schema decides; these rules give early
 * hints.
 */
import type { CarrierFields, SmppCarrierAnswer } from "@ewebal/contract";
import { messageClasses } from "@ewebal/contract/rules";

export type CarrierValues = {
  name: string;
  host: string;
  port: string;
  systemId: string;
  password: string;
  systemType: string;
  /** Empty until somebody chooses: see `encryptionOf`. */
  tls: string;
  binds: string;
  window: string;
  messagesPerSecond: string;
  prefixes: string;
  weight: string;
  priority: string;
  receiptIds: string;
  longMessages: string;
  dndErrorCodes: string;
  /** `both`, or the one class that it takes. */
  classes: string;
  /** `on` or `off`. */
  reachesDnd: string;
} & Record<string, string>;

const newCarrier: CarrierValues = {
  name: "",
  host: "",
  port: "2775",
  systemId: "",
  password: "",
  systemType: "",
  tls: "",
  binds: "1",
  window: "10",
  messagesPerSecond: "100",
  prefixes: "",
  weight: "1",
  priority: "0",
  receiptIds: "asIs",
  longMessages: "udh8",
  dndErrorCodes: "",
  classes: "both",
  reachesDnd: "off",
};

/** What was chosen; otherwise TLS for every carrier that is not on the server's own machine. */
export function encryptionOf({ tls, host }: Pick<CarrierValues, "tls" | "host">): string {
  if (tls !== "") return tls;
  return /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/i.test(host.trim()) ? "off" : "on";
}

/** @param carrier undefined when adding one. The server never sends the password. */
export function valuesOf(carrier: SmppCarrierAnswer | undefined): CarrierValues {
  if (carrier === undefined) return newCarrier;
  return {
    name: carrier.name,
    host: carrier.host,
    port: String(carrier.port),
    systemId: carrier.systemId,
    password: "",
    systemType: carrier.systemType,
    tls: carrier.tls ? "on" : "off",
    binds: String(carrier.binds),
    window: String(carrier.window),
    messagesPerSecond: String(carrier.messagesPerSecond),
    prefixes: carrier.prefixes.join(", "),
    weight: String(carrier.weight),
    priority: String(carrier.priority),
    receiptIds: carrier.receiptIds,
    longMessages: carrier.longMessages,
    dndErrorCodes: carrier.dndErrorCodes.join(", "),
    classes: carrier.classes.length === 1 ? (carrier.classes[0] ?? "both") : "both",
    reachesDnd: carrier.reachesDnd ? "on" : "off",
  };
}

export function fieldsOf(values: CarrierValues): CarrierFields {
  return {
    ...placeOf(values),
    binds: Number(values.binds),
    window: Number(values.window),
    messagesPerSecond: Number(values.messagesPerSecond),
    prefixes: splitList(values.prefixes),
    weight: Number(values.weight),
    priority: Number(values.priority),
    receiptIds: values.receiptIds as CarrierFields["receiptIds"],
    longMessages: values.longMessages as CarrierFields["longMessages"],
    dndErrorCodes: splitList(values.dndErrorCodes),
    classes: messageClasses.filter((each) => values.classes === "both" || values.classes === each),
    reachesDnd: values.reachesDnd === "on",
  };
}

/** What a test of the connection needs. */
export function placeOf(
  values: CarrierValues,
): Pick<CarrierFields, "host" | "port" | "systemId" | "password" | "systemType" | "tls"> {
  const { host, port, systemId, password, systemType } = values;
  return {
    host: host.trim(),
    port: Number(port),
    systemId: systemId.trim(),
    password,
    systemType: systemType.trim(),
    tls: encryptionOf(values) === "on",
  };
}

/** A changed address needs the password again: the server does not send the stored one to another address. */
export function needsPassword(values: CarrierValues, carrier: SmppCarrierAnswer | undefined): boolean {
  if (carrier === undefined || carrier.isLocked) return true;
  const place = placeOf(values);
  return (
    place.host !== carrier.host ||
    place.port !== carrier.port ||
    place.systemId !== carrier.systemId ||
    place.tls !== carrier.tls
  );
}

/** The missing parts, in words for "Still needed: ...". */
export function findMissingForTest(values: CarrierValues, carrier: SmppCarrierAnswer | undefined): string[] {
  return [
    values.host.trim() === "" && "host",
    !/^[0-9]{1,5}$/.test(values.port) && "port",
    values.systemId.trim() === "" && "system id",
    values.password === "" && needsPassword(values, carrier) && "password",
  ].filter((word) => word !== false);
}

export function findMissingForCarrier(values: CarrierValues, carrier: SmppCarrierAnswer | undefined): string[] {
  const isNumber = (text: string): boolean => /^[0-9]+(?:\.[0-9]+)?$/.test(text);
  return [
    values.name.trim() === "" && "name",
    ...findMissingForTest(values, carrier),
    !isNumber(values.messagesPerSecond) && "messages a second",
    !isNumber(values.binds) && "binds",
    !isNumber(values.window) && "window",
    splitList(values.prefixes).some((prefix) => !/^[0-9]{1,15}$/.test(prefix)) && "prefixes in digits",
    !isNumber(values.weight) && "weight",
    !isNumber(values.priority) && "priority",
  ].filter((word) => word !== false);
}

export function splitList(text: string): string[] {
  return text.split(/[,;\s]+/).filter((part) => part !== "");
}
