import type { MessageClass } from "@ewebal/contract";
import { findCost, type CarrierCost } from "../../carriers/costs/cost-store.ts";

/** Carriers of one rank for a number: they share by weight. The next tier is for when none of these can be used. */
export type Tier<Carrier> = readonly Carrier[];

type Routable = {
  facts: {
    prefixes: readonly string[];
    priority: number;
    classes?: readonly MessageClass[];
    reachesDnd?: boolean;
    costs?: readonly CarrierCost[];
  };
};

/** Distinct beginnings of numbers that are remembered; then the memory starts afresh. */
const REMEMBERED_MAX = 10_000;

/**
 * Which carriers take a number: the longest matching prefix first, then the lowest priority. A carrier without prefixes
 * takes every number, as the last resort.
 */
export class RouteTable<Carrier extends Routable> {
  readonly #carriers: readonly Carrier[];
  readonly #prefixDigitsMax: number;
  readonly #tiersByStart = new Map<string, readonly Tier<Carrier>[]>();

  constructor(carriers: readonly Carrier[]) {
    this.#carriers = carriers;
    this.#prefixDigitsMax = Math.max(
      0,
      // Numbers that cost differently route differently.
      ...carriers.flatMap(({ facts: { prefixes, costs = [] } }) =>
        [...prefixes, ...costs.map(({ prefix }) => prefix)].map((prefix) => prefix.length),
      ),
    );
  }

  /** @returns best first; none when no carrier takes the number. The same object for numbers that route alike so far. */
  tiersFor(phoneNo: number): readonly Tier<Carrier>[] {
    // Where no carrier has a prefix all numbers are alike, and writing one out costs more than finding its tiers.
    const start = this.#prefixDigitsMax === 0 ? "" : String(phoneNo).slice(0, this.#prefixDigitsMax);
    let tiers = this.#tiersByStart.get(start);
    if (tiers === undefined) {
      if (this.#tiersByStart.size >= REMEMBERED_MAX) this.#tiersByStart.clear();
      tiers = this.#rank(String(phoneNo));
      this.#tiersByStart.set(start, tiers);
    }
    return tiers;
  }

  /** Every carrier that takes at least some numbers of a dialling code. */
  carriersForCode(code: string): Carrier[] {
    return this.#carriers.filter(
      ({ facts: { prefixes } }) =>
        prefixes.length === 0 || prefixes.some((prefix) => code.startsWith(prefix) || prefix.startsWith(code)),
    );
  }

  #rank(phoneNo: string): readonly Tier<Carrier>[] {
    const byRank = new Map<string, { matched: number; priority: number; tier: Carrier[] }>();
    for (const carrier of this.#carriers) {
      const matched = longestMatch(carrier.facts.prefixes, phoneNo);
      if (matched === undefined) continue;
      const { priority } = carrier.facts;
      const rank = byRank.get(`${matched} ${priority}`) ?? { matched, priority, tier: [] };
      rank.tier.push(carrier);
      byRank.set(`${matched} ${priority}`, rank);
    }
    return [...byRank.values()]
      .toSorted((one, other) => other.matched - one.matched || one.priority - other.priority)
      .map(({ tier }) => tier);
  }
}

function longestMatch(prefixes: readonly string[], phoneNo: string): number | undefined {
  if (prefixes.length === 0) return 0;
  const lengths = prefixes.filter((prefix) => phoneNo.startsWith(prefix)).map((prefix) => prefix.length);
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}

/** The routes of each class, and those of transactional messages to do-not-disturb numbers. */
export class Routes<Carrier extends Routable> {
  readonly #promotional: RouteTable<Carrier>;
  readonly #transactional: RouteTable<Carrier>;
  readonly dnd: RouteTable<Carrier>;

  constructor(carriers: readonly Carrier[]) {
    const taking = (wanted: MessageClass): Carrier[] =>
      carriers.filter(({ facts }) => facts.classes?.includes(wanted) ?? true);
    this.#promotional = new RouteTable(taking("promotional"));
    this.#transactional = new RouteTable(taking("transactional"));
    this.dnd = new RouteTable(taking("transactional").filter(({ facts }) => facts.reachesDnd === true));
  }

  of(messageClass: MessageClass): RouteTable<Carrier> {
    return messageClass === "transactional" ? this.#transactional : this.#promotional;
  }
}

/**
 * @param random from 0 to below 1.
 * @returns one of the carriers, as often as its weight says; the first when all weights are 0.
 */
export function pickByWeight<Carrier>(
  tier: readonly Carrier[],
  weightOf: (carrier: Carrier) => number,
  random: number,
): Carrier | undefined {
  let left = tier.reduce((sum, carrier) => sum + weightOf(carrier), 0) * random;
  for (const carrier of tier) {
    left -= weightOf(carrier);
    if (left < 0) return carrier;
  }
  return tier[0];
}

/**
 * Of carriers of one rank, those that bill the least for a number. Costs decide among healthy ones only; a carrier whose cost nobody knows comes after all
 * whose cost is known.
 *
 * @returns all of them when nothing is known of any.
 */
export function pickCheapest<Carrier extends Routable>(
  tier: readonly Carrier[],
  phoneNo: number,
  isHealthy: (carrier: Carrier) => boolean,
): readonly Carrier[] {
  if (tier.length < 2 || tier.every(({ facts }) => facts.costs === undefined)) return tier;
  const healthy = tier.filter(isHealthy);
  if (healthy.length === 0) return tier;
  const number = String(phoneNo);
  const costs = healthy.map(({ facts }) => findCost(facts.costs ?? [], number) ?? Infinity);
  const least = Math.min(...costs);
  return healthy.filter((_, index) => costs[index] === least);
}
