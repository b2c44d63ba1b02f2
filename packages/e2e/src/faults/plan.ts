/**
 * What happens in a run, all of it drawn from one number before anything starts: who sends what and when, how each carrier behaves
 * towards each message, and which faults come. The same seed makes the same plan on every machine.
 */

/** Something that is done to the installation: at a moment, or for as long as its step lasts. */
export type Fault =
  | { kind: "kill worker" | "kill web" | "kill first process" | "cut power" | "stall worker"; host: number }
  | { kind: "kill database" }
  | { kind: "clock jumps"; host: number; byMs: number }
  | { kind: "disk is full" }
  | { kind: "mail server is dead"; how: "away" | "silent" | "refusing" }
  | { kind: "slow clients"; host: number; count: number }
  | { kind: "carrier resets" | "carrier is silent" | "carrier is away"; carrier: number }
  | { kind: "carrier throttles"; carrier: number; perSecond: number }
  | { kind: "carrier refuses binds"; carrier: number; status: number }
  | { kind: "foreign reports" | "foreign answers"; carrier: number; count: number };
export type FaultKind = Fault["kind"];

export type Step = { atMs: number; lastsMs: number; fault: Fault };

/** How a carrier writes the ids of its messages: in its answers, and in its reports. */
export const idForms = ["decimal", "padded", "uuid", "upperHex", "hexToDec", "decToHex"] as const;
export type IdForm = (typeof idForms)[number];

export type CarrierPlan = {
  idForm: IdForm;
  /** Chooses what each message meets; see `contrary-carrier.ts`. */
  salt: number;
  /** Reports come after so long. */
  reportAfterMs: number;
};

export type PlannedSend = {
  atMs: number;
  /** Stands in the text, so that a carrier knows the message: `m07x`. */
  tag: string;
  customer: number;
  host: number;
  /** The place of its first number among all numbers of the run, and how many follow: no number gets two messages. */
  firstNumber: number;
  numberCount: number;
  /** Parts of a long message; 1 is a short one. */
  pages: number;
};

export type Plan = {
  seed: number;
  lastsMs: number;
  carriers: CarrierPlan[];
  sends: PlannedSend[];
  steps: Step[];
  numberCount: number;
};

export type PlanSize = {
  lastsMs: number;
  stepCount: number;
  sendCount: number;
  numbersOfSendMax: number;
  /** How long a fault that lasts may last. */
  faultMsMax: number;
};

export const planSizes = {
  full: { lastsMs: 60_000, stepCount: 24, sendCount: 14, numbersOfSendMax: 400, faultMsMax: 12_000 },
  /** For the suite: a third of the faults in a fifth of the time. */
  short: { lastsMs: 12_000, stepCount: 8, sendCount: 5, numbersOfSendMax: 160, faultMsMax: 3_000 },
} as const satisfies Record<string, PlanSize>;

export const HOST_COUNT = 2;
export const CARRIER_COUNT = 2;
export const CUSTOMER_COUNT = 2;

/** Longer than a lease, so that a worker that was stalled is taken for dead before it wakes up. */
const STALL_MS_MAX = 20_000;
/** Whatever was put off waits this much longer, so steps back are those of a clock that is set, not of a wrong hour. */
const CLOCK_BACK_MS_MAX = 30_000;
const CLOCK_FORWARD_MS_MAX = 600_000;
/** ESME_RALYBND, ESME_RSYSERR and ESME_RBINDFAIL: none that makes the client wait as for a wrong password. */
const bindRefusals = [0x05, 0x08, 0x0d] as const;

