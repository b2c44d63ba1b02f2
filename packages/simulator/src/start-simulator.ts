import { once } from "node:events";
import { commandStatus, SmppServer, type BindRequest } from "@ewebal/smpp";
import { Carrier } from "./carrier.ts";
import { createControlServer, listenControl } from "./control-server.ts";
import type { SentReceipt } from "./receipt-queue.ts";
import type { SimulatorSettings } from "./settings.ts";

export type Simulator = {
  readonly smppPort: number;
  readonly controlPort: number;
  /** Answers what is open, unbinds every client and closes both ports. The journal stays. */
  close(): Promise<void>;
};

/** A client that stores receipts before it acknowledges them has that many under way at 30,000 a second. */
const DELIVER_WINDOW = 1000;
/** They wait for milliseconds only; each may hold 64 KiB. */
const OPEN_SUBMITS_MAX = 2000;
const UNBIND_DEADLINE_MS = 2000;

/**
 * Starts a carrier on loopback, with what its journal still holds.
 *
 * @throws the socket's error when a port is taken, the file system's when `dataDir` cannot be used; nothing runs then.
 */
export async function startSimulator(settings: SimulatorSettings): Promise<Simulator> {
  const carrier = new Carrier(settings);
  const server = new SmppServer<SentReceipt>(
    {
      host: settings.host,
      port: settings.smppPort,
      systemId: "SIMULATOR",
      deliverWindow: DELIVER_WINDOW,
      openSubmitsMax: OPEN_SUBMITS_MAX,
      deadlineMs: UNBIND_DEADLINE_MS,
    },
    {
      onBind: (request) => judgeBind(request, settings),
      onBound: (session) => carrier.pump([session]),
      onSubmit: (_session, submit) => carrier.onSubmit(submit),
      onDelivered: (_session, sent, outcome) => carrier.onDelivered(sent, outcome),
      onReady: (session) => carrier.pump([session]),
      onClosed: () => carrier.pump(server.sessions),
    },
  );
  carrier.onTick = () => carrier.pump(server.sessions);
  const control = createControlServer(carrier, settings.controlToken);
  const close = async (): Promise<void> => {
    const whenControlClosed = control.listening ? once(control, "close") : undefined;
    control.close();
    control.closeAllConnections();
    await Promise.all([server.close(), whenControlClosed]);
    carrier.close();
  };
  try {
    const smppPort = await server.listen();
    const controlPort = await listenControl(control, { host: settings.host, port: settings.controlPort });
    return { smppPort, controlPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function judgeBind(request: BindRequest, settings: SimulatorSettings): number {
  if (request.systemId !== settings.systemId) return commandStatus.ESME_RINVSYSID;
  if (request.password !== settings.password) return commandStatus.ESME_RINVPASWD;
  return commandStatus.ESME_ROK;
}
