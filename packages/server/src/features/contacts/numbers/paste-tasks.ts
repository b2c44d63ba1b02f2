/** Reads pasted numbers: bytes in, numbers out. Pure, because a worker thread runs it for large bodies: this file is what it loads. */
import {
  existingCatalogNumbersBody,
  limits,
  newCatalogNumbersBody,
  readRecipients,
  wrongNumberWords,
  type Rates,
} from "@ewebal/contract";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { readBody, type ReadResult, wrongBody } from "../../../http/bounds/read-body.ts";
import { serveBodyTasks } from "../../../http/bounds/serve-body-tasks.ts";
import { findControlCharacter } from "../../../http/errors/compile-validator.ts";
import type { NumbersRead } from "./take-numbers.ts";

type Pasted = { read: NumbersRead; onlyGood: boolean; fingerprint: Uint8Array };

/** @param input the body, the catalog's code, and whether the address asks for the good ones. */
function readForCatalog(
  input: { bytes: Uint8Array; catalogId: string; code: string; onlyGood: boolean },
  rates: Rates,
): ReadResult<Pasted> {
  const body = readBody(existingCatalogNumbersBody, input.bytes);
  if (body.kind === "wrong") return body;
  const onlyGood = body.value.onlyGood ?? input.onlyGood;
  return readNumbers(body.value.phoneNo, { code: input.code, named: { catalogId: input.catalogId }, onlyGood }, rates);
}

type NewPasted = Pasted & { newCatalog: { name: string; code: string } };

function readForNewCatalog(input: { bytes: Uint8Array; onlyGood: boolean }, rates: Rates): ReadResult<NewPasted> {
  const body = readBody(newCatalogNumbersBody, input.bytes);
  if (body.kind === "wrong") return body;
  const { catalogName: name, code } = body.value;
  const place = findControlCharacter(name);
  if (place !== undefined) return wrongBody({ catalogName: "takes no control characters" });
  const onlyGood = body.value.onlyGood ?? input.onlyGood;
  const read = readNumbers(body.value.phoneNo, { code, named: { name, code }, onlyGood }, rates);
  return read.kind === "wrong" ? read : { kind: "read", value: { ...read.value, newCatalog: { name, code } } };
}

type Reading = { code: string; named: Record<string, string>; onlyGood: boolean };

function readNumbers(phoneNo: string, { code, named, onlyGood }: Reading, rates: Rates): ReadResult<Pasted> {
  const { valid, receivedCount, duplicateCount, wrongCount, wrong, repaired } = readRecipients(phoneNo, code, rates);
  if (receivedCount > limits.catalogContactsMax)
    return wrongBody({ phoneNo: `has more than ${limits.catalogContactsMax.toLocaleString("en")} numbers` });
  const explained = wrong.map(({ index, value, reason }) => ({
    row: index + 1,
    value,
    reason,
    text: wrongNumberWords[reason],
  }));
  const fingerprint = fingerprintOf({ ...named, phoneNo, onlyGood });
  const read = { numbers: valid, duplicateCount, wrongCount, wrong: explained, ...(repaired && { repaired }) };
  return { kind: "read", value: { read, onlyGood, fingerprint } };
}

export const pasteTasks = { "for-catalog": readForCatalog, "for-new-catalog": readForNewCatalog };

export const pasteTasksUrl = new URL(import.meta.url);
serveBodyTasks(pasteTasksUrl, pasteTasks);
