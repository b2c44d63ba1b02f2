import { adminRoleSchema, type AdminRole } from "@ewebal/contract";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { administratorsChanged, publishChange } from "../../../events/index.ts";
import { type ApprovalKind, askApproval } from "../../approvals/index.ts";
import { lockOwners, selectOwners, updateRole } from "./team-store.ts";
import { type AdminAct, lockListed, refuseLastOwner } from "./manage-administrators.ts";

export type RoleChange = { adminName: string; role: AdminRole; isChanged: boolean };
export type RoleOutcome = ({ kind: "changed" } & RoleChange) | { kind: "waiting"; approvalId: string };

/**
 * Gives an administrator another role. A change to or from owner waits for a third owner, when there is one to approve it.
 *
 * @throws AppError `NOT_FOUND`; `LAST_OWNER`.
 */
export async function setRole(deps: Deps, act: AdminAct & { role: AdminRole }): Promise<RoleOutcome> {
  const { adminId, otherId, role, clientAddress } = act;
  return await withTransaction(deps.db, async (tx) => {
    await lockOwners(tx);
    const other = await lockListed(tx, otherId);
    const isOwnerChange = other.role !== role && (role === "owner" || other.role === "owner");
    if (isOwnerChange) await refuseLastOwner(tx, other);
    const signers = (await selectOwners(tx)).filter((owner) => owner.adminId !== adminId && owner.adminId !== otherId);
    if (!isOwnerChange || signers.length === 0) return { kind: "changed", ...(await changeRole(deps, tx, act)) };
    const outcome = await askApproval(deps, tx, {
      kind: "role",
      subjectKey: otherId,
      subject: { id: otherId, email: other.email },
      what: `Make ${other.adminName}, ${other.email}, ${role} instead of ${other.role}`,
      details: { role },
      call: "set-admin-role",
      before: { role: other.role },
      adminId,
      clientAddress,
    });
    if (outcome.kind === "waiting") return outcome;
    return { kind: "changed", ...(await changeRole(deps, tx, { ...act, askedBy: outcome.approval.askedBy })) };
  });
}

/** A role that a second owner approved. */
export function roleApproval(deps: Deps): ApprovalKind {
  return {
    lockSubject: async (tx, { subjectId }) => {
      await lockOwners(tx);
      await lockListed(tx, subjectId);
    },
    carryOut: async (tx, { subjectId, details, askedBy }, { adminId, clientAddress }) => {
      const role = adminRoleSchema.parse(details.role);
      return describeRoleChange(
        await changeRole(deps, tx, { adminId, otherId: subjectId, role, askedBy, clientAddress }),
      );
    },
  };
}

/**
 * The one place where a role changes. The caller decides whether the change needs a second owner.
 *
 * @param tx holds `lockOwners`, like every transaction that counts owners.
 * @throws AppError `NOT_FOUND`; `LAST_OWNER`.
 */
export async function changeRole(
  deps: Deps,
  tx: Tx,
  change: AdminAct & { role: AdminRole; askedBy?: string },
): Promise<RoleChange> {
  const { adminId, otherId, role, askedBy, clientAddress } = change;
  const other = await lockListed(tx, otherId);
  const { adminName } = other;
  if (other.role === role) return { adminName, role, isChanged: false };
  await refuseLastOwner(tx, other);
  await updateRole(tx, otherId, role, deps.clock.now());
  const after = { role, ...(askedBy !== undefined && { askedBy }) };
  await deps.recordAudit(tx, {
    adminId,
    action: "set-admin-role",
    subjectId: otherId,
    before: { role: other.role },
    after,
    clientAddress,
  });
  await publishChange(tx, administratorsChanged());
  return { adminName, role, isChanged: true };
}

/** The sentence for the owner who changed the role or approved the change. */
export function describeRoleChange({ adminName, role, isChanged }: RoleChange): string {
  return isChanged ? `${adminName} is ${role} now` : `${adminName} has this role already`;
}
