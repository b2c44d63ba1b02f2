/**
 * Carriers that administrators keep. A carrier is on or off. Workers notice a change within seconds, and connect or drain by
 * themselves. The name never changes, because messages and reports refer to it.
 */
import { CARRIERS_MAX, type AddCarrierBody, type CarrierFields } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { withTransaction, type Tx } from "../../../../db/transaction.ts";
import { isUniqueViolation } from "../../../../db/sql-state.ts";
import type { Deps } from "../../../../base/deps.ts";
import { AppError, fieldError } from "../../../../base/errors.ts";
import { finish, refuseTakenName, type Act } from "./carrier-acts.ts";
import { checkHost } from "./check-host.ts";
import { removeHttpCarrier, switchHttpCarrier } from "./kept-http-carriers.ts";
import {
  countKeptCarriers,
  deleteKeptCarrier,
  insertKeptCarrier,
  isNameKept,
  lockKeptCarrier,
  updateKeptCarrier,
  type KeptCarrier,
} from "./kept-carrier-store.ts";
import { openSecret, sealSecret } from "../../../../secrets/seal-secret.ts";
import { getSecretsKey, getSecretsKeys } from "../../../../secrets/secrets-key.ts";

/** @throws AppError `VALIDATION` for a host that no carrier has, a name that is taken, or one carrier too many. */
export async function addCarrier(deps: Deps, body: AddCarrierBody, act: Act): Promise<{ keptCarrierId: string }> {
  checkHost(body.host);
  refuseTakenName(deps, body.name);
  const { password, kind: _kind, ...facts } = body;
  const keptCarrierId = uuidv7();
  const sealedPassword = sealSecret(await getSecretsKey(deps.config), keptCarrierId, password);
  const carrier: KeptCarrier = { ...facts, keptCarrierId, sealedPassword, isEnabled: true };
  try {
    await withTransaction(deps.db, async (tx) => {
      if ((await countKeptCarriers(tx)) >= CARRIERS_MAX)
        throw fieldError("name", `would be one more than ${CARRIERS_MAX} carriers`);
      if (await isNameKept(tx, body.name)) throw fieldError("name", "is the name of another carrier");
      await insertKeptCarrier(tx, carrier, deps.clock.now());
      await finish(deps, tx, { ...act, action: "add-carrier", subjectId: keptCarrierId, after: auditOf(carrier) });
    });
  } catch (error) {
    if (isUniqueViolation(error, "kept_carrier_name_key")) throw fieldError("name", "is the name of another carrier");
    throw error;
  }
  return { keptCarrierId };
}

/**
 * @throws AppError `NOT_FOUND`; `VALIDATION` as for a new one, and for an empty password when the stored one would go to
 * another place: who may edit a carrier must not learn its password by that.
 */
export async function editCarrier(deps: Deps, keptCarrierId: string, fields: CarrierFields, act: Act): Promise<void> {
  checkHost(fields.host);
  const key = await getSecretsKey(deps.config);
  const { password, kind: _kind, ...facts } = fields;
  await withTransaction(deps.db, async (tx) => {
    const before = await lock(tx, keptCarrierId);
    if (password === "") refuseOtherPlace(before, fields);
    const sealedPassword = password === "" ? before.sealedPassword : sealSecret(key, keptCarrierId, password);
    const after = { ...before, ...facts, sealedPassword };
    await updateKeptCarrier(tx, after, deps.clock.now());
    const audited = { ...auditOf(after), ...(password !== "" && { password: "changed" }) };
    await finish(deps, tx, {
      ...act,
      action: "edit-carrier",
      subjectId: keptCarrierId,
      before: auditOf(before),
      after: audited,
    });
  });
}

/** @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when the carrier has this state already, also for the second of two calls at once. */
export async function switchCarrier(deps: Deps, keptCarrierId: string, isEnabled: boolean, act: Act): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const { name } =
      (await switchHttpCarrier(deps, tx, keptCarrierId, isEnabled)) ??
      (await switchSmppCarrier(deps, tx, keptCarrierId, isEnabled));
    await finish(deps, tx, {
      ...act,
      action: "switch-carrier",
      subjectId: keptCarrierId,
      before: { name, isEnabled: !isEnabled },
      after: { name, isEnabled },
    });
  });
}

async function switchSmppCarrier(deps: Deps, tx: Tx, keptCarrierId: string, isEnabled: boolean): Promise<KeptCarrier> {
  const before = await lock(tx, keptCarrierId);
  if (before.isEnabled === isEnabled)
    throw new AppError("STATE_CONFLICT", { message: `The carrier is ${isEnabled ? "on" : "off"} already` });
  await updateKeptCarrier(tx, { ...before, isEnabled }, deps.clock.now());
  return before;
}

/** @throws AppError `NOT_FOUND`, also for the second of two calls at once. */
export async function removeCarrier(deps: Deps, keptCarrierId: string, act: Act): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const before = (await removeHttpCarrier(tx, keptCarrierId)) ?? (await removeSmppCarrier(tx, keptCarrierId));
    await finish(deps, tx, { ...act, action: "remove-carrier", subjectId: keptCarrierId, before });
  });
}

async function removeSmppCarrier(tx: Tx, keptCarrierId: string): Promise<Record<string, unknown>> {
  const before = await lock(tx, keptCarrierId);
  await deleteKeptCarrier(tx, keptCarrierId);
  return auditOf(before);
}

/**
 * Finds the password for a connection test: the typed one, or the stored one for the address that it belongs to.
 *
 * @throws AppError `NOT_FOUND`; `VALIDATION` when this address has none.
 */
export async function passwordFor(
  deps: Deps,
  carrierId: string | undefined,
  place: Place & { password: string },
): Promise<string> {
  if (place.password !== "") return place.password;
  if (carrierId === undefined) throw fieldError("password", "is required");
  const keys = await getSecretsKeys(deps.config);
  return await withTransaction(deps.db, async (tx) => {
    const stored = await lock(tx, carrierId);
    refuseOtherPlace(stored, place);
    const password = openSecret(keys, carrierId, stored.sealedPassword);
    if (password === undefined)
      throw fieldError("password", "cannot be read with this installation's key. Enter it again");
    return password;
  });
}

/** Records a test in the audit: it sends no message, but makes this installation call a host. */
export async function recordTest(deps: Deps, carrierId: string | undefined, place: Place, act: Act): Promise<void> {
  const { host, port, systemId, tls } = place;
  const entry = {
    ...act,
    action: "test-carrier",
    subjectId: carrierId ?? act.adminId,
    after: { host, port, systemId, tls },
  };
  await withTransaction(deps.db, (tx) => deps.recordAudit(tx, entry));
}

type Place = Pick<CarrierFields, "host" | "port" | "systemId" | "tls">;

function refuseOtherPlace(stored: Place, wanted: Place): void {
  const isSame =
    stored.host === wanted.host &&
    stored.port === wanted.port &&
    stored.systemId === wanted.systemId &&
    stored.tls === wanted.tls;
  if (!isSame) throw fieldError("password", "must be entered again for another host, port, system id or TLS setting");
}

async function lock(tx: Tx, keptCarrierId: string): Promise<KeptCarrier> {
  const carrier = await lockKeptCarrier(tx, keptCarrierId);
  if (carrier === undefined) throw new AppError("NOT_FOUND");
  return carrier;
}

function auditOf(carrier: KeptCarrier): Record<string, unknown> {
  const { keptCarrierId: _keptCarrierId, sealedPassword: _sealedPassword, ...facts } = carrier;
  return facts;
}
