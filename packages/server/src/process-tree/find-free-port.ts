import { once } from "node:events";
import { createServer } from "node:net";

/** @returns a port of this machine that was free a moment ago. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 });
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  server.close();
  await once(server, "close");
  return port;
}
