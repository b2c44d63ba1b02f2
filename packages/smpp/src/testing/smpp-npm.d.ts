/** What the tests use of the npm package `smpp`, which has no types of its own. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";

  export type Pdu = {
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly message_id?: string;
    readonly source_addr?: string;
    readonly destination_addr?: string;
    readonly short_message?: { readonly message: string | Buffer; readonly udh?: readonly Buffer[] };
    readonly message_payload?: { readonly message: string | Buffer };
    readonly sar_msg_ref_num?: number;
    readonly sar_total_segments?: number;
    readonly sar_segment_seqnum?: number;
    readonly esm_class?: number;
    readonly data_coding?: number;
    readonly message_state?: number;
    readonly receipted_message_id?: string;
    readonly final_date?: string;
    readonly error_code?: number;
    readonly system_id?: string;
    readonly password?: string;
    response(fields?: Record<string, unknown>): Pdu;
  };

  export type Session = {
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
    bind_transceiver(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    submit_sm(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    data_sm(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    query_sm(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    cancel_sm(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    replace_sm(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    alert_notification(fields: Record<string, unknown>): boolean;
    deliver_sm(fields: Record<string, unknown>, onAnswer: (pdu: Pdu) => void): boolean;
    enquire_link(onAnswer: (pdu: Pdu) => void): boolean;
    unbind(onAnswer: (pdu: Pdu) => void): boolean;
    readonly socket: import("node:net").Socket;
  } & EventEmitter;

  export type Server = {
    listen(port: number, host: string, onListening: () => void): void;
    address(): { readonly port: number };
    close(onClosed: () => void): void;
  };

  export function createServer(onSession: (session: Session) => void): Server;
  export function connect(options: { host: string; port: number }): Session;
  /** An operator's own TLV, which a PDU may name from now on. */
  export function addTLV(name: string, options: { id: number; type: unknown }): void;
  export const types: { tlv: { string: unknown; cstring: unknown } };
  const smpp: {
    createServer: typeof createServer;
    connect: typeof connect;
    addTLV: typeof addTLV;
    types: typeof types;
  };
  export default smpp;
}
