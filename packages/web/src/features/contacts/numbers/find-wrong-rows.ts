import type { WrongContacts } from "@ewebal/contract";
import { ApiError } from "../../../lib/api/api.ts";

/** @returns the rows that a refusal names; undefined when it is about something else. */
export function findWrongRows(error: unknown): WrongContacts | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { rows, wrong, good } = error.body as Partial<WrongContacts>;
  return Array.isArray(rows) && typeof wrong === "number" && typeof good === "number"
    ? { rows, wrong, good }
    : undefined;
}
