import type { Queryable } from "../../../db/pool.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { readCatalogNumbers } from "../../contacts/index.ts";
import type { SendInput, SendRequest } from "../read-body/read-send.ts";
import type { SendDeps } from "./send-deps.ts";

export type ResolvedSend = {
  fingerprint: Uint8Array;
  /** Of the numbers as text. */
  byteLength: number;
  /**
   * Asked for inside the keyed work: a repeated request gets its first answer, also when the catalog is gone by now.
   *
   * @throws AppError `NOT_FOUND` for a catalog that the customer does not have, `VALIDATION` for an empty one.
   */
  getRequest: () => SendRequest;
};

/** Turns a catalog into its numbers, as they are at this moment. */
export async function resolveSend(
  deps: SendDeps,
  userId: string,
  input: SendInput,
  byteLength: number,
): Promise<ResolvedSend> {
  const { fingerprint } = input;
  if (!("catalogId" in input)) return { fingerprint, byteLength, getRequest: () => input };
  const { senderName, message, code, catalogId } = input;
  try {
    const phoneNo = await readCatalogText(deps.db, { userId, catalogId });
    const request = await deps.bodies.read("send-fields", { senderName, message, code, phoneNo }, phoneNo.length);
    return { fingerprint, byteLength: phoneNo.length, getRequest: () => request };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refuse = (): never => {
      throw error;
    };
    return { fingerprint, byteLength: 0, getRequest: refuse };
  }
}

/**
 * @returns all numbers of a catalog in its order, comma-separated: 14 MB for 1,000,000.
 * @throws AppError `NOT_FOUND` for a catalog that the customer does not have, `VALIDATION` for an empty one.
 */
export async function readCatalogText(db: Queryable, key: { userId: string; catalogId: string }): Promise<string> {
  const { numbers } = await readCatalogNumbers(db, key);
  if (numbers.length === 0) throw fieldError("catalogId", "has no contacts");
  return numbers.join(",");
}
