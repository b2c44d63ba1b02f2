import { afterEach } from "vitest";
import { recordingClient, type RecordingClient, type RecordingOptions } from "./recording-client.ts";
import { recordingServer, type RecordingServer, type RecordingServerOptions } from "./recording-server.ts";
import { until } from "./until.ts";

const closers: (() => Promise<void>)[] = [];

/** Ends something after the test that is running. Ends run together, as clients and servers wait for one another. */
export function closeAfterTest(close: () => Promise<void>): void {
  closers.push(close);
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

export async function startServer(options: RecordingServerOptions = {}): Promise<RecordingServer> {
  const server = await recordingServer(options);
  closeAfterTest(server.close);
  return server;
}

export function startClient(options: RecordingOptions): RecordingClient {
  const recording = recordingClient(options);
  closeAfterTest(() => recording.client.close({ drainMs: 0 }));
  recording.client.start();
  return recording;
}

/** A server of ours and a client that is bound to it. */
export async function startPair(
  serverOptions: RecordingServerOptions = {},
  clientOptions: Partial<RecordingOptions> = {},
): Promise<RecordingServer & RecordingClient> {
  const server = await startServer(serverOptions);
  const recording = startClient({ port: server.port, ...clientOptions });
  await until(() => recording.client.state === "bound", "the bind");
  return { ...server, ...recording };
}
