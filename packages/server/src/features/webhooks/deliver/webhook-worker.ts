/**
 * Delivers events to endpoints, from any number of hosts.
 *
 * endpoint  free -> leased by one worker -> free (nothing is due, or the worker stops); a worker that dies loses its leases after LEASE_SECONDS.
 * delivery  waits -> delivered (2xx within 10 s); -> waits (5 s, 30 s, 2 min, ... later) -> given up after 72 h. A replay lets it wait anew.
 *
 * Nothing is marked before the endpoint has answered, so a worker that is killed leaves every event where it was: it is delivered at least once, under
 * one id. Events reach an endpoint about in the order in which they happened, not strictly: ten are under way at once, and one that failed comes later.
 *
 * Turns are fair: a free place goes to the customer who has the fewest deliveries under way. An endpoint that lets us wait for the whole time gets one
 * delivery at a time until it answers, and all of those together get half of the places at most. So whoever is slow delays nobody else.
 *
 * Memory is bounded by the places: an event's body is read when its turn comes, never before.
 */
import { webhookLimits } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { createListener } from "../../../db/listen.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { GuardedPoster, type Posted } from "../../../http/outbound/guarded-post.ts";
import { signPost } from "../../../http/outbound/standard-webhooks.ts";
import { writeMail, type MailContent } from "../../../mail/index.ts";
import { EVENT_CHANNEL } from "../../../outbox/index.ts";
import { openSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../secrets/secrets-key.ts";
import { hasFeed } from "../../delivery/index.ts";
import { collectReports, tellFinished } from "./collect-reports.ts";
import { HeldStreams } from "./held-streams.ts";
import {
  endLeases,
  insertAttempt,
  leaseEndpoint,
  markDelivered,
  markFailed,
  readDueEvent,
  renewLeases,
  selectDueEndpoints,
  selectDueEvents,
  switchOff,
  type DueEvent,
} from "./deliver-store.ts";

/** Deliveries under way in one process. */
const PLACES = 200;
const PLACES_OF_ENDPOINT = 10;
/** Of endpoints that let us wait, together. */
const PLACES_OF_SILENT = PLACES / 2;
const ENDPOINTS_MAX = 500;
/** Ids of events that are read ahead for one endpoint. */
const AHEAD_MAX = 50;
const ANSWER_TIMEOUT_MS = 10_000;
/** Events are announced: for what is tried again, and what was not heard of. */
const LOOK_MS = 1_000;
const COLLECT_LOOK_MS = 200;
/** Looks that are left out when nobody has reports: what comes then waits for a second anyway. */
const QUIET_LOOKS = 2;
const FINISHED_LOOK_MS = 1_000;
const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;
const STOP_MS = 11_000;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** After the first failure, the second, and so on; the last one again until the time is over. */
const RETRY_SECONDS = [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

/** An endpoint that this worker has leased. */
type Lane = {
  userId: string;
  endpointId: string;
  /** Ids of events that are due. */
  due: string[];
  underWay: Set<string>;
  isReading: boolean;
  /** More may be due than was read. */
  mayHaveMore: boolean;
  /** It let us wait for the whole time, and has not answered since. */
  isSilent: boolean;
};

export type WebhookWorkerOptions = {
  databaseUrl: string;
  /** How long an endpoint may take to answer. */
  answerTimeoutMs?: number;
  poster?: GuardedPoster;
};

export type WebhookWorker = { stop: () => Promise<void>; stats: () => { underWay: number; endpoints: number } };

export async function startWebhookWorker(deps: Deps, options: WebhookWorkerOptions): Promise<WebhookWorker> {
  const worker = new Worker(deps, options);
  await worker.start();
  return { stop: async () => await worker.stop(), stats: () => worker.stats() };
}

class Worker {
  readonly #deps: Deps;
  readonly #workerId = uuidv7();
  readonly #poster: GuardedPoster;
  readonly #timeoutMs: number;
  readonly #listener: ReturnType<typeof createListener>;
  readonly #lanes = new Map<string, Lane>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #tasks = new Map<string, Promise<void>>();
  readonly #deliveries = new Set<Promise<void>>();
  readonly #held = new HeldStreams();
  #keys: readonly Buffer[] = [];
  #isStopped = false;
  #isLookWanted = false;
  #quietLooks = 0;

  constructor(deps: Deps, { databaseUrl, answerTimeoutMs = ANSWER_TIMEOUT_MS, poster }: WebhookWorkerOptions) {
    this.#deps = { ...deps, log: deps.log.child({ part: "webhooks" }) };
    this.#timeoutMs = answerTimeoutMs;
    this.#poster = poster ?? new GuardedPoster(deps.config);
    this.#listener = createListener({
      url: databaseUrl,
      applicationName: "ewebal webhooks",
      onError: (error) => this.#deps.log.warn({ err: error }, "the connection that hears of events was lost"),
    });
  }

  async start(): Promise<void> {
    this.#keys = await getSecretsKeys(this.#deps.config);
    this.#listener.listen(EVENT_CHANNEL, { onPayload: () => this.#look(), onConnect: () => this.#look() });
    this.#every(LOOK_MS, () => this.#look());
    this.#every(COLLECT_LOOK_MS, () => this.#collect());
    this.#every(FINISHED_LOOK_MS, () => this.#run("finished", async () => await tellFinished(this.#deps)));
    this.#every(RENEW_MS, () =>
      this.#run("renew", async () => await renewLeases(this.#deps.db, this.#workerId, LEASE_SECONDS)),
    );
  }

  /** Takes nothing more, waits for what is under way, and gives its endpoints back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#listener.close();
    const over = new Promise<void>((done) => setTimeout(done, STOP_MS).unref());
    await Promise.race([Promise.all([...this.#deliveries, ...this.#tasks.values()]), over]);
    this.#poster.close();
    await endLeases(this.#deps.db, this.#workerId);
  }

  stats(): { underWay: number; endpoints: number } {
    return { underWay: this.#deliveries.size, endpoints: this.#lanes.size };
  }

  /** How far the clock of a test is ahead; 0 in earnest, where it is the machine's. */
  get #aheadSeconds(): number {
    return Math.max(0, Math.round((this.#deps.clock.now().getTime() - Date.now()) / 1_000));
  }

  #every(intervalMs: number, task: () => void): void {
    this.#timers.push(setInterval(task, intervalMs));
  }

  /** Does a task unless it is under way. What fails comes again with the next look. */
  #run(name: string, task: () => Promise<void>): void {
    if (this.#isStopped || this.#tasks.has(name)) return;
    const running = task()
      .catch((error: unknown) => this.#deps.log.warn({ err: error, task: name }, "a task of webhooks failed"))
      .finally(() => this.#tasks.delete(name));
    this.#tasks.set(name, running);
  }

  #collect(): void {
    if (this.#quietLooks > 0) {
      this.#quietLooks -= 1;
      return;
    }
    this.#run("collect", async () => {
      this.#held.look();
      if (!(await hasFeed(this.#deps.db, "webhooks"))) {
        this.#quietLooks = QUIET_LOOKS;
        return;
      }
      const isHeld = this.#held.isHeld.bind(this.#held);
      let goOn = true;
      while (goOn && !this.#isStopped) {
        const told = await collectReports(this.#deps, isHeld);
        const goingOn = told.filter((customer) => !this.#held.hold(customer));
        goOn = goingOn.some(({ mayHaveMore }) => mayHaveMore);
      }
    });
  }

  /** Looks for endpoints with something to do. What is announced during a look is looked for again. */
  #look(): void {
    this.#isLookWanted = true;
    this.#run("look", async () => {
      while (this.#isLookWanted && !this.#isStopped) {
        this.#isLookWanted = false;
        const room = ENDPOINTS_MAX - this.#lanes.size;
        const look = { workerId: this.#workerId, aheadSeconds: this.#aheadSeconds, limit: ENDPOINTS_MAX };
        const found = await selectDueEndpoints(this.#deps.db, look);
        let taken = 0;
        for (const key of found) {
          const lane = this.#lanes.get(key.endpointId);
          if (lane !== undefined) lane.mayHaveMore = true;
          else if (taken < room && (await this.#lease(key))) taken += 1;
        }
        for (const lane of this.#lanes.values()) this.#readAhead(lane);
        this.#proceed();
      }
    });
  }

  async #lease({ userId, endpointId }: { userId: string; endpointId: string }): Promise<boolean> {
    const lease = { workerId: this.#workerId, seconds: LEASE_SECONDS };
    if (!(await leaseEndpoint(this.#deps.db, { userId, endpointId }, lease))) return false;
    this.#lanes.set(endpointId, {
      userId,
      endpointId,
      due: [],
      underWay: new Set(),
      isReading: false,
      mayHaveMore: true,
      isSilent: false,
    });
    return true;
  }

  #readAhead(lane: Lane): void {
    if (lane.isReading || lane.due.length > 0 || this.#isStopped) return;
    if (!lane.mayHaveMore) {
      if (lane.underWay.size === 0) this.#giveBack(lane);
      return;
    }
    lane.isReading = true;
    lane.mayHaveMore = false;
    this.#hold(
      this.#readDue(lane)
        .catch((error: unknown) => this.#deps.log.warn({ err: error }, "events of an endpoint could not be read"))
        .finally(() => {
          lane.isReading = false;
          if (lane.due.length > 0) this.#proceed();
          else this.#readAhead(lane);
        }),
    );
  }

  async #readDue(lane: Lane): Promise<void> {
    const eventIds = await selectDueEvents(this.#deps.db, lane, {
      aheadSeconds: this.#aheadSeconds,
      limit: AHEAD_MAX,
      without: [...lane.underWay],
    });
    lane.due = eventIds.filter((eventId) => !lane.underWay.has(eventId));
    lane.mayHaveMore ||= eventIds.length === AHEAD_MAX;
  }

  #giveBack(lane: Lane): void {
    this.#lanes.delete(lane.endpointId);
    this.#hold(
      endLeases(this.#deps.db, this.#workerId, lane).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, "an endpoint could not be given back; its lease ends by itself"),
      ),
    );
  }

  #hold(work: Promise<void>): void {
    this.#deliveries.add(work);
    void work.finally(() => this.#deliveries.delete(work));
  }

  /** Gives free places away. */
  #proceed(): void {
    for (let lane = this.#next(); lane !== undefined && !this.#isStopped; lane = this.#next()) {
      const eventId = lane.due.shift();
      if (eventId === undefined) continue;
      lane.underWay.add(eventId);
      this.#hold(this.#deliverOne(lane, eventId));
    }
  }

  /** The endpoint whose turn it is: of the customer with the fewest deliveries under way. */
  #next(): Lane | undefined {
    const underWay = new Map<string, number>();
    let all = 0;
    let silent = 0;
    for (const { userId, underWay: own, isSilent } of this.#lanes.values()) {
      underWay.set(userId, (underWay.get(userId) ?? 0) + own.size);
      all += own.size;
      if (isSilent) silent += own.size;
    }
    if (all >= PLACES) return undefined;
    let best: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      const most = lane.isSilent ? 1 : PLACES_OF_ENDPOINT;
      if (lane.due.length === 0 || lane.underWay.size >= most) continue;
      if (lane.isSilent && silent >= PLACES_OF_SILENT) continue;
      const isFewer = best === undefined || (underWay.get(lane.userId) ?? 0) < (underWay.get(best.userId) ?? 0);
      if (isFewer) best = lane;
    }
    return best;
  }

  async #deliverOne(lane: Lane, eventId: string): Promise<void> {
    try {
      const look = { workerId: this.#workerId, eventId, aheadSeconds: this.#aheadSeconds };
      const event = await readDueEvent(this.#deps.db, lane, look);
      if (event !== undefined) await this.#post(lane, event);
    } catch (error) {
      this.#deps.log.warn({ err: error, eventId }, "a delivery could not be recorded and comes again");
    } finally {
      lane.underWay.delete(eventId);
      this.#readAhead(lane);
      this.#proceed();
    }
  }

  async #post(lane: Lane, event: DueEvent): Promise<void> {
    const { eventId, type, body, url } = event;
    const secrets = [event.secret, event.oldSecret].flatMap((sealed) => {
      const secret = sealed === null ? undefined : openSecret(this.#keys, lane.endpointId, sealed);
      return secret === undefined ? [] : [secret];
    });
    const signature = signPost({ eventId, body, sentAt: this.#deps.clock.now() }, secrets);
    const posted: Posted =
      secrets.length === 0
        ? { status: 0, answer: "The secret cannot be read; rotate it", durationMs: 0, isSilent: false }
        : await this.#poster.post({
            url,
            headers: { "content-type": "application/json", "user-agent": "Ewebal-Webhooks/1", ...signature },
            body,
            timeoutMs: this.#timeoutMs,
            answerBytesMax: webhookLimits.answerBytesMax,
          });
    lane.isSilent = posted.isSilent;
    const { status, answer, durationMs } = posted;
    const isDelivered = status >= 200 && status < 300;
    const attempt = { attemptId: uuidv7(), eventId, type, status, answer, durationMs, isDelivered };
    const aheadSeconds = this.#aheadSeconds;
    await withTransaction(this.#deps.db, async (tx) => {
      await insertAttempt(tx, lane, attempt, aheadSeconds);
      if (isDelivered) return await markDelivered(tx, lane, eventId);
      const delaySeconds = RETRY_SECONDS[Math.min(event.tryCount, RETRY_SECONDS.length - 1)] ?? HOUR;
      const times = { hours: webhookLimits.retryHours, aheadSeconds };
      if (!(await markFailed(tx, lane, { eventId, delaySeconds, ...times }))) return;
      const reason = `Nothing arrived for ${webhookLimits.retryHours} hours. The last answer: ${status === 0 ? answer : status}`;
      const owner = await switchOff(tx, lane, { reason, ...times });
      if (owner !== undefined) await writeMail(this.#deps, tx, offMail(owner, reason));
    });
  }
}

function offMail(owner: { email: string; userName: string; url: string }, reason: string): MailContent {
  return {
    recipient: owner.email,
    subject: "A webhook was switched off",
    greetingName: owner.userName,
    blocks: [
      { kind: "text", text: `We post nothing more to this address of yours:\n\n${owner.url}\n\n${reason}.` },
      {
        kind: "text",
        text: `Switch it on again when it works, and replay what it missed. Events are kept for ${webhookLimits.keptDays} days.`,
      },
      { kind: "action", label: "Your webhooks", path: "/user-dashboard/webhooks" },
    ],
  };
}
