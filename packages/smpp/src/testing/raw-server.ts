import { createServer, type AddressInfo, type Socket } from "node:net";
import { command, HEADER_OCTETS } from "../codec/commands.ts";

export type RawServer = {
  readonly port: number;
  readonly sockets: Socket[];
  /** Command ids in order of arrival; PDUs are expected whole, which they are at the pace of a test. */
  readonly heard: number[];
  readonly close: () => Promise<void>;
};

export type RawServerOptions = {
  /** Default true. */
  readonly answersBinds?: boolean;
  /** Goes on writing after the other end has closed its own. */
  readonly allowHalfOpen?: boolean;
  readonly onPdu?: (socket: Socket, pdu: Buffer) => void;
};

/** A peer that answers binds and nothing else, unless `onPdu` does. */
export async function rawServer(options: RawServerOptions = {}): Promise<RawServer> {
  const { answersBinds = true, allowHalfOpen = false, onPdu } = options;
  const sockets: Socket[] = [];
  const heard: number[] = [];
  const server = createServer({ allowHalfOpen }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; at += chunk.readUInt32BE(at)) {
        const pdu = chunk.subarray(at, at + chunk.readUInt32BE(at));
        const commandId = pdu.readUInt32BE(4);
        heard.push(commandId);
        if (commandId === command.bindTransceiver && answersBinds) {
          socket.write(rawPdu(command.bindTransceiverResp, 0, pdu.readUInt32BE(12), Buffer.from("raw\0")));
        }
        onPdu?.(socket, pdu);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    heard,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** One PDU, octet for octet. */
export function rawPdu(
  commandId: number,
  status: number,
  sequence: number,
  body: Uint8Array = new Uint8Array(),
): Buffer {
  const pdu = Buffer.alloc(HEADER_OCTETS + body.length);
  pdu.writeUInt32BE(pdu.length, 0);
  pdu.writeUInt32BE(commandId, 4);
  pdu.writeUInt32BE(status, 8);
  pdu.writeUInt32BE(sequence, 12);
  pdu.set(body, HEADER_OCTETS);
  return pdu;
}
