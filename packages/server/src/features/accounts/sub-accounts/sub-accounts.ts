/** Accounts that a customer makes for others. Each is a customer like any other; the one that made it gives it units and takes back what is free. */
import { formatUnits, limits, lagosDate, type ListQuery, MILLI_PER_UNIT, unitsForJson } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import { doOnce, fingerprintOf, type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { balanceChanged, customerVerified, publishChange, subAccountsChanged } from "../../../events/index.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { readBalance, readBalances, transferUnits } from "../../../ledger/index.ts";
import { type MailContent, plainName, writeMail } from "../../../mail/index.ts";
import type { AccountActor } from "../members/manage-members.ts";
import { issueToken } from "../one-time-token.ts";
import { hashPassword } from "../passwords/passwords.ts";
import { turnOf } from "../passwords/guess-password.ts";
import { makeNobodysPassword } from "../registration/add-verified-user.ts";
import { refuseCompanyAddress } from "../registration/register-user.ts";
import { type Credentials, insertUser, lockCredentials, markVerified } from "../users/user-store.ts";
import { countSubAccounts, findParent, selectSubAccounts, type SubAccount, updateParent } from "./sub-account-store.ts";

/** @property freeMilli what it can spend. */
export type ListedSubAccount = SubAccount & { freeMilli: number };

/** Newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listSubAccounts(
  deps: Pick<Deps, "db" | "clock">,
  parentId: string,
  query: ListQuery,
): Promise<{ rows: ListedSubAccount[]; next: string | null }> {
  assertIdCursor(query.after);
  const day = lagosDate(deps.clock.now());
  const { rows, next } = await readPage(
    query.limit,
    (limit) => selectSubAccounts(deps.db, { parentId, day, limit, beforeId: query.after }),
    ({ userId }) => userId,
  );
  const balances = await readBalances(
    deps.db,
    rows.map(({ userId }) => userId),
  );
  return { rows: rows.map((row) => ({ ...row, freeMilli: balances.get(row.userId)?.freeMilli ?? 0 })), next };
}

export type NewSubAccount = { userName: string; fullName: string; email: string; phoneNo: string };

/**
 * Makes a customer's account whose password nobody knows, and mails its person a link to choose one: who opens it proves the mailbox.
 *
 * @param capUnitsPerDay null: it may spend as much as it has.
 * @throws AppError `EMAIL_TAKEN`; `HOST_NOT_ALLOWED`; `STATE_CONFLICT` for a sub-account, which makes none; `VALIDATION` above `subAccountsMax`;
 *   `RATE_LIMITED` by the mailbox.
 */
export async function makeSubAccount(
  deps: Deps,
  {
    parentId,
    by,
    capUnitsPerDay,
    ...facts
  }: NewSubAccount & {
    parentId: string;
    by: AccountActor;
    capUnitsPerDay: number | null;
  },
): Promise<ListedSubAccount> {
  refuseCompanyAddress(deps.config, facts.email);
  const { clientAddress } = by;
  const passwordHash = await hashPassword(makeNobodysPassword(), turnOf(deps, clientAddress));
  const user = { ...facts, userId: uuidv7(), passwordHash, createdAt: deps.clock.now() };
  const capMilliPerDay = capUnitsPerDay === null ? null : capUnitsPerDay * MILLI_PER_UNIT;
  await withTransaction(deps.db, async (tx) => {
    const parent = await lockParent(tx, parentId);
    if ((await countSubAccounts(tx, parentId)) >= limits.subAccountsMax)
      throw fieldError("email", `is one more than ${limits.subAccountsMax} accounts`);
    if (!(await insertUser(tx, user))) throw new AppError("EMAIL_TAKEN");
    await countTry(deps, tx, rateRules.mailTo, user.email);
    await countTry(deps, tx, rateRules.mailFrom, clientKey(clientAddress));
    await markVerified(tx, user.userId, user.createdAt);
    await updateParent(tx, { userId: user.userId, parentId, capMilliPerDay });
    const after = { email: user.email, capUnitsPerDay };
    await deps.recordAudit(tx, { ...by, action: "make-sub-account", subjectId: parentId, after });
    const token = await issueToken(deps, tx, { purpose: "reset-password", actorId: user.userId });
    await writeMail(deps, tx, subAccountMail(deps.config.brand.name, user, parent, token));
    await publishChange(tx, subAccountsChanged(parentId));
    await publishChange(tx, customerVerified());
  });
  return { ...user, isBlocked: false, capMilliPerDay, usedMilli: 0, freeMilli: 0 };
}

async function lockParent(tx: Tx, parentId: string): Promise<Credentials> {
  const parent = await lockCredentials(tx, parentId);
  if (parent === undefined) throw new AppError("NOT_FOUND");
  if ((await findParent(tx, parentId)) !== null)
    throw new AppError("STATE_CONFLICT", { message: "A sub-account cannot make accounts of its own" });
  return parent;
}

function subAccountMail(
  brandName: string,
  reader: { email: string; userName: string },
  parent: { fullName: string },
  token: string,
): MailContent {
  return {
    recipient: reader.email,
    subject: `${plainName(parent.fullName)} made a ${brandName} account for you`,
    greetingName: reader.userName,
    blocks: [
      {
        kind: "text",
        text: `You can send messages with the units that ${plainName(parent.fullName)} gives you. Choose a password first:`,
      },
      { kind: "action", label: "Choose a password", path: `/${token}/reset-user-password` },
      {
        kind: "text",
        text: "The link works once, within 30 minutes. After that, use Forgot Password on the page where you sign in.",
      },
    ],
  };
}

type SubKey = { parentId: string; subId: string };

/** @throws AppError `NOT_FOUND`, also for another customer's. */
export async function capSubAccount(
  deps: Deps,
  { by, ...key }: SubKey & { by: AccountActor },
  capUnitsPerDay: number | null,
): Promise<ListedSubAccount> {
  return await withTransaction(deps.db, async (tx) => {
    const account = await lockCredentials(tx, key.subId);
    await assertOwn(tx, key);
    const after = { email: account?.email, capUnitsPerDay };
    await deps.recordAudit(tx, { ...by, action: "edit-sub-account", subjectId: key.parentId, after });
    const capMilliPerDay = capUnitsPerDay === null ? null : capUnitsPerDay * MILLI_PER_UNIT;
    await updateParent(tx, { userId: key.subId, parentId: key.parentId, capMilliPerDay });
    await publishChange(tx, subAccountsChanged(key.parentId));
    const [sub] = await selectSubAccounts(tx, { ...key, day: lagosDate(deps.clock.now()), limit: 1 });
    if (sub === undefined) throw new AppError("NOT_FOUND");
    return { ...sub, freeMilli: (await readBalance(tx, key.subId)).freeMilli };
  });
}

async function assertOwn(tx: Tx, { parentId, subId }: SubKey): Promise<void> {
  if ((await findParent(tx, subId)) !== parentId) throw new AppError("NOT_FOUND");
}

/** What is free of each of the two now. */
export type MovedUnits = { transferId: string; units: number; subUnits: number; message: string };

/**
 * Moves units between an account and one that it made, once for each key of the account.
 *
 * @param move units whole; negative takes back what is free.
 * @throws AppError `NOT_FOUND`; `UNITS_REQUIRED` when the account has too few; `STATE_CONFLICT` when the sub-account has fewer free than are
 *   taken back; `IDEMPOTENCY_CONFLICT`.
 */
export async function moveUnits(
  deps: Deps,
  {
    units,
    idempotencyKey: key,
    by,
    ...who
  }: SubKey & { units: number; idempotencyKey: string | undefined; by: AccountActor },
): Promise<MovedUnits> {
  const { parentId, subId } = who;
  const fingerprint = fingerprintOf({ subId, units });
  const keyed = { actorId: parentId, scope: "move-units", key, fingerprint, answers: keptMoves };
  return await withTransaction(
    deps.db,
    async (tx) =>
      await doOnce(tx, keyed, async () => {
        await assertOwn(tx, who);
        const moved = await move(tx, who, units);
        const after = { units, subId, transferId: moved.transferId };
        await deps.recordAudit(tx, { ...by, action: "move-units", subjectId: parentId, after });
        return moved;
      }),
  );
}

async function move(tx: Tx, { parentId, subId }: SubKey, units: number): Promise<MovedUnits> {
  const [fromUserId, toUserId] = units > 0 ? [parentId, subId] : [subId, parentId];
  const transfer = { fromUserId, toUserId, transferId: uuidv7(), amountMilli: Math.abs(units) * MILLI_PER_UNIT };
  const { from, to } = await transferUnits(tx, transfer).catch((error: unknown) => {
    if (units < 0 && error instanceof AppError && error.code === "UNITS_REQUIRED")
      throw new AppError("STATE_CONFLICT", { message: "The sub-account has fewer units free than that", cause: error });
    throw error;
  });
  for (const userId of [parentId, subId]) await publishChange(tx, balanceChanged(userId));
  await publishChange(tx, subAccountsChanged(parentId));
  const [own, subs] = units > 0 ? [from, to] : [to, from];
  const amount = formatUnits(Math.abs(units) * MILLI_PER_UNIT);
  return {
    transferId: transfer.transferId,
    units: unitsForJson(own.freeMilli),
    subUnits: unitsForJson(subs.freeMilli),
    message: units > 0 ? `${amount} units are given to the sub-account` : `${amount} units are taken back`,
  };
}

type MoveAnswer = { message: string; data: { _id: string; units: number; subUnits: number } };

export function presentMove({ transferId, message, ...left }: MovedUnits): MoveAnswer {
  return { message, data: { _id: transferId, ...left } };
}

const keptMoves: KeptAnswers<MovedUnits> = {
  write: (outcome) => ({ status: 200, body: presentMove(outcome) }),
  read: (answer) => {
    const { message, data } = answer.body as MoveAnswer;
    return { transferId: keptIdOf(answer), units: data.units, subUnits: data.subUnits, message };
  },
};
