/**
 * Carriers over HTTP that administrators keep. How one is spoken to is sealed as it was typed, because a key may stand in any part of it: the address,
 * a header, the body. None of it is shown again. Who edits a carrier leaves out what is to stay.
 */
import { createHash } from "node:crypto";
import {
  CARRIERS_MAX,
  resolveHttpCarrier,
  type AddHttpCarrierBody,
  type HttpCarrierFields,
  type HttpLink,
  type HttpLinkFields,
  type TestHttpCarrierBody,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../../base/deps.ts";
import { AppError, fieldError } from "../../../../base/errors.ts";
import { isUniqueViolation } from "../../../../db/sql-state.ts";
import { withTransaction, type Tx } from "../../../../db/transaction.ts";
import { isPublicHost } from "../../../../http/outbound/public-address.ts";
import { hostOf } from "../../../../base/loopback.ts";
import { openSecret, sealSecret } from "../../../../secrets/seal-secret.ts";
import { getSecretsKey, getSecretsKeys } from "../../../../secrets/secrets-key.ts";
import { finish, refuseTakenName, type Act } from "./carrier-acts.ts";
import { checkHost } from "./check-host.ts";
import { countKeptCarriers, isNameKept } from "./kept-carrier-store.ts";
import {
  deleteKeptHttpCarrier,
  insertKeptHttpCarrier,
  lockKeptHttpCarrier,
  updateKeptHttpCarrier,
  type HttpFacts,
  type KeptHttpCarrier,
} from "./kept-http-store.ts";

/** @throws AppError `VALIDATION` for what cannot be spoken, a host that no carrier has, or a name or report address that is taken. */
export async function addHttpCarrier(
  deps: Deps,
  { name, ...fields }: AddHttpCarrierBody,
  act: Act,
): Promise<{ keptCarrierId: string }> {
  refuseTakenName(deps, name);
  const typed = linkFieldsOf(fields);
  resolveOrRefuse(typed);
  const keptCarrierId = uuidv7();
  const sealedLink = sealSecret(await getSecretsKey(deps.config), keptCarrierId, JSON.stringify(typed));
  const reportSecretHash = hashOfReport(deps, typed);
  const carrier = { keptCarrierId, name, facts: factsOf(fields, typed), sealedLink, reportSecretHash, isEnabled: true };
  await translateTaken(
    withTransaction(deps.db, async (tx) => {
      if ((await countKeptCarriers(tx)) >= CARRIERS_MAX)
        throw fieldError("name", `would be one more than ${CARRIERS_MAX} carriers`);
      if (await isNameKept(tx, name)) throw fieldError("name", "is the name of another carrier");
      await insertKeptHttpCarrier(tx, carrier, deps.clock.now());
      await finish(deps, tx, { ...act, action: "add-carrier", subjectId: keptCarrierId, after: auditOf(carrier) });
    }),
  );
  return { keptCarrierId };
}

/**
 * What is left out of address, headers, secrets, body and report address stays as it is.
 *
 * @throws AppError `NOT_FOUND`; `VALIDATION` as for a new one, and where what stays would go to another host: who may edit a carrier must not
 * learn its key by that.
 */
export async function editHttpCarrier(
  deps: Deps,
  keptCarrierId: string,
  fields: HttpCarrierFields,
  act: Act,
): Promise<void> {
  const [key, keys] = [await getSecretsKey(deps.config), await getSecretsKeys(deps.config)];
  await translateTaken(
    withTransaction(deps.db, async (tx) => {
      const before = await lock(tx, keptCarrierId);
      const typed = mergeTyped(openTyped(before, keys), linkFieldsOf(fields));
      resolveOrRefuse(typed);
      const sealedLink = sealSecret(key, keptCarrierId, JSON.stringify(typed));
      const after = {
        ...before,
        facts: factsOf(fields, typed),
        sealedLink,
        reportSecretHash: hashOfReport(deps, typed),
      };
      await updateKeptHttpCarrier(tx, after, deps.clock.now());
      await finish(deps, tx, {
        ...act,
        action: "edit-carrier",
        subjectId: keptCarrierId,
        before: auditOf(before),
        after: { ...auditOf(after), ...(fields.secrets !== undefined && { secrets: "changed" }) },
      });
    }),
  );
}

/** @returns undefined where no carrier over HTTP has this id. @throws AppError `STATE_CONFLICT` when it has this state already. */
export async function switchHttpCarrier(
  deps: Deps,
  tx: Tx,
  keptCarrierId: string,
  isEnabled: boolean,
): Promise<{ name: string } | undefined> {
  const before = await lockKeptHttpCarrier(tx, keptCarrierId);
  if (before === undefined) return undefined;
  if (before.isEnabled === isEnabled)
    throw new AppError("STATE_CONFLICT", { message: `The carrier is ${isEnabled ? "on" : "off"} already` });
  await updateKeptHttpCarrier(tx, { ...before, isEnabled }, deps.clock.now());
  return before;
}

/** @returns what was removed, for the audit; undefined where no carrier over HTTP has this id. */
export async function removeHttpCarrier(tx: Tx, keptCarrierId: string): Promise<Record<string, unknown> | undefined> {
  const before = await lockKeptHttpCarrier(tx, keptCarrierId);
  if (before === undefined) return undefined;
  await deleteKeptHttpCarrier(tx, keptCarrierId);
  return auditOf(before);
}

/**
 * The link of a test: what was typed, and what is stored for what was left out. Recorded, because it sends a message.
 *
 * @throws AppError as `editHttpCarrier`.
 */
export async function prepareHttpTest(deps: Deps, body: TestHttpCarrierBody, act: Act): Promise<HttpLink> {
  const { carrierId, to, from: _from, text: _text, ...fields } = body;
  const keys = await getSecretsKeys(deps.config);
  return await withTransaction(deps.db, async (tx) => {
    const stored = carrierId === undefined ? undefined : openTyped(await lock(tx, carrierId), keys);
    const typed = stored === undefined ? linkFieldsOf(fields) : mergeTyped(stored, linkFieldsOf(fields));
    const link = resolveOrRefuse(typed);
    const after = { address: addressOf(link), to };
    await deps.recordAudit(tx, { ...act, action: "test-carrier", subjectId: carrierId ?? act.adminId, after });
    return link;
  });
}

/** @returns undefined for one that this installation's keys do not open, or that cannot be spoken any more. */
export function openHttpLink(carrier: KeptHttpCarrier, keys: readonly Buffer[]): HttpLink | undefined {
  const text = openSecret(keys, carrier.keptCarrierId, carrier.sealedLink);
  return text === undefined ? undefined : resolveHttpCarrier(JSON.parse(text) as HttpLinkFields).link;
}

export function hashOfSecret(secret: string): Buffer {
  return createHash("sha256").update("carrier report ").update(secret).digest();
}

function openTyped(carrier: KeptHttpCarrier, keys: readonly Buffer[]): HttpLinkFields {
  const text = openSecret(keys, carrier.keptCarrierId, carrier.sealedLink);
  // Nothing to keep: whoever edits it types all of it again.
  return text === undefined ? {} : (JSON.parse(text) as HttpLinkFields);
}

function linkFieldsOf(fields: HttpLinkFields): HttpLinkFields {
  const { preset, url, method, headers, secrets, body, success, idPath, errors, report, timeoutMs } = fields;
  const all = { preset, url, method, headers, secrets, body, success, idPath, errors, report, timeoutMs };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * What is left out stays as it is, and each secret by itself. When the preset changes, only secrets and the report address stay. Nothing that may hold a key goes to another
 * host without being entered again.
 */
function mergeTyped(stored: HttpLinkFields, typed: HttpLinkFields): HttpLinkFields {
  const { report: storedReport, secrets: storedSecrets, ...storedParts } = stored;
  const isSamePreset = typed.preset === undefined || typed.preset === stored.preset;
  const base: HttpLinkFields = isSamePreset ? storedParts : {};
  const merged: HttpLinkFields = { ...base, ...typed };
  // As it is shown, it may lack what stands behind a `?`.
  if (typed.url !== undefined && stored.url !== undefined && typed.url === withoutQuery(stored.url))
    merged.url = stored.url;
  merged.secrets = { ...storedSecrets, ...typed.secrets };
  const path = typed.report?.path ?? storedReport?.path;
  const report = typed.report ?? (isSamePreset ? storedReport : undefined);
  if (report !== undefined || path !== undefined)
    merged.report = { ...(isSamePreset && storedReport), ...report, ...(path !== undefined && { path }) };
  if (hostFor(merged) !== hostFor(stored)) {
    for (const part of ["headers", "body"] as const)
      if (base[part] !== undefined && typed[part] === undefined)
        throw fieldError(part, "must be entered again for another host");
    for (const name of Object.keys(storedSecrets ?? {}))
      if (typed.secrets?.[name] === undefined)
        throw fieldError("secrets", `must be entered again for another host, ${name} as well`);
  }
  return linkFieldsOf(merged);
}

/** Scheme, host and port; undefined for what leads nowhere. */
function hostFor(typed: HttpLinkFields): string | undefined {
  const { link } = resolveHttpCarrier(typed);
  return link === undefined ? undefined : URL.parse(addressOf(link))?.origin;
}

/** @throws AppError `VALIDATION` with every field that is wrong. */
function resolveOrRefuse(typed: HttpLinkFields): HttpLink {
  const { link, faults } = resolveHttpCarrier(typed);
  if (link === undefined) {
    const fields = Object.fromEntries(faults.toReversed().map(({ field, text }) => [field, text]));
    const [first] = faults;
    throw new AppError("VALIDATION", { message: `${first?.field ?? "body"} ${first?.text ?? "is wrong"}`, fields });
  }
  const url = URL.parse(addressOf(link));
  const host = hostOf(url);
  checkHost(host, "url");
  // A key in the clear is everybody's on the way. Within one's own network the operator may choose.
  if (url?.protocol === "http:" && isPublicHost(host))
    throw fieldError("url", "must begin with https:// outside of your own network");
  return link;
}

/** Without what stands behind a `?`, and without values of a message. */
function addressOf({ url }: HttpLink): string {
  return withoutQuery(url.literals.join("-"));
}

function withoutQuery(url: string): string {
  return url.split("?")[0] ?? "";
}

function factsOf(fields: HttpCarrierFields, typed: HttpLinkFields): HttpFacts {
  const { window, messagesPerSecond, prefixes, weight, priority, classes, reachesDnd } = fields;
  const { link } = resolveHttpCarrier(typed);
  return {
    window,
    messagesPerSecond,
    prefixes,
    weight,
    priority,
    classes,
    reachesDnd,
    preset: typed.preset ?? null,
    address: link === undefined ? "" : addressOf(link),
    method: link?.method ?? "POST",
    headerNames: link?.headers.map(({ name }) => name) ?? [],
    secretNames: Object.keys(typed.secrets ?? {}),
    takesReports: link?.report?.secret !== undefined,
  };
}

/** @throws AppError `VALIDATION` for the secret of a carrier of the configuration; those of others are told apart by the database. */
function hashOfReport(deps: Deps, typed: HttpLinkFields): Buffer | null {
  const secret = typed.report?.path;
  if (secret === undefined) return null;
  for (const carrier of deps.config.carriers ?? [])
    if (carrier.kind === "http" && carrier.link.report?.secret === secret)
      throw fieldError("report.path", "is another carrier's");
  return hashOfSecret(secret);
}

async function translateTaken(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isUniqueViolation(error, "kept_http_carrier_name_key"))
      throw fieldError("name", "is the name of another carrier");
    if (isUniqueViolation(error, "kept_http_carrier_report_secret_key"))
      throw fieldError("report.path", "is another carrier's");
    throw error;
  }
}

async function lock(tx: Tx, keptCarrierId: string): Promise<KeptHttpCarrier> {
  const carrier = await lockKeptHttpCarrier(tx, keptCarrierId);
  if (carrier === undefined) throw new AppError("NOT_FOUND");
  return carrier;
}

function auditOf({ name, facts, isEnabled }: KeptHttpCarrier): Record<string, unknown> {
  return { kind: "http", name, ...facts, isEnabled };
}
