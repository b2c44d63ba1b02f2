import { eventRoutes as contract } from "@ewebal/contract";
import type { App } from "../http/app-type.ts";
import { requireSession, sessionOf } from "../http/session/session.ts";
import type { EventHub } from "./event-hub.ts";

/** The stream of hints that keeps open pages fresh. Streams end before the server stops taking requests. */
export function eventRoutes(app: App, hub: EventHub): void {
  app.addHook("preClose", async () => await hub.close());
  app.route({
    ...contract.events,
    // Answering HEAD would mean opening a stream and never ending it.
    exposeHeadRoute: false,
    onRequest: requireSession,
    handler: async (request, reply) => {
      const events = hub.open(sessionOf(request));
      // nginx would hold back events until its buffer is full.
      void reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
      return await reply.send(events);
    },
  });
}
