/** Keep-alive by a clock of our own: what it does after silence, after a read, and in a process that was stalled. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Socket } from "node:net";
import { command } from "../codec/commands.ts";
import { Connection } from "./connection.ts";
import { fakeSocket } from "../testing/fake-socket.ts";
import { rawPdu } from "../testing/raw-server.ts";

const times = { enquireAfterMs: 30_000, deadlineMs: 10_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function open(): { connection: Connection; socket: Socket; written: number[]; give: (pdu: Buffer) => void } {
  const socket = fakeSocket();
  const written: number[] = [];
  vi.spyOn(socket, "write").mockImplementation((chunk) => {
    written.push((chunk as Buffer).readUInt32BE(4));
    return true;
  });
  const connection = new Connection(
    socket,
    { onPdu: () => undefined, onTurn: () => undefined, onHandedOver: () => undefined, onClosed: () => undefined },
    times,
  );
  connection.startKeepAlive();
  return { connection, socket, written, give: (pdu) => connection.read(pdu, pdu.length) };
}

test("after 30 s of silence it asks once, and 10 s later gives up", () => {
  const { written, socket } = open();
  vi.advanceTimersByTime(29_999);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(2);
  expect(written).toEqual([command.enquireLink]);
  vi.advanceTimersByTime(9_990);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(20);
  expect(socket.destroyed).toBe(true);
  expect(written).toEqual([command.enquireLink]);
});

test("whatever is read postpones the question", () => {
  const { written, give } = open();
  for (let turn = 0; turn < 10; turn += 1) {
    vi.advanceTimersByTime(20_000);
    give(rawPdu(command.deliverSm, 0, turn + 1));
  }
  expect(written).toEqual([]);
});

test("any PDU is an answer, and the next silence is asked about anew", () => {
  const { written, give, socket } = open();
  vi.advanceTimersByTime(30_005);
  give(rawPdu(command.deliverSm, 0, 1));
  vi.advanceTimersByTime(29_000);
  expect(written).toEqual([command.enquireLink]);
  vi.advanceTimersByTime(11_000);
  expect(written).toEqual([command.enquireLink, command.enquireLink]);
  expect(socket.destroyed).toBe(false);
});

test("a process that was stalled past the deadline reads what waits in its socket before it judges", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { give, socket, written } = open();
  const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(30_005);
  await endOfTurn();
  expect(written).toEqual([command.enquireLink]);
  // The timer is long due when the loop turns again; the poll phase comes before the judgement.
  vi.advanceTimersByTime(20_000);
  give(rawPdu(command.enquireLinkResp, 0, 1));
  await endOfTurn();
  expect(socket.destroyed).toBe(false);
});
