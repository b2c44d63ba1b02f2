import { Duplex } from "node:stream";
import type { Socket } from "node:net";

/** A socket that swallows what is written and reads nothing, for tests that hand octets to a session themselves. */
class FakeSocket extends Duplex {
  override _read(): void {
    // Nothing ever comes.
  }

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }

  setKeepAlive(): this {
    return this;
  }
}

export function fakeSocket(): Socket {
  return new FakeSocket() as unknown as Socket;
}
