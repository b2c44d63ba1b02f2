import { lookup } from "node:dns/promises";
import { commandStatus, commandStatusName, SmppClient, type ClientEvent } from "@ewebal/smpp";
import type { CarrierFields, CarrierTestAnswer } from "@ewebal/contract";
import { checkHost } from "./check-host.ts";

/** A carrier that takes longer to say who we are would be no joy to send with. */
export const TEST_TIMEOUT_MS = 5_000;

type Target = Pick<CarrierFields, "host" | "port" | "systemId" | "password" | "systemType" | "tls">;

/**
 * Tries to bind once, and unbinds. Nothing is sent, and the workers' binds are left alone.
 *
 * @throws AppError `VALIDATION` for a host where no carrier is.
 */
export async function testCarrier(target: Target, timeoutMs: number = TEST_TIMEOUT_MS): Promise<CarrierTestAnswer> {
  const startedAtMs = performance.now();
  const answer = (isBound: boolean, text: string): CarrierTestAnswer => ({ isBound, text, durationMs: Math.round(performance.now() - startedAtMs) });
  checkHost(target.host);
  const addresses = await findAddresses(target.host);
  if (addresses.length === 0) return answer(false, `There is no host with the name ${target.host}.`);
  // A name may lead where an address would be refused.
  for (const address of addresses) checkHost(address);

  const ended = Promise.withResolvers<{ isBound: boolean; text: string }>();
  const timer = setTimeout(() => ended.resolve({ isBound: false, text: noAnswer(timeoutMs) }), timeoutMs);
  const client = new SmppClient<undefined>(
    { ...target, window: 1, messagesPerSecond: 1, deadlineMs: timeoutMs, reconnectBaseMs: 60_000, reconnectMaxMs: 60_000 },
    {
      onOutcome: () => undefined,
      // Receipts that come at once belong to the workers; the carrier sends them again.
      onDelivery: (delivery) => void delivery.refuse(),
      onReady: () => undefined,
      onEvent: (event) => {
        const result = judge(event, target, timeoutMs);
        if (result !== undefined) ended.resolve(result);
      },
    },
  );
  client.start();
  const { isBound, text } = await ended.promise;
  clearTimeout(timer);
  const result = answer(isBound, text);
  await client.close({ drainMs: 0 });
  return result;
}

async function findAddresses(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    // Whatever the resolver's reason, there is nobody to connect to.
    return [];
  }
}

function judge(event: ClientEvent, target: Target, timeoutMs: number): { isBound: boolean; text: string } | undefined {
  if (event.kind === "bound") {
    return { isBound: true, text: event.peerSystemId === "" ? "The carrier took the bind." : `The carrier took the bind. It calls itself ${event.peerSystemId}.` };
  }
  if (event.kind === "bindRefused") return { isBound: false, text: refusalInWords(event.status, event.isCredentialProblem) };
  if (event.kind === "connectionLost") return { isBound: false, text: lossInWords(event.reason, target, timeoutMs) };
  return undefined;
}

function refusalInWords(status: number, isCredentialProblem: boolean): string {
  const name = commandStatusName(status);
  if (status === commandStatus.ESME_RINVPASWD) return `The password is wrong (${name}).`;
  if (status === commandStatus.ESME_RINVSYSID) return `The carrier does not know this system id (${name}).`;
  if (status === commandStatus.ESME_RINVSYSTYP) return `The system type is wrong (${name}).`;
  if (status === commandStatus.ESME_RALYBND) return `The name and password are right, but all binds of the contract are in use (${name}).`;
  if (isCredentialProblem) return `The system id or the password is wrong (${name}).`;
  return `The carrier refused the bind (${name}).`;
}

function lossInWords(reason: string, { host, port, tls }: Target, timeoutMs: number): string {
  if (reason.includes("ECONNREFUSED")) return `Nobody listens at ${host}, port ${port}.`;
  if (reason.includes("EHOSTUNREACH") || reason.includes("ENETUNREACH")) return `There is no way to ${host} from here. A firewall or a VPN may be missing.`;
  if (/in time|no answer to the bind|ETIMEDOUT/.test(reason)) return noAnswer(timeoutMs);
  if (/certificate|altnames|self-signed|issuer/i.test(reason)) return `The carrier's certificate is not accepted: ${reason}.`;
  if (tls && /wrong version|EPROTO|SSL|TLS|ECONNRESET|closed by the peer/i.test(reason)) return "The carrier does not speak TLS at this port. Switch TLS off, or ask for the right port.";
  if (/closed by the peer|ECONNRESET/.test(reason)) {
    return "The carrier closed the connection before it answered. It may want TLS, or does not know the address of this machine.";
  }
  return `The connection failed: ${reason}.`;
}

function noAnswer(timeoutMs: number): string {
  return `No answer within ${timeoutMs / 1_000} seconds. The address or port may be wrong, or a firewall keeps the carrier away.`;
}
