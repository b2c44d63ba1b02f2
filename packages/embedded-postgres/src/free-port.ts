import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The range lies below the ports of outgoing connections. One of these could take the port between the choice and the
 * listening, or while the server restarts.
 */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 50;

const LOOPBACK = "127.0.0.1";

/** @returns a port from 20,000 to 31,999 that nobody listens on at this moment. @throws Error when 50 of them are taken. */
export async function findFreePort(host = LOOPBACK): Promise<number> {
  for (let tryCount = 0; tryCount < TRIES_MAX; tryCount += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`No free port found between ${PORT_MIN} and ${PORT_MAX} on ${host}`);
}

export async function isPortFree(port: number, host = LOOPBACK): Promise<boolean> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  probe.once("error", () => resolve(false));
  probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  return await promise;
}
