/** Reads pasted numbers: bytes in, numbers out. Pure, because a worker thread runs it for large bodies: this file is what it loads. */
import {
  contactsBody,
  existingCatalogNumbersBody,
  FieldedNumbers,
  limits,
  newCatalogNumbersBody,
  readRecipients,
  RecipientReader,
  strictContactsBody,
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

type Adding = {
  bytes: Uint8Array;
  catalogId: string;
  code: string;
  onlyGood: boolean;
  keys: readonly string[];
  /** Whether unknown fields are refused. */
  isStrict: boolean;
};

/** Numbers, or contacts with their fields. @param input as above, and the keys of the catalog's columns. */
function readAdded({ bytes, catalogId, code, keys, isStrict, ...input }: Adding, rates: Rates): ReadResult<Pasted> {
  const body = readBody(isStrict ? strictContactsBody : contactsBody, bytes);
  if (body.kind === "wrong") return body;
  const { phoneNo, contacts } = body.value;
  const onlyGood = body.value.onlyGood ?? input.onlyGood;
  const reading = { code, named: { catalogId }, onlyGood };
  if (contacts === undefined) return readNumbers(phoneNo ?? "", reading, rates);
  const unknown = findUnknownFields(contacts, keys);
  return unknown === undefined ? readContacts(contacts, keys, reading, rates) : wrongBody(unknown);
}

type GivenContact = { phoneNo: string; fields?: Record<string, string> | undefined };
const UNKNOWN_NAMED_MAX = 20;

function findUnknownFields(
  contacts: readonly GivenContact[],
  keys: readonly string[],
): Record<string, string> | undefined {
  const known = new Set(keys);
  const unknown: Record<string, string> = {};
  for (const [index, { fields = {} }] of contacts.entries()) {
    for (const key of Object.keys(fields))
      if (!known.has(key)) unknown[`contacts.${index}.fields.${key}`] = "is not a column of this catalog";
    if (Object.keys(unknown).length >= UNKNOWN_NAMED_MAX) break;
  }
  return Object.keys(unknown).length === 0 ? undefined : unknown;
}

function readContacts(
  contacts: readonly GivenContact[],
  keys: readonly string[],
  { code, named, onlyGood }: Reading,
  rates: Rates,
): ReadResult<Pasted> {
  const fielded = new FieldedNumbers({ repeats: "merged" });
  let values: (string | null)[] = [];
  const reader = new RecipientReader(code, rates, undefined, (number) => fielded.put(number, values));
  const rowsOfWrong: number[] = [];
  for (const [index, { phoneNo, fields }] of contacts.entries()) {
    values = keys.map((key) => fields?.[key] ?? null);
    reader.add(phoneNo);
    while (rowsOfWrong.length < reader.wrong.length) rowsOfWrong.push(index + 1);
  }
  const { valid, duplicateCount, wrongCount, wrong, repaired } = reader.finish();
  const explained = wrong.map(({ value, reason }, place) => ({
    row: rowsOfWrong[place] ?? 0,
    value,
    reason,
    text: wrongNumberWords[reason],
  }));
  const fingerprint = fingerprintOf({ ...named, contacts: JSON.stringify(contacts), onlyGood });
  const received = { keys, rows: fielded.finish() };
  const read = {
    numbers: valid,
    duplicateCount,
    wrongCount,
    wrong: explained,
    ...(repaired && { repaired }),
    received,
  };
  return { kind: "read", value: { read, onlyGood, fingerprint } };
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

export const pasteTasks = {
  "for-catalog": readForCatalog,
  "for-new-catalog": readForNewCatalog,
  "contacts-for-catalog": readAdded,
};

export const pasteTasksUrl = new URL(import.meta.url);
serveBodyTasks(pasteTasksUrl, pasteTasks);
