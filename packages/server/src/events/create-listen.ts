import { createListener } from "../db/listen.ts";
import type { Listen } from "./event-hub.ts";

/**
 * Gives an event hub its connection.
 *
 * @param onError told why the connection was lost or refused; it is tried again until the hub closes.
 */
export function createListen(url: () => string, onError: (error: unknown) => void): Listen {
  return (channel, handlers) => {
    const listener = createListener({ url: url(), onError, applicationName: "ewebal-events" });
    listener.listen(channel, handlers);
    return { close: () => listener.close() };
  };
}
