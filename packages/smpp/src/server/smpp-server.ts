import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { ServerSession, type ServerSessionOptions, type ServerHandlers } from "./server-session.ts";
import type { ServerOptions } from "./server-types.ts";

const defaults = {
  connectionsMax: 100,
  deliverWindow: 100,
  openSubmitsMax: 10_000,
  readPauseAtSubmits: Number.POSITIVE_INFINITY,
  enquireAfterMs: 60_000,
  deadlineMs: 10_000,
  responseTimeoutMs: 60_000,
} as const;

/** The carrier's side of SMPP: takes binds and submits, and delivers. */
export class SmppServer<Context> {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #adopt: (socket: Socket) => ServerSession<Context>;
  readonly #sessions = new Set<ServerSession<Context>>();
  /** In the order in which they came. */
  readonly #unbound = new Set<ServerSession<Context>>();
  #onEmpty: (() => void) | undefined;

  constructor(options: ServerOptions, handlers: ServerHandlers<Context>) {
    this.#options = options;
    const settings: ServerSessionOptions = { ...defaults, ...options };
    const unboundMax = options.unboundMax ?? Number.POSITIVE_INFINITY;
    this.#adopt = (socket) => {
      const session: ServerSession<Context> = new ServerSession(socket, settings, handlers, () => {
        this.#sessions.delete(session);
        this.#unbound.delete(session);
        if (this.#sessions.size === 0) this.#onEmpty?.();
      });
      this.#sessions.add(session);
      this.#unbound.add(session);
      // A client that means it binds within a round trip: the oldest is somebody who only takes a place.
      this.#closeOldestUnbound(unboundMax);
      return session;
    };
    const onSocket = (socket: Socket): void => void this.#adopt(socket);
    this.#server =
      options.tls === undefined
        ? createServer({ noDelay: true }, onSocket)
        : createTlsServer({ handshakeTimeout: settings.deadlineMs, ...options.tls, noDelay: true }, onSocket);
    // A handshake that failed or took too long: Node tells, and leaves the socket open.
    this.#server.on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy());
    // The system refused one connection, for want of descriptors, say; those that are there go on. Unheard, it would end the process.
    this.#server.on("error", () => undefined);
    this.#server.maxConnections = options.connectionsMax ?? defaults.connectionsMax;
  }

  /** Every connection, bound or not. */
  get sessions(): ReadonlySet<ServerSession<Context>> {
    return this.#sessions;
  }

  #closeOldestUnbound(unboundMax: number): void {
    // Those that have bound since are passed over here, where it costs nothing.
    for (const session of this.#unbound) {
      if (this.#unbound.size <= unboundMax) return;
      this.#unbound.delete(session);
      if (!session.isBound) session.destroy();
    }
  }

  /**
   * @returns the port, when connections are taken.
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

  /**
   * Calls a client that waits for it and asks it to bind as a receiver (outbind). Its bind comes by `onBind` and `onBound`, and a
   * client that does not answer within `deadlineMs` is given up.
   *
   * @throws RangeError when `password` does not fit SMPP; nothing was sent then.
   */
  outbind(target: { host: string; port: number; password: string }): void {
    const { host, port, password } = target;
    const session = this.#adopt(connect({ host, port, noDelay: true }));
    try {
      session.outbind({ systemId: this.#options.systemId, password });
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  /** Takes no more connections and ends those that are there, politely (`unbind`) or at once. Resolves when `onClosed` was told of each. */
  async close(options: { isPolite: boolean } = { isPolite: true }): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Node tells that the server is closed before it tells of the last sockets.
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    if (this.#sessions.size === 0) this.#onEmpty?.();
    for (const session of this.#sessions) {
      if (options.isPolite) session.unbind();
      else session.destroy();
    }
    await Promise.all([closed, empty]);
  }
}
