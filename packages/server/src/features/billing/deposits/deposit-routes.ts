/** Bank deposits: reported by customers, decided by administrators. */
import fastifyMultipart from "@fastify/multipart";
import { depositRoutes as contract, limits } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { type FileStore, openFileStore } from "../../../files/index.ts";
import type { App } from "../../../http/app-type.ts";
import {
  requireAdmin,
  requireCustomer,
  requireCustomerOrAdmin,
  requireFreshSecondFactor,
  requireSession,
  sessionOf,
} from "../../../http/session/session.ts";
import { creditDeposit, declineDeposit } from "./decide-deposit.ts";
import { presentCredit, presentListed, presentSubmission, presentViewed } from "./present-deposit.ts";
import { type DepositForm, hideDeposit, submitDeposit } from "./submit-deposit.ts";
import { listDeposits, readReceipt, viewDeposit } from "./view-deposits.ts";

/** An image may run nothing. Chrome shows no PDF under that policy, so for a PDF it only says who may frame it. */
const RECEIPT_POLICIES = {
  image: "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
  pdf: "frame-ancestors 'self'",
};

export async function depositRoutes(app: App, deps: Deps): Promise<void> {
  const store = await openFileStore(deps.config);
  app.addHook("onClose", () => store.close());
  readingRoutes(app, deps, store);
  decidingRoutes(app, deps);
  // Only these routes take forms.
  await app.register(async (scope: App) => {
    await scope.register(fastifyMultipart);
    submittingRoutes(scope, deps, store);
  });
}

function submittingRoutes(app: App, deps: Deps, store: FileStore): void {
  app.route({
    ...contract.submitTransferDetails,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const form = await receiveDepositForm(request);
      const idempotencyKey = request.headers["idempotency-key"];
      const submitted = await submitDeposit(deps, store, { ...form, ...request.params, idempotencyKey });
      const { status, body } = presentSubmission(submitted);
      return await reply.code(status).send(body);
    },
  });
}

function readingRoutes(app: App, deps: Deps, store: FileStore): void {
  const { db } = deps;
  app.route({
    ...contract.userTransferDetails,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const viewer = sessionOf(request);
      const { rows, next } = await listDeposits(db, viewer, request.params.userId, request.query);
      return { data: rows.map(presentListed(viewer)), next };
    },
  });
  app.route({
    ...contract.viewAllTransactions,
    onRequest: requireAdmin,
    handler: async (request) => {
      const viewer = sessionOf(request);
      const { rows, next } = await listDeposits(db, viewer, undefined, request.query);
      return { data: rows.map(presentListed(viewer)), next };
    },
  });
  app.route({
    ...contract.viewOneTransaction,
    onRequest: requireSession,
    handler: async (request) => {
      const viewer = sessionOf(request);
      const viewed = await viewDeposit(db, viewer, request.params.transferId);
      return { message: "Transaction", data: presentViewed(viewer, viewed) };
    },
  });
  app.route({
    ...contract.receipt,
    onRequest: requireSession,
    handler: async (request, reply) => {
      const { transferId } = request.params;
      const { bytes, contentType, extension } = await readReceipt(deps, store, sessionOf(request), transferId);
      const file = reply
        .type(contentType)
        .header("content-disposition", `inline; filename="receipt-${transferId}.${extension}"`)
        .header("content-security-policy", RECEIPT_POLICIES[extension === "pdf" ? "pdf" : "image"])
        .header("cache-control", "private, no-store");
      // The contract leaves this answer open; the cast lets the bytes bypass its serializer.
      return await (file as FastifyReply).send(bytes);
    },
  });
}

function decidingRoutes(app: App, deps: Deps): void {
  const hide = async (request: { params: { userId: string; transferId: string } }) => {
    const { userId, transferId: depositId } = request.params;
    await hideDeposit(deps, { userId, depositId });
    return { message: "Deleted Successfully" };
  };
  app.route({
    ...contract.deleteDetails,
    onRequest: requireCustomer,
    handler: async (request, reply) => await reply.code(202).send(await hide(request)),
  });
  app.route({
    ...contract.disapprove,
    onRequest: requireCustomer,
    handler: async (request, reply) => await reply.code(202).send(await hide(request)),
  });
  app.route({
    ...contract.creditUser,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { userId, transferId: depositId, adminId } = request.params;
      const credit = { adminId, units: request.body.units, clientAddress: request.ip };
      const outcome = await creditDeposit(deps, { userId, depositId }, credit);
      const { status, body } = presentCredit(sessionOf(request), outcome);
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.declinedTransaction,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { userId, transferId: depositId, adminId } = request.params;
      const reason = request.body?.reason ?? "";
      const declined = await declineDeposit(
        deps,
        { userId, depositId },
        { adminId, reason, clientAddress: request.ip },
      );
      return {
        message: "Transaction declined. A mail was sent to the user",
        data: presentViewed(sessionOf(request), declined),
      };
    },
  });
}

const FILE_FIELD = "image";
const FIELD_BYTES_MAX = 1_000;
const FIELDS_MAX = 20;

/**
 * Reads a deposit's form. The receipt is small and stays in memory.
 *
 * @throws AppError `MEDIA_TYPE_REFUSED` for a body that is not a form; `BODY_TOO_LARGE` for a receipt of more than 5 MB; `VALIDATION` for a form
 *   that cannot be read, or has a field twice.
 */
async function receiveDepositForm(request: FastifyRequest): Promise<DepositForm> {
  if (!request.isMultipart())
    throw new AppError("MEDIA_TYPE_REFUSED", { message: "Please send a form (multipart/form-data)" });
  const parts = request.parts({
    limits: {
      fileSize: limits.receiptBytesMax,
      files: 2,
      fields: FIELDS_MAX,
      fieldSize: FIELD_BYTES_MAX,
      parts: FIELDS_MAX + 2,
    },
  });
  const fields: Record<string, string> = {};
  let receipt: DepositForm["receipt"];
  try {
    for await (const part of parts) {
      const name = part.fieldname;
      if (Object.hasOwn(fields, name) || (name === FILE_FIELD && receipt !== undefined))
        throw fieldError(name, "is there twice");
      if (part.type === "file") {
        if (name !== FILE_FIELD) throw fieldError(name, "takes no file");
        const bytes = await part.toBuffer();
        // A browser sends an empty file without a name when none was chosen.
        if (part.filename !== "" || bytes.length > 0) receipt = { fileName: part.filename, bytes };
      } else {
        if (typeof part.value !== "string" || part.valueTruncated) throw fieldError(name, "is not a short text");
        fields[name] = part.value;
      }
    }
  } catch (error) {
    // The parser's errors about a broken form have no code; all other errors do.
    if (error instanceof Error && !("code" in error))
      throw new AppError("VALIDATION", { fields: { body: "is not a whole form" }, cause: error });
    throw error;
  }
  return { fields, receipt };
}
