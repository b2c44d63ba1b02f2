/** Adding numbers to catalogs: pasted ones, and files. */
import fastifyMultipart from "@fastify/multipart";
import { contactRoutes as contract, existingCatalogUploadFields, limits, newCatalogUploadFields, type Rates } from "@ewebal/contract";
import type { z } from "zod";
import { fingerprintOf } from "../../db/idempotency.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import type { App } from "../../http/app-type.ts";
import { findControlCharacter } from "../../http/compile-validator.ts";
import { listFields } from "../../http/issue-words.ts";
import { countTry, rateRules } from "../../http/rate-limit.ts";
import { requireCustomer } from "../../http/session.ts";
import type { ReadRates } from "../rates/index.ts";
import { assertSendable, getCatalog } from "./catalogs.ts";
import { LARGE_BYTES_MIN, type Gates } from "./gates.ts";
import { readContactFile } from "./read-contact-file.ts";
import { readPasted } from "./read-pasted.ts";
import { withReceivedForm, type ReceivedFile } from "./receive-form.ts";
import { assertNumbersTaken, takeNumbers, type Added, type RequestKey, type Target } from "./take-numbers.ts";

type NumberDeps = Deps & { gates: Gates; readRates: ReadRates };

export async function numberRoutes(app: App, deps: NumberDeps): Promise<void> {
  pastingRoutes(app, deps);
  await app.register(async (scope: App) => {
    await scope.register(fastifyMultipart);
    uploadRoutes(scope, deps);
  });
}

type Key = string | undefined;
type Pasted = { phoneNo: string; onlyGood: boolean; key: Key };

function pastingRoutes(app: App, deps: NumberDeps): void {
  const paste = async (userId: string, target: Target & { code: string }, scope: string, { phoneNo, onlyGood, key }: Pasted): Promise<Added> => {
    await countTry(deps, deps.db, rateRules.contacts, userId);
    const gate = phoneNo.length >= LARGE_BYTES_MIN ? deps.gates.large : deps.gates.small;
    return await gate.run(async () => {
      const rates = await readRatesFor(deps, target);
      const read = await readPasted(phoneNo, target.code, rates);
      assertNumbersTaken(read, onlyGood, { field: "phoneNo", noun: "number" });
      const fingerprint = fingerprintOf({ ...nameTarget(target), phoneNo, onlyGood });
      return await takeNumbers(deps, userId, target, read, { scope, key, fingerprint });
    });
  };
  const bodyLimit = limits.sendBodyBytesMax;
  app.route({
    ...contract.insertToNewTel,
    bodyLimit,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { catalogName: name, code } = request.body;
      const target = { newCatalog: { name, code }, code };
      return await reply.code(201).send(await paste(request.params.userId, target, "insert-to-new-tel", pastedOf(request)));
    },
  });
  app.route({
    ...contract.insertToExistingTel,
    bodyLimit,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const { catalogId, code } = await getCatalog(deps.db, request.params);
      return await reply.code(201).send(await paste(userId, { catalogId, code }, "insert-to-existing-tel", pastedOf(request)));
    },
  });
  app.route({
    ...contract.addContacts,
    bodyLimit,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const { catalogId, code } = await getCatalog(deps.db, request.params);
      const { message, data } = await paste(userId, { catalogId, code }, "add-contacts", pastedOf(request));
      return await reply.code(201).send({ message, data: { ...data, message } });
    },
  });
}

function pastedOf(request: {
  body: { phoneNo: string; onlyGood?: boolean | undefined };
  query: { onlyGood?: string | undefined };
  headers: { "idempotency-key"?: Key };
}): Pasted {
  const onlyGood = request.body.onlyGood ?? request.query.onlyGood === "true";
  return { phoneNo: request.body.phoneNo, onlyGood, key: request.headers["idempotency-key"] };
}

type Uploaded = { onlyGood: boolean; columns: readonly number[] | undefined; key: Key };

function uploadRoutes(app: App, deps: NumberDeps): void {
  const take = async (userId: string, target: Target & { code: string }, scope: string, file: ReceivedFile, upload: Uploaded): Promise<Added> => {
    const { onlyGood, columns, key } = upload;
    const gate = file.byteLength >= LARGE_BYTES_MIN ? deps.gates.large : deps.gates.small;
    return await gate.run(async () => {
      const rates = await readRatesFor(deps, target);
      const read = await readContactFile(file, target.code, { rates, columns });
      assertNumbersTaken(read, onlyGood, { field: "csv", noun: "row" });
      const fingerprint = fingerprintOf({ ...nameTarget(target), file: file.sha256, columns: columns?.join(","), onlyGood });
      const request: RequestKey = { scope, key, fingerprint };
      return await takeNumbers(deps, userId, target, read, request);
    });
  };
  app.route({
    ...contract.uploadToNewTel,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      await countTry(deps, deps.db, rateRules.contactFile, userId);
      const answer = await withReceivedForm(request, async ({ file, fields }) => {
        const { catalogName: name, code, onlyGood, columns } = checkFields(newCatalogUploadFields, fields);
        const upload = { onlyGood: (onlyGood ?? request.query.onlyGood) === "true", columns, key: request.headers["idempotency-key"] };
        return await take(userId, { newCatalog: { name, code }, code }, "upload-to-new-tel", file, upload);
      });
      return await reply.code(201).send(answer);
    },
  });
  app.route({
    ...contract.uploadToExistingTel,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const { catalogId, code } = await getCatalog(deps.db, request.params);
      await countTry(deps, deps.db, rateRules.contactFile, userId);
      const answer = await withReceivedForm(request, async ({ file, fields }) => {
        const { onlyGood, columns } = checkFields(existingCatalogUploadFields, fields);
        const upload = { onlyGood: (onlyGood ?? request.query.onlyGood) === "true", columns, key: request.headers["idempotency-key"] };
        return await take(userId, { catalogId, code }, "upload-to-existing-tel", file, upload);
      });
      return await reply.code(201).send(answer);
    },
  });
}

/** Fastify checks the bodies of JSON; a form's fields are checked here, when all of them are there. */
function checkFields<Schema extends z.ZodType>(schema: Schema, fields: Record<string, string>): z.infer<Schema> {
  const checked = schema.safeParse(fields);
  const place = findControlCharacter(fields);
  if (place !== undefined) throw fieldError(place, "takes no control characters");
  if (checked.success) return checked.data;
  throw new AppError("VALIDATION", { fields: listFields(checked.error.issues) });
}

/** @throws AppError `VALIDATION` for a new catalog whose code cannot be sent to at these rates. */
async function readRatesFor(deps: NumberDeps, target: Target & { code: string }): Promise<Rates> {
  const rates = await deps.readRates();
  if ("newCatalog" in target) assertSendable(target.code, rates);
  return rates;
}

function nameTarget(target: Target): Record<string, string> {
  return "newCatalog" in target ? { ...target.newCatalog } : { catalogId: target.catalogId };
}
