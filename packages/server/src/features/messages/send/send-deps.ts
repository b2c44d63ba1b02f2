import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { BodyReader, INLINE_BYTES_MAX } from "../../../http/bounds/body-reader.ts";
import { Gate } from "../../../http/bounds/gate.ts";
import { createRateReader } from "../../rates/index.ts";
import { bodyTasks, bodyWorkerUrl } from "../read-body/body-tasks.ts";

/** Together these leave two of the ten connections to everybody who does not send. */
const SMALL_SENDS = { placesMax: 6, waitingMax: 2_000 };
/** Each works for seconds, and each that waits holds up to 20 MB. */
const LARGE_SENDS = { placesMax: 2, waitingMax: 8 };

/** Digits of a number and a comma. */
export const BYTES_PER_NUMBER = 14;

export type SendDeps = Deps & {
  bodies: BodyReader<typeof bodyTasks>;
  /** Does the work in a transaction when its turn has come; `byteLength` of the numbers says whose turn that is. */
  inTurn: <Result>(byteLength: number, work: (tx: Tx) => Promise<Result>) => Promise<Result>;
};

/** What everything that may carry a million numbers shares in one process. The owner closes `bodies`. */
export function createSendDeps(deps: Deps): SendDeps {
  const bodies = new BodyReader(createRateReader(deps), bodyTasks, bodyWorkerUrl);
  const gates = { small: new Gate(SMALL_SENDS), large: new Gate(LARGE_SENDS) };
  const inTurn: SendDeps["inTurn"] = async (byteLength, work) => {
    const gate = byteLength > INLINE_BYTES_MAX ? gates.large : gates.small;
    return await gate.run(() => withTransaction(deps.db, work));
  };
  return { ...deps, bodies, inTurn };
}
