import { createHash } from "node:crypto";
import { type DepositFields, depositFieldsSchema, lagosDate } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { ADVISORY_LOCK_CLASS } from "../../../db/advisory.ts";
import { doOnce, findOutcome, fingerprintOf } from "../../../db/idempotency.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { depositHidden, depositSubmitted, publishChange } from "../../../events/index.ts";
import { type FileStore, keepFile, readUpload, storeFile } from "../../../files/index.ts";
import { findControlCharacter } from "../../../http/errors/compile-validator.ts";
import { assertTriesLeft, countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import { findCustomer } from "../../accounts/index.ts";
import { lapseApprovals } from "../../approvals/index.ts";
import { reportedMail } from "./deposit-mails.ts";
import {
  type DepositKey,
  flagDuplicates,
  insertDeposit,
  lockDeposit,
  lockDuplicates,
  updateHidden,
} from "./deposit-store.ts";
import { keptSubmissions, type SubmittedDeposit } from "./present-deposit.ts";

const KOBO_PER_NAIRA = 100;

export type DepositForm = {
  /** As they were typed, by their names in the form. */
  fields: Readonly<Record<string, string>>;
  /** Undefined: none was sent. */
  receipt: { fileName: string; bytes: Uint8Array } | undefined;
};

export type SubmitRequest = DepositForm & {
  userId: string;
  /** Undefined: this request can never be a repeat of another. */
  idempotencyKey: string | undefined;
};

/**
 * Takes a customer's report of a bank deposit: receipt, row and the mail to management, or nothing.
 *
 * @throws AppError `VALIDATION` for each field that is wrong; `RATE_LIMITED` after 20 receipts a day; `IDEMPOTENCY_CONFLICT`;
 *   `UNAVAILABLE` or `STORAGE_FULL` when the receipt cannot be stored.
 */
export async function submitDeposit(deps: Deps, store: FileStore, request: SubmitRequest): Promise<SubmittedDeposit> {
  const { userId, receipt, idempotencyKey: key } = request;
  const fields = readFields(deps, request);
  if (receipt === undefined) throw fieldError("image", "is required");
  const receiptHash = createHash("sha256").update(receipt.bytes).digest();
  const fingerprint = fingerprintOf({ ...fields, receipt: receiptHash.toString("hex") });
  const keyed = { actorId: userId, scope: "submit-transfer-details", key, fingerprint, answers: keptSubmissions };
  // Both before the picture is drawn and stored, which is the expensive part.
  const earlier = await findOutcome(deps.db, keyed);
  if (earlier !== undefined) return earlier;
  await assertTriesLeft(deps, deps.db, rateRules.receipt, userId);

  const upload = await readUpload(receipt);
  if (upload.kind === "wrong") throw fieldError("image", upload.reason);
  const fileId = await storeFile(deps, store, { userId, ...upload });
  const report = { userId, fields, fileId, receiptHash };
  // A repeat that arrived during the first leaves its own copy of the file to the clean-up.
  return await withTransaction(
    deps.db,
    async (tx) => await doOnce(tx, keyed, async () => await recordDeposit(deps, tx, report)),
  );
}

/** All bad fields at once, a missing receipt among them. */
function readFields(
  { config, clock }: Pick<Deps, "config" | "clock">,
  { fields, receipt }: DepositForm,
): DepositFields {
  const read = depositFieldsSchema.safeParse(fields);
  const wrong: Record<string, string> = {};
  const place = findControlCharacter(fields);
  if (place !== undefined) wrong[place] = "takes no control characters";
  for (const { path, message } of read.error?.issues ?? []) {
    const name = String(path[0]);
    wrong[name] ??= fields[name] === undefined ? "is required" : message;
  }
  const { transactionDate, bankDeposited } = fields;
  if (transactionDate !== undefined && transactionDate > lagosDate(clock.now()))
    wrong["transactionDate"] ??= "must not be later than today";
  if (bankDeposited !== undefined && bankDeposited.trim() !== config.brand.bank.name)
    wrong["bankDeposited"] ??= "is not a bank of ours";
  if (receipt === undefined) wrong["image"] = "is required";
  if (read.data === undefined || Object.keys(wrong).length > 0) throw new AppError("VALIDATION", { fields: wrong });
  return read.data;
}

/** What is recorded once the form is right and its receipt stored. */
export type NewReport = { userId: string; fields: DepositFields; fileId: string; receiptHash: Buffer };

/** Row, file and mail in the caller's transaction. @throws AppError `RATE_LIMITED`; `NOT_FOUND` for a customer who is gone. */
export async function recordDeposit(
  deps: Deps,
  tx: Tx,
  { userId, fields, fileId, receiptHash }: NewReport,
): Promise<SubmittedDeposit> {
  await countTry(deps, tx, rateRules.receipt, userId);
  const customer = await findCustomer(tx, userId);
  if (customer === undefined) throw new AppError("NOT_FOUND");
  const { amountDeposited, bankDeposited: bank, ...texts } = fields;
  const tellerKey = tellerKeyOf(fields.tellerId);
  // Without the lock, two reports of the same slip at once would not find each other.
  await lockDuplicates(tx, ADVISORY_LOCK_CLASS.depositDuplicate, lockKeysOf(receiptHash, tellerKey));
  const isFlagged = await flagDuplicates(tx, { receiptHash, tellerKey });
  const facts = { ...texts, bank, amountKobo: amountDeposited * KOBO_PER_NAIRA, depositId: uuidv7(), isFlagged };
  await insertDeposit(tx, { ...facts, userId, tellerKey, fileId, receiptHash, createdAt: deps.clock.now() });
  await keepFile(deps, tx, { userId, fileId });
  await writeMail(deps, tx, reportedMail(deps.config, customer, facts));
  await publishChange(tx, depositSubmitted(userId));
  return { depositId: facts.depositId };
}

/** The same slip is written `TRF/0012 a` today and `trf-0012A` tomorrow. */
function tellerKeyOf(tellerId: string): string {
  return tellerId
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Sorted, so that no two transactions wait for each other in a circle. Keys that collide by chance only wait. */
function lockKeysOf(receiptHash: Buffer, tellerKey: string): number[] {
  const tellerHash = createHash("sha256").update(tellerKey).digest();
  return [receiptHash.readInt32BE(), tellerHash.readInt32BE()].toSorted((one, other) => one - other);
}

/**
 * Deletes a deposit from its customer's list. A pending one is withdrawn; the record, the receipt and any credit stay.
 * Repeating it changes nothing.
 *
 * @throws AppError `NOT_FOUND`, also for another customer's.
 */
export async function hideDeposit(deps: Deps, key: DepositKey): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const deposit = await lockDeposit(tx, key);
    if (deposit === undefined) throw new AppError("NOT_FOUND");
    if (deposit.hiddenAt !== null) return;
    await updateHidden(tx, key, deps.clock.now());
    await lapseApprovals(deps, tx, "deposit", [key.depositId]);
    await publishChange(tx, depositHidden(key.userId));
  });
}
