/** What administrators read without knowing whose it is: an address of theirs names the thing alone. */
import type { DraftAnswer, MessageAnswer } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { AppError } from "../../../base/errors.ts";
import { findMessageOwner, getMessage } from "../../delivery/index.ts";
import { findDraftOwner } from "../drafts/draft-store.ts";
import { getDraft } from "../drafts/drafts.ts";
import { presentDraft, presentMessage } from "../present-message.ts";

/** @throws AppError `NOT_FOUND`. */
export async function viewAnyMessage(db: Queryable, messageId: string): Promise<MessageAnswer> {
  const userId = await findMessageOwner(db, messageId);
  if (userId === undefined) throw new AppError("NOT_FOUND");
  return presentMessage(await getMessage(db, { userId, messageId }, "administrator"));
}

/** @throws AppError `NOT_FOUND`. */
export async function viewAnyDraft(db: Queryable, draftId: string): Promise<DraftAnswer> {
  const userId = await findDraftOwner(db, draftId);
  if (userId === undefined) throw new AppError("NOT_FOUND");
  return presentDraft(await getDraft(db, { userId, draftId }));
}
