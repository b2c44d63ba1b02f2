import { commandStatus, commandStatusName, SmppClient, type ClientEvent } from "@ewebal/smpp";
import type { CarrierFields, CarrierTestAnswer } from "@ewebal/contract";
import { checkHost, lookupCarrier } from "./check-host.ts";

/** A carrier that takes longer to answer a bind is too slow to send through. */
export const TEST_TIMEOUT_MS = 5_000;

const NO_CARRIER_THERE =
  "No carrier answered at this host and port. Check both, whether the carrier wants TLS and which certificate it has, whether it knows the address of this machine, and the firewall.";

type Target = Pick<CarrierFields, "host" | "port" | "systemId" | "password" | "systemType" | "tls">;

/**
 * Tries to bind once, and unbinds. It sends no message and leaves the workers' binds alone. For every host that does not answer
 * like a carrier (nobody, a firewall, another service, an unknown name) the outcome has the same words after the same time, so
 * that the call does not reveal what runs on which machine.
 *
 * @throws AppError `VALIDATION` for an address that no carrier has.
 */
export async function testCarrier(target: Target, timeoutMs: number = TEST_TIMEOUT_MS): Promise<CarrierTestAnswer> {
  const startedAtMs = performance.now();
  checkHost(target.host);
  const ended = Promise.withResolvers<{ isBound: boolean; text: string }>();
  const timer = setTimeout(() => ended.resolve({ isBound: false, text: NO_CARRIER_THERE }), timeoutMs);
  const client = new SmppClient<undefined>(
    {
      ...target,
      lookup: lookupCarrier,
      window: 1,
      messagesPerSecond: 1,
      deadlineMs: timeoutMs,
      reconnectBaseMs: 60_000,
      reconnectMaxMs: 60_000,
    },
    {
      onOutcome: () => undefined,
      // A receipt that arrives here belongs to a worker. It is refused, and the carrier sends it again.
      onDelivery: (delivery) => void delivery.refuse(),
      onReady: () => undefined,
      onEvent: (event) => {
        const result = judge(event);
        if (result !== undefined) ended.resolve(result);
      },
    },
  );
  client.start();
  const { isBound, text } = await ended.promise;
  clearTimeout(timer);
  const result = { isBound, text, durationMs: Math.round(performance.now() - startedAtMs) };
  await client.close({ drainMs: 0 });
  return result;
}

/** @returns what an SMPP peer answered, in words; undefined without such an answer. */
function judge(event: ClientEvent): { isBound: boolean; text: string } | undefined {
  if (event.kind === "bound") {
    return {
      isBound: true,
      text:
        event.peerSystemId === ""
          ? "The carrier took the bind."
          : `The carrier took the bind. It calls itself ${event.peerSystemId}.`,
    };
  }
  if (event.kind === "bindRefused")
    return { isBound: false, text: refusalInWords(event.status, event.isCredentialProblem) };
  return undefined;
}

function refusalInWords(status: number, isCredentialProblem: boolean): string {
  const name = commandStatusName(status);
  if (status === commandStatus.ESME_RINVPASWD) return `The password is wrong (${name}).`;
  if (status === commandStatus.ESME_RINVSYSID) return `The carrier does not know this system id (${name}).`;
  if (status === commandStatus.ESME_RINVSYSTYP) return `The system type is wrong (${name}).`;
  if (status === commandStatus.ESME_RALYBND)
    return `The name and password are right, but all binds of the contract are in use (${name}).`;
  if (isCredentialProblem) return `The system id or the password is wrong (${name}).`;
  return `The carrier refused the bind (${name}).`;
}
