/**
 * Devices that a person has signed in from. A browser keeps a random mark in a cookie; a client without cookies is recognised by
 * network and program. The mark opens nothing: it separates the owner's guesses from strangers', and tells when to mail them.
 */
import { createHash } from "node:crypto";
import type { Queryable } from "../../../db/pool.ts";
import type { Deps } from "../../../base/deps.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { logSecurityEvent } from "../../../http/monitoring/security-log.ts";
import type { Session } from "../../../http/session/session.ts";
import { writeMail } from "../../../mail/index.ts";
import { newDeviceMail } from "../account-mails.ts";
import { describeDevice } from "./describe-device.ts";
import { findMarks, putMarks, wantsNewDeviceMail } from "./session-store.ts";
import type { PasswordOwner } from "../passwords/password-owner.ts";
import type { SessionOrigin } from "./sessions.ts";

/** @returns the key that counts this device's guesses; undefined for a device that the person never signed in from. */
export async function findKnownDevice(
  db: Queryable,
  actor: Pick<Session, "kind" | "actorId">,
  mark: string | undefined,
): Promise<string | undefined> {
  if (mark === undefined) return undefined;
  const hash = hashOf(["mark", mark]);
  const { known } = await findMarks(db, actor, [hash]);
  return known.length === 0 ? undefined : hash.toString("base64url");
}

/**
 * Records where a sign-in came from, in its transaction, and mails the owner when the device is new, unless they turned that off. A person's first device
 * causes no mail.
 */
export async function noteDevice(
  deps: Deps,
  tx: Queryable,
  owner: PasswordOwner,
  actorId: string,
  from: SessionOrigin,
): Promise<void> {
  const { kind } = owner;
  const { clientAddress, userAgent = "", deviceMark, requestId } = from;
  const device = describeDevice(userAgent);
  const marks = [hashOf(["network", networkOf(clientAddress), device])];
  if (deviceMark !== undefined) marks.push(hashOf(["mark", deviceMark]));
  const { count, known } = await findMarks(tx, { kind, actorId }, marks);
  await putMarks(tx, { kind, actorId }, marks, deps.clock.now());
  if (count === 0 || known.length > 0) return;
  logSecurityEvent(deps.log, {
    event: "new-device",
    account: { kind, id: actorId },
    address: clientAddress,
    requestId,
  });
  if (kind === "user" && !(await wantsNewDeviceMail(tx, actorId))) return;
  const account = await owner.lock(tx, actorId);
  if (account !== undefined)
    await writeMail(
      deps,
      tx,
      newDeviceMail(deps.config, { ...account, kind }, { device, clientAddress, at: deps.clock.now() }),
    );
}

/** The first half of an IPv4 address, or of a site's IPv6 network: wide enough for a phone that moves. */
function networkOf(address: string): string {
  return clientKey(address).split(/[.:]/).slice(0, 2).join(".");
}

function hashOf(parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
