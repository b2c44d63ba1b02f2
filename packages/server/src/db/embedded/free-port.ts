import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the range that systems lend to outgoing connections, which would take the port while the server restarts. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 50;

/** @returns a port of 127.0.0.1 that nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  for (let tryCount = 0; tryCount < TRIES_MAX; tryCount += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port found between ${PORT_MIN} and ${PORT_MAX} on 127.0.0.1`);
}

export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  probe.once("error", () => resolve(false));
  probe.listen({ host: "127.0.0.1", port, exclusive: true }, () => probe.close(() => resolve(true)));
  return await promise;
}
