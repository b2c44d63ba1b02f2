/**
 * Several database hosts in one address, of which one takes writes: `postgres://user:password@a,b:5433/db?target_session_attrs=read-write`,
 * as libpq reads it (PostgreSQL manual, "Specifying Multiple Hosts"). The driver knows one host, so the host is chosen here for
 * each new connection, and a failover needs no virtual address.
 */
import { Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { Client, type ClientConfig } from "pg";
import { parse } from "pg-connection-string";
import { SQL_STATE } from "./sql-state.ts";

export type Host = { readonly host: string; readonly port: number };

const DEFAULT_PORT = 5432;
/** All hosts are asked at once, so this is what a host that vanished costs at most; a promotion itself takes longer. */
const ASK_TIMEOUT_MS = 3_000;

/** The three parts of an address: up to the hosts, the hosts, and the rest. `URL` takes no list of hosts with ports. */
const ADDRESS_FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)([^/?#@]*)([^]*)$/;

/** @returns the hosts in their order, those of IPv6 without brackets; one without a port listens on 5432. */
export function hostsOf(url: string): readonly Host[] {
  const [, , list = ""] = ADDRESS_FORM.exec(url) ?? [];
  if (list === "") return [];
  return list.split(",").map((item) => {
    const [, host = item, port] = /^(.*?)(?::(\d+))?$/.exec(item) ?? [];
    return { host: host.replace(/^\[(.*)\]$/, "$1"), port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/** The same address with one of its hosts. */
export function withHost(url: string, { host, port }: Host): string {
  const [, start = "", , rest = ""] = ADDRESS_FORM.exec(url) ?? [];
  return `${start}${host.includes(":") ? `[${host}]` : host}:${port}${rest}`;
}

/** How a client or a pool connects to `url`: to its only host, or to the one of its hosts that takes writes. */
export function connectionSettings(url: string): ClientConfig {
  const hosts = hostsOf(url);
  const [first] = hosts;
  if (first === undefined || hosts.length === 1) return { connectionString: url };
  const primary = primaryOf(url);
  const config = toConfig(withHost(url, first));
  return { ...config, ssl: checkedAgainst(primary, config.ssl), stream: () => new PrimarySocket(primary) };
}

/** The driver would hold the certificate against the first host's name, whichever host it was led to. */
function checkedAgainst(primary: Primary, ssl: ClientConfig["ssl"]): NonNullable<ClientConfig["ssl"]> {
  if (ssl === undefined || ssl === false) return false;
  const check = (_name: string, certificate: PeerCertificate): Error | undefined =>
    checkServerIdentity(primary.current.host, certificate);
  return { checkServerIdentity: check, ...(ssl === true ? {} : ssl) };
}

/** The driver reads an address and its options at once; the option that only libpq knows is of no use to it. */
function toConfig(url: string): ClientConfig {
  const { target_session_attrs: _attributes, ...config } = parse(url);
  return config as unknown as ClientConfig;
}

/** One for each address of a process, so that all its pools learn of a failover together. */
const primaries = new Map<string, Primary>();

function primaryOf(url: string): Primary {
  let primary = primaries.get(url);
  if (primary === undefined) {
    primary = new Primary(url);
    primaries.set(url, primary);
  }
  return primary;
}

/** Knows which of several hosts takes writes, until it is told that it does not any more. */
class Primary {
  readonly #url: string;
  #current: Host;
  /** Set while `current` is believed; a failure clears it, and the next connection asks again. */
  #found: Promise<Host> | undefined;

  constructor(url: string) {
    this.#url = url;
    this.#current = hostsOf(url)[0] ?? { host: "", port: DEFAULT_PORT };
  }

  get current(): Host {
    return this.#current;
  }

  /** @throws the failures of all hosts together, which count as a lost connection, when none of them takes writes. */
  find(): Promise<Host> {
    this.#found ??= this.#ask();
    return this.#found;
  }

  forget(): void {
    this.#found = undefined;
  }

  async #ask(): Promise<Host> {
    try {
      this.#current = await Promise.any(
        hostsOf(this.#url).map(async (host) => {
          const client = new Client({
            ...toConfig(withHost(this.#url, host)),
            connectionTimeoutMillis: ASK_TIMEOUT_MS,
          });
          client.on("error", () => undefined);
          try {
            await client.connect();
            await assertWritable(client);
          } finally {
            await client.end();
          }
          return host;
        }),
      );
      return this.#current;
    } catch (error) {
      this.#found = undefined;
      throw error;
    }
  }
}

/** @throws an error with the code of a write on a standby, as a server that is one would answer. */
async function assertWritable(client: Client): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (rows[0]?.isReadOnly === false) return;
  throw Object.assign(new Error(`${client.host}:${client.port} takes no writes: it is a standby`), {
    code: SQL_STATE.readOnlyTransaction,
  });
}

/** Connects to the host that takes writes, wherever the driver asks it to connect. */
class PrimarySocket extends Socket {
  readonly #primary: Primary;

  constructor(primary: Primary) {
    super();
    this.#primary = primary;
    // A primary cannot become a standby without ending its connections, so each end is a reason to ask again.
    this.once("close", () => primary.forget());
  }

  override connect(): this {
    this.#primary.find().then(
      ({ host, port }) => (this.destroyed ? this : super.connect(port, host)),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return this;
  }
}
