/**
 * What travels from a commit to the open pages: hints, never data. A hint says which lists may look different now; the
 * page asks again for those it shows. Losing a hint is therefore repaired by one `ready`, which asks again for all.
 */
import type { ChangeTopic } from "@ewebal/contract";

/** Who receives a hint. `admin` means all administrators, `everyone` all who are signed in. */
export type Audience = { userId: string } | { admin: true } | { everyone: true };

/** What one audience is told. */
export type OutgoingHint = Audience & { topics: readonly ChangeTopic[] };

/** Ends the open streams of one session, or of all sessions of one person. */
export type SessionEnd = { sessionId: string } | { actorId: string };

/** A hint as it arrives from PostgreSQL. Without topics it means "anything may have changed". */
export type Hint =
  | { kind: "change"; audience: string; topics: string[] | undefined }
  | { kind: "end"; sessionId?: string; actorId?: string };

/**
 * One channel for all: a connection that listens to many channels costs PostgreSQL more than a hub that looks one name
 * up.
 */
export const EVENT_CHANNEL = "ewebal_event";

/**
 * PostgreSQL refuses payloads of 8,000 bytes and more, and a topic with an id has 44 characters. A page with more
 * topics than this at one moment reads everything again.
 */
export const TOPICS_PER_HINT_MAX = 100;

export const AUDIENCE_ADMINS = "admins";
export const AUDIENCE_EVERYONE = "everyone";

export function audienceName(audience: Audience): string {
  if ("userId" in audience) return audience.userId;
  return "admin" in audience ? AUDIENCE_ADMINS : AUDIENCE_EVERYONE;
}

/** @param topics in any order and with repetitions. */
export function writeChange(audience: string, topics: Iterable<string>): string {
  const distinct = [...new Set(topics)];
  return JSON.stringify(distinct.length > TOPICS_PER_HINT_MAX ? { to: audience } : { to: audience, topics: distinct });
}

export function writeSessionEnd(end: SessionEnd): string {
  return JSON.stringify({ end });
}

/**
 * @returns undefined for what is not a hint: another version of the program may write to the channel during a roll-out.
 */
export function readHint(payload: string): Hint | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if ("end" in value && typeof value.end === "object" && value.end !== null) return { kind: "end", ...value.end };
  if (!("to" in value) || typeof value.to !== "string") return undefined;
  const topics =
    "topics" in value && Array.isArray(value.topics)
      ? value.topics.filter((topic) => typeof topic === "string")
      : undefined;
  return { kind: "change", audience: value.to, topics };
}
