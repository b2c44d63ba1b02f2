/** The API for programs. Fields, checks and answers are those of the dashboard's calls. */
import { programRoutes as contract, unitsForJson } from "@ewebal/contract";
import { withTransaction } from "../../../db/transaction.ts";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, refuseFields, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { messageCancelled, publishChange } from "../../../events/index.ts";
import { readBalance } from "../../../ledger/index.ts";
import { cancelMessage, getMessage, listMessages, listRecipients } from "../../delivery/index.ts";
import { presentMessage, presentRecipient } from "../present-message.ts";
import { checkProgramAddress, programOf, requireKey } from "./require-key.ts";
import type { SendDeps } from "../send/send-deps.ts";
import { isDndAnswer, sendForProgram, withDnd } from "../send/send-now.ts";

export async function programRoutes(app: App, deps: SendDeps): Promise<void> {
  await app.register(async (scope: App) => {
    requireKey(scope, deps);
    takeJsonAsBytes(scope);
    sendingRoutes(scope, deps);
    readingRoutes(scope, deps);
  });
}

function sendingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.sendMessage,
    handler: async (request, reply) => {
      const answer = await sendForProgram(deps, programOf(request), {
        bytes: bytesOf(request),
        key: request.headers["idempotency-key"],
      });
      if (answer.status === 201) return await reply.code(201).send(withDnd(answer.body));
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });

  app.route({
    ...contract.cancelMessage,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      refuseFields(bytesOf(request));
      const { messageId } = request.params;
      await withTransaction(deps.db, async (tx) => {
        await cancelMessage(tx, { userId, messageId }, deps.clock.now());
        await publishChange(tx, messageCancelled({ userId, messageId }));
      });
      return { message: "Cancelled. The units of what was not sent come back" };
    },
  });
}

function readingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.listMessages,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      const { rows, next } = await listMessages(deps.db, { userId, query: request.query });
      return { data: rows.map(presentMessage), next };
    },
  });

  app.route({
    ...contract.viewMessage,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      return {
        message: "Message",
        data: presentMessage(await getMessage(deps.db, { userId, messageId: request.params.messageId })),
      };
    },
  });

  app.route({
    ...contract.listRecipients,
    handler: async (request) => {
      const userId = await checkProgramAddress(deps, request);
      const { rows, next } = await listRecipients(deps.db, {
        userId,
        messageId: request.params.messageId,
        ...request.query,
      });
      return { data: rows.map(presentRecipient), next };
    },
  });

  app.route({
    ...contract.balance,
    handler: async (request) => {
      const { freeMilli } = await readBalance(deps.db, await checkProgramAddress(deps, request));
      return { message: "Balance", data: { units: unitsForJson(freeMilli) } };
    },
  });
}
