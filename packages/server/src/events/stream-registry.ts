import { AppError } from "../base/errors.ts";
import type { Session } from "../http/session/session.ts";
import { AUDIENCE_ADMINS, AUDIENCE_EVERYONE } from "./hint.ts";
import { EventStream } from "./event-stream.ts";

/** A browser opens six connections to one host; streams on all of them would leave none for the pages' own calls. */
export const STREAMS_PER_SESSION_MAX = 4;
/** Each costs a socket and about 20 kB. */
export const STREAMS_PER_PROCESS_MAX = 20_000;

/** Whose stream it is. */
export type StreamOwner = Pick<Session, "sessionId" | "actorId" | "accountId" | "kind">;

/** The open streams of this process, found by audience, by session and by person. A stream leaves when it is closed. */
export class StreamRegistry {
  readonly #all = new Set<EventStream>();
  readonly #byAudience = new Map<string, Set<EventStream>>();
  readonly #bySession = new Map<string, Set<EventStream>>();
  readonly #byActor = new Map<string, Set<EventStream>>();

  /**
   * A session that has as many as it may loses its oldest one. That is most often what a lost network left behind: nobody tells
   * the server of a line that is dead, and whoever comes back on another must not wait until it notices. The page of a living
   * one connects again by itself, and reads everything anew.
   *
   * @throws AppError `UNAVAILABLE` when the process has too many open.
   */
  open(owner: StreamOwner): EventStream {
    if (this.#all.size >= STREAMS_PER_PROCESS_MAX) throw new AppError("UNAVAILABLE");
    this.#makeRoom(owner.sessionId);
    // A member hears of the account, and of what is their own.
    const audiences = owner.kind === "admin" ? [AUDIENCE_ADMINS] : [...new Set([owner.accountId, owner.actorId])];
    const stream: EventStream = new EventStream(() => {
      this.#all.delete(stream);
      for (const audience of audiences) removeFrom(this.#byAudience, audience, stream);
      removeFrom(this.#bySession, owner.sessionId, stream);
      removeFrom(this.#byActor, owner.actorId, stream);
    });
    this.#all.add(stream);
    for (const audience of audiences) addTo(this.#byAudience, audience, stream);
    addTo(this.#bySession, owner.sessionId, stream);
    addTo(this.#byActor, owner.actorId, stream);
    return stream;
  }

  #makeRoom(sessionId: string): void {
    const own = this.#bySession.get(sessionId);
    const [oldest] = own ?? [];
    if (own === undefined || oldest === undefined || own.size < STREAMS_PER_SESSION_MAX) return;
    // It counts no more, and closes when its client has taken what is left, or the heartbeats find it stuck.
    removeFrom(this.#bySession, sessionId, oldest);
    oldest.end();
  }

  all(): Iterable<EventStream> {
    return this.#all;
  }

  ofAudience(audience: string): Iterable<EventStream> {
    return audience === AUDIENCE_EVERYONE ? this.#all : (this.#byAudience.get(audience) ?? []);
  }

  ofSession(sessionId: string): Iterable<EventStream> {
    return this.#bySession.get(sessionId) ?? [];
  }

  ofActor(actorId: string): Iterable<EventStream> {
    return this.#byActor.get(actorId) ?? [];
  }

  sessionIds(): string[] {
    return [...this.#bySession.keys()];
  }
}

function addTo(map: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([stream]));
  else set.add(stream);
}

function removeFrom(map: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  const set = map.get(key);
  set?.delete(stream);
  if (set?.size === 0) map.delete(key);
}
