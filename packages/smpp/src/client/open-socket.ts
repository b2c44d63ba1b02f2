import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions as TlsOptions } from "node:tls";

/** One read takes what has come since the last one, so that a turn deals with it all. */
const READ_BUFFER_OCTETS = 256 * 1024;

/**
 * Opens a socket that reads into one fixed buffer (`onread`) instead of making a new one a read.
 *
 * @param onOpen called when octets may be written, with TLS after its handshake.
 * @param onRead its buffer is overwritten after the call.
 */
export function openSocket(
  target: { host: string; port: number; tls: boolean | TlsOptions; lookup?: LookupFunction | undefined },
  onOpen: () => void,
  onRead: (chunk: Buffer, octets: number) => void,
): Socket {
  const { host, port, tls, lookup } = target;
  const buffer = Buffer.allocUnsafeSlow(READ_BUFFER_OCTETS);
  const onread = {
    buffer,
    callback: (octets: number): boolean => {
      onRead(buffer, octets);
      return true;
    },
  };
  const address = { host, port, noDelay: true, onread, ...(lookup && { lookup }) };
  if (tls === false) return connect(address, onOpen);
  // RFC 6066: an address is no server name; the certificate is checked against the address then.
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectTls({ ...name, ...(tls === true ? {} : tls), ...address }, onOpen);
  socket.setNoDelay(true);
  return socket;
}
