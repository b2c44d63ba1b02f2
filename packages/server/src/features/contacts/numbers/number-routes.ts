/** Adding numbers to catalogs: pasted ones, and files. */
import fastifyMultipart from "@fastify/multipart";
import {
  contactRoutes as contract,
  existingCatalogUploadFields,
  newCatalogUploadFields,
  type Rates,
} from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { fingerprintOf } from "../../../db/idempotency.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { findControlCharacter } from "../../../http/errors/compile-validator.ts";
import { listFields } from "../../../http/errors/issue-words.ts";
import { BodyReader } from "../../../http/bounds/body-reader.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import type { ReadRates } from "../../rates/index.ts";
import { assertSendable, getCatalog } from "../catalogs/catalogs.ts";
import { LARGE_BYTES_MIN, type Gates } from "./gates.ts";
import { readContactFile } from "../upload/read-contact-file.ts";
import { pasteTasks, pasteWorkerUrl } from "./paste-tasks.ts";
import { withReceivedForm, type ReceivedFile } from "../upload/receive-form.ts";
import {
  assertNumbersTaken,
  takeNumbers,
  type Added,
  type NumbersRead,
  type RequestKey,
  type Target,
} from "./take-numbers.ts";

type NumberDeps = Deps & { gates: Gates; readRates: ReadRates };

export async function numberRoutes(app: App, deps: NumberDeps): Promise<void> {
  await app.register(async (scope: App) => pastingRoutes(scope, deps));
  await app.register(async (scope: App) => {
    await scope.register(fastifyMultipart);
    uploadRoutes(scope, deps);
  });
}

type Key = string | undefined;
type PasteRequest = { body: unknown; query: { onlyGood?: string | undefined }; headers: { "idempotency-key"?: Key } };

function pastingRoutes(app: App, deps: NumberDeps): void {
  const bodies = new BodyReader(deps.readRates, pasteTasks, pasteWorkerUrl);
  app.addHook("onClose", async () => await bodies.close());
  takeJsonAsBytes(app);

  const inTurn = async <Result>(userId: string, byteLength: number, work: () => Promise<Result>): Promise<Result> => {
    await countTry(deps, deps.db, rateRules.contacts, userId);
    const gate = byteLength >= LARGE_BYTES_MIN ? deps.gates.large : deps.gates.small;
    return await gate.run(work);
  };
  const take = async (
    userId: string,
    target: Target,
    scope: string,
    pasted: { read: NumbersRead; onlyGood: boolean; fingerprint: Uint8Array; key: Key },
  ): Promise<Added> => {
    const { read, onlyGood, key } = pasted;
    assertNumbersTaken(read, onlyGood, { field: "phoneNo", noun: "number" });
    return await takeNumbers(deps, userId, target, read, { scope, key, fingerprint: Buffer.from(pasted.fingerprint) });
  };
  const pasteIntoCatalog = async (
    request: FastifyRequest & PasteRequest,
    at: { userId: string; catalogId: string },
    scope: string,
  ): Promise<Added> => {
    const { bytes, byteLength, onlyGood, key } = pastedOf(request);
    return await inTurn(at.userId, byteLength, async () => {
      const { catalogId, code } = await getCatalog(deps.db, at);
      const pasted = await bodies.read("for-catalog", { bytes, catalogId, code, onlyGood }, byteLength);
      return await take(at.userId, { catalogId }, scope, { ...pasted, key });
    });
  };
  app.route({
    ...contract.insertToNewTel,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const { bytes, byteLength, onlyGood, key } = pastedOf(request);
      const answer = await inTurn(userId, byteLength, async () => {
        const { newCatalog, ...pasted } = await bodies.read("for-new-catalog", { bytes, onlyGood }, byteLength);
        assertSendable(newCatalog.code, await deps.readRates());
        return await take(userId, { newCatalog }, "insert-to-new-tel", { ...pasted, key });
      });
      return await reply.code(201).send(answer);
    },
  });
  app.route({
    ...contract.insertToExistingTel,
    onRequest: requireCustomer,
    handler: async (request, reply) =>
      await reply.code(201).send(await pasteIntoCatalog(request, request.params, "insert-to-existing-tel")),
  });
  app.route({
    ...contract.addContacts,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const { message, data } = await pasteIntoCatalog(request, request.params, "add-contacts");
      return await reply.code(201).send({ message, data: { ...data, message } });
    },
  });
}

function pastedOf(request: FastifyRequest & PasteRequest): {
  bytes: Buffer;
  byteLength: number;
  onlyGood: boolean;
  key: Key;
} {
  const bytes = bytesOf(request);
  return {
    bytes,
    byteLength: bytes.byteLength,
    onlyGood: request.query.onlyGood === "true",
    key: request.headers["idempotency-key"],
  };
}

type Uploaded = { onlyGood: boolean; columns: readonly number[] | undefined; key: Key };

function uploadRoutes(app: App, deps: NumberDeps): void {
  const take = async (
    userId: string,
    target: Target & { code: string },
    scope: string,
    file: ReceivedFile,
    upload: Uploaded,
  ): Promise<Added> => {
    const { onlyGood, columns, key } = upload;
    const gate = file.byteLength >= LARGE_BYTES_MIN ? deps.gates.large : deps.gates.small;
    return await gate.run(async () => {
      const rates = await readRatesFor(deps, target);
      const read = await readContactFile(file, target.code, { rates, columns });
      assertNumbersTaken(read, onlyGood, { field: "csv", noun: "row" });
      const fingerprint = fingerprintOf({
        ...nameTarget(target),
        file: file.sha256,
        columns: columns?.join(","),
        onlyGood,
      });
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
        const upload = {
          onlyGood: (onlyGood ?? request.query.onlyGood) === "true",
          columns,
          key: request.headers["idempotency-key"],
        };
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
        const upload = {
          onlyGood: (onlyGood ?? request.query.onlyGood) === "true",
          columns,
          key: request.headers["idempotency-key"],
        };
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
