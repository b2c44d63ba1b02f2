import { commandStatus } from "../codec/command-status.ts";
import type { ServerSession } from "../server/server-session.ts";
import type {
  BindRequest,
  DeliverOutcome,
  IncomingRequest,
  IncomingSubmit,
  ServerOptions,
} from "../server/server-types.ts";
import { SmppServer } from "../server/smpp-server.ts";

export type RecordingServer = {
  readonly server: SmppServer<string>;
  readonly port: number;
  readonly submits: IncomingSubmit[];
  readonly delivered: { context: string; outcome: DeliverOutcome }[];
  readonly bound: ServerSession<string>[];
  readonly close: () => Promise<void>;
};

export type RecordingServerOptions = {
  readonly onBind?: (request: BindRequest) => number | Promise<number>;
  /** Default: the server knows no query_sm, cancel_sm and replace_sm. */
  readonly onRequest?: (request: IncomingRequest) => void;
  /** Default: accept with ids 1, 2, ... */
  readonly onSubmit?: (submit: IncomingSubmit, session: ServerSession<string>, count: number) => void;
  readonly onClosed?: () => void;
} & Partial<ServerOptions>;

export async function recordingServer(options: RecordingServerOptions = {}): Promise<RecordingServer> {
  const { onBind, onRequest, onSubmit, onClosed, ...serverOptions } = options;
  const submits: IncomingSubmit[] = [];
  const delivered: RecordingServer["delivered"] = [];
  const bound: ServerSession<string>[] = [];
  const server = new SmppServer<string>(
    { host: "127.0.0.1", port: 0, systemId: "carrier", ...serverOptions },
    {
      onBind: (request) => onBind?.(request) ?? commandStatus.ESME_ROK,
      onBound: (session) => bound.push(session),
      onSubmit(session, submit) {
        submits.push(submit);
        if (onSubmit === undefined) submit.accept(String(submits.length));
        else onSubmit(submit, session, submits.length);
      },
      ...(onRequest && {
        onRequest: (_session: ServerSession<string>, request: IncomingRequest) => onRequest(request),
      }),
      onDelivered: (_session, context, outcome) => delivered.push({ context, outcome }),
      onReady() {
        // Tests deliver when they want to.
      },
      onClosed() {
        onClosed?.();
      },
    },
  );
  const port = await server.listen();
  return { server, port, submits, delivered, bound, close: () => server.close({ isPolite: false }) };
}