/** Numbers of mulberry32: the same ones for the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number of 0 to `limit - 1`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % limit;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items];
    for (let index = shuffled.length - 1; index > 0; index -= 1) {
      const other = this.below(index + 1);
      [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
    }
    return shuffled;
  }
}

type Draw = (random: SeededRandom, size: PlanSize) => Omit<Step, "atMs">;

const onHost =
  (
    kind: Extract<Fault, { host: number }>["kind"] & ("kill worker" | "kill web" | "kill first process" | "cut power"),
  ): Draw =>
  (random) => ({ lastsMs: 0, fault: { kind, host: random.below(HOST_COUNT) } });

const ofCarrier =
  (kind: "carrier is silent" | "carrier is away"): Draw =>
  (random, size) => ({
    lastsMs: random.between(500, size.faultMsMax),
    fault: { kind, carrier: random.below(CARRIER_COUNT) },
  });

const foreign =
  (kind: "foreign reports" | "foreign answers"): Draw =>
  (random) => ({ lastsMs: 0, fault: { kind, carrier: random.below(CARRIER_COUNT), count: random.between(5, 40) } });

/** How each kind of fault is drawn. Every kind comes once before any comes again. */
const draws: Record<FaultKind, Draw> = {
  "kill worker": onHost("kill worker"),
  "kill web": onHost("kill web"),
  "kill first process": onHost("kill first process"),
  "cut power": onHost("cut power"),
  "stall worker": (random, size) => ({
    lastsMs: random.between(1_000, Math.min(STALL_MS_MAX, size.lastsMs / 3)),
    fault: { kind: "stall worker", host: random.below(HOST_COUNT) },
  }),
  "kill database": () => ({ lastsMs: 0, fault: { kind: "kill database" } }),
  "clock jumps": (random) => ({
    lastsMs: 0,
    fault: {
      kind: "clock jumps",
      host: random.below(HOST_COUNT),
      byMs:
        random.below(2) === 0 ? -random.between(1_000, CLOCK_BACK_MS_MAX) : random.between(1_000, CLOCK_FORWARD_MS_MAX),
    },
  }),
  "disk is full": (random, size) => ({
    lastsMs: random.between(500, size.faultMsMax),
    fault: { kind: "disk is full" },
  }),
  "mail server is dead": (random, size) => ({
    lastsMs: random.between(500, size.faultMsMax),
    fault: { kind: "mail server is dead", how: random.pick(["away", "silent", "refusing"] as const) },
  }),
  "slow clients": (random, size) => ({
    lastsMs: random.between(500, size.faultMsMax),
    fault: { kind: "slow clients", host: random.below(HOST_COUNT), count: random.between(10, 60) },
  }),
  "carrier resets": (random) => ({
    lastsMs: 0,
    fault: { kind: "carrier resets", carrier: random.below(CARRIER_COUNT) },
  }),
  "carrier is silent": ofCarrier("carrier is silent"),
  "carrier is away": ofCarrier("carrier is away"),
  "carrier throttles": (random, size) => ({
    lastsMs: random.between(500, size.faultMsMax),
    fault: { kind: "carrier throttles", carrier: random.below(CARRIER_COUNT), perSecond: random.between(1, 20) },
  }),
  "carrier refuses binds": (random, size) => ({
    lastsMs: random.between(500, size.faultMsMax),
    fault: { kind: "carrier refuses binds", carrier: random.below(CARRIER_COUNT), status: random.pick(bindRefusals) },
  }),
  "foreign reports": foreign("foreign reports"),
  "foreign answers": foreign("foreign answers"),
};

export const faultKinds = Object.keys(draws) as FaultKind[];

/** @param seed 0 to 2^32 - 1. */
export function makePlan(seed: number, size: PlanSize): Plan {
  const random = new SeededRandom(seed);
  const carriers = Array.from({ length: CARRIER_COUNT }, () => ({
    idForm: random.pick(idForms),
    salt: random.below(2 ** 31),
    reportAfterMs: random.between(20, 1_500),
  }));
  let numberCount = 0;
  const sends = Array.from({ length: size.sendCount }, (_, index): PlannedSend => {
    const planned: PlannedSend = {
      // Spread over the run, so that whatever breaks finds something under way; the first at once.
      atMs: Math.floor((index * size.lastsMs * 0.8) / size.sendCount),
      tag: `m${String(index).padStart(2, "0")}x`,
      customer: random.below(CUSTOMER_COUNT),
      host: random.below(HOST_COUNT),
      firstNumber: numberCount,
      // Single messages go by another line than bulk.
      numberCount: random.below(4) === 0 ? 1 : random.between(20, size.numbersOfSendMax),
      pages: random.pick([1, 1, 1, 2, 3]),
    };
    numberCount += planned.numberCount;
    return planned;
  });
  const kinds: FaultKind[] = [];
  while (kinds.length < size.stepCount) kinds.push(...random.shuffle(faultKinds));
  const steps = kinds
    .slice(0, size.stepCount)
    .map((kind) => ({ atMs: random.between(500, size.lastsMs), ...draws[kind](random, size) }))
    .toSorted((one, other) => one.atMs - other.atMs);
  return { seed, lastsMs: size.lastsMs, carriers, sends, steps, numberCount };
}

/** The plan in lines for people, the same for the same plan. */
export function describePlan({ seed, carriers, sends, steps, numberCount }: Plan): string[] {
  return [
    `seed ${seed}: ${sends.length} messages to ${numberCount} numbers; ids ${carriers.map(({ idForm }) => idForm).join(", ")}`,
    ...steps.map(({ atMs, lastsMs, fault }) => {
      const { kind, ...details } = fault;
      const words = Object.entries(details).map(([name, value]) => `${name} ${value}`);
      const lasting = lastsMs === 0 ? [] : [`for ${(lastsMs / 1_000).toFixed(1)} s`];
      return `${(atMs / 1_000).toFixed(1).padStart(6)} s  ${[kind, ...words, ...lasting].join(", ")}`;
    }),
  ];
}
