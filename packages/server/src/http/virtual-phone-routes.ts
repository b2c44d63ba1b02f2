/** Reads the virtual phones of the built-in simulator, which answers on a loopback port of its own. */
import { simulatorRoutes } from "@ewebal/contract";
import { cursorError } from "../db/cursor-page.ts";
import type { SimulatorAddress } from "../base/deps.ts";
import { AppError } from "../base/errors.ts";

import type { App } from "./app-type.ts";
import type { IsInsider } from "./session/insiders.ts";
import type { Guard } from "./session/session.ts";

const TIMEOUT_MS = 3_000;

type Phone = { number: string; messageCount: number; newest: PhoneMessage };
type PhoneMessage = { sender: string; text: string; partCount: number; receivedAt: string };

/** @param simulator undefined with real carriers: then there are no such phones. */
export function virtualPhoneRoutes(app: App, simulator: SimulatorAddress | undefined, isInsider: IsInsider): void {
  /** The phones show the texts of all customers, so only insiders and administrators who may read texts see them. */
  const requireInsider: Guard = async (request) => {
    if (request.session?.kind !== "admin" && !isInsider(request)) throw new AppError("NOT_FOUND");
  };
  app.route({
    ...simulatorRoutes.virtualPhones,
    onRequest: requireInsider,
    handler: async ({ query: { limit, after } }) => {
      const search = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
      const { data, next } = await ask<{ data: Phone[]; next: string | null }>(
        simulator,
        `/phones?${search.toString()}`,
      );
      return { data: data.map(presentPhone), next };
    },
  });
  app.route({
    ...simulatorRoutes.virtualPhone,
    onRequest: requireInsider,
    handler: async ({ params: { phoneNo } }) => {
      const { data } = await ask<{ data: { messages: PhoneMessage[] } }>(simulator, `/phones/${phoneNo}`);
      return { data: data.messages.map(presentMessage) };
    },
  });
}

async function ask<T>(simulator: SimulatorAddress | undefined, path: string): Promise<T> {
  if (simulator === undefined) throw new AppError("NOT_FOUND");
  const response = await requestSimulator(simulator, path);
  if (response.status === 404) throw new AppError("NOT_FOUND");
  if (response.status === 400) throw cursorError();
  if (!response.ok) throw new AppError("UNAVAILABLE");
  return (await response.json()) as T;
}

async function requestSimulator({ controlPort, controlToken }: SimulatorAddress, path: string): Promise<Response> {
  try {
    return await fetch(`http://127.0.0.1:${controlPort}${path}`, {
      headers: { authorization: `Bearer ${controlToken}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    // The simulator is starting again or overloaded; both pass.
    throw new AppError("UNAVAILABLE", { cause: error });
  }
}

function presentPhone({ number, messageCount, newest }: Phone) {
  return {
    phoneNo: number,
    messageCount,
    lastMessage: newest.text,
    lastSenderName: newest.sender,
    receivedAt: newest.receivedAt,
  };
}

function presentMessage({ sender, text, partCount, receivedAt }: PhoneMessage) {
  return { senderName: sender, message: text, partCount, receivedAt };
}
