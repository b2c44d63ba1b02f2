import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { ClientSession } from "./client-session.ts";
import type { ClientHandlers, ClientOptions } from "./client-types.ts";
import { Pace } from "./pace.ts";
import { sessionDefaults } from "./smpp-client.ts";

/** What a client that is called needs: whom it waits for at `host` and `port`, and who it says it is. */
export type OutbindOptions = Omit<ClientOptions, "bindMode" | "tls" | "lookup" | "messagesPerSecond"> & {
  /** Calls at one time, bound or not. Default 10. */
  readonly connectionsMax?: number;
};

export type OutbindHandlers = Pick<ClientHandlers<never>, "onDelivery" | "onEvent"> & {
  /** @returns whether to bind to this carrier; its connection is ended otherwise. */
  onOutbind(outbind: { systemId: string; password: string }): boolean;
};

/**
 * A client that a carrier calls when it has something for it (outbind, section 4.1.7). Each call is answered with a
 * bind_receiver on its own connection; a carrier that wants to come again calls again.
 */
export class OutbindListener {
  readonly #options: OutbindOptions;
  readonly #handlers: OutbindHandlers;
  readonly #server: Server;
  readonly #sessions = new Set<ClientSession<never>>();

  constructor(options: OutbindOptions, handlers: OutbindHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#server = createServer({ noDelay: true }, (socket) => this.#adopt(socket));
    this.#server.maxConnections = options.connectionsMax ?? 10;
  }

  /**
   * @returns the port, when calls are taken.
   * @throws the socket's error (`EADDRINUSE`, ...) when the address cannot be had.
   */
  listen(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#server.once("error", reject);
    this.#server.listen({ host: this.#options.host, port: this.#options.port }, () => {
      this.#server.off("error", reject);
      resolve((this.#server.address() as AddressInfo).port);
    });
    return promise;
  }

  /** Takes no more calls, waits at most `drainMs` (default 10 s) until deliveries are acknowledged, then unbinds. */
  close(options: { drainMs?: number } = {}): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const session of this.#sessions) session.close(options.drainMs ?? 10_000);
    return promise;
  }

  #adopt(socket: Socket): void {
    const { onDelivery, onEvent } = this.#handlers;
    const role = "receiver";
    // A receiver submits nothing: the pace is there because a session has one.
    const pace = new Pace(1, performance.now());
    const settings = { ...sessionDefaults, ...this.#options, role, pace } as const;
    const session = new ClientSession<never>(
      settings,
      {
        onOutbind: (outbind) => this.#handlers.onOutbind(outbind),
        onDelivery,
        onBound: (peerSystemId) => onEvent({ kind: "bound", role, peerSystemId }),
        onBindRefused: (status) =>
          onEvent({ kind: "bindRefused", role, status, isCredentialProblem: false, retryInMs: 0 }),
        onAlert: (alert) => onEvent({ kind: "alert", alert }),
        onMalformed: (commandId) => onEvent({ kind: "malformed", role, commandId }),
        onOutcome: () => undefined,
        onReady: () => undefined,
        onThrottled: () => undefined,
        onLateAnswer: () => undefined,
        onClosed: (reason) => {
          this.#sessions.delete(session);
          onEvent({ kind: "closed", role, reason });
        },
      },
      (_target, _onOpen, onRead) => {
        socket.on("data", (chunk) => onRead(chunk, chunk.length));
        return socket;
      },
    );
    this.#sessions.add(session);
  }
}
