import { Gate } from "../../../http/bounds/gate.ts";

/** From here on (17,000 numbers) a request counts as large. */
export const LARGE_BYTES_MIN = 256 * 1024;

/**
 * How many changes of catalogs go on at a time in this process: each holds one of its ten connections to the database, a
 * large one for seconds, and whoever changes the same catalog waits for it with another.
 */
export type Gates = { small: Gate; large: Gate };

export function openGates(): Gates {
  return { small: new Gate({ placesMax: 3, waitingMax: 1_000 }), large: new Gate({ placesMax: 2, waitingMax: 20 }) };
}
