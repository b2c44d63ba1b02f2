/** What each state of the queue, the workers and the carriers means, and what to do about it. */
import type { SendingAnswer } from "@ewebal/contract";
import type { CarrierWord } from "../carriers/carrier-words.ts";

type Color = "green" | "yellow" | "red" | "gray";
export type Remedy = { means: string; toDo: string };

/** As the alarm `queue-old`. */
const QUEUE_OLD_MS = 5 * 60_000;
/** As the alarm `disk-low`. */
const DISK_LOW_PERCENT = 10;

export type QueueWord = "Empty" | "Moving" | "Held up";
export type WorkerWord = "Running" | "Disk nearly full" | "None";

export function queueStateOf(
  { waitingRecipients, waitingSince }: Pick<SendingAnswer, "waitingRecipients" | "waitingSince">,
  nowMs: number,
): { word: QueueWord; color: Color } {
  if (waitingSince !== null && nowMs - Date.parse(waitingSince) > QUEUE_OLD_MS)
    return { word: "Held up", color: "yellow" };
  return waitingRecipients === 0 ? { word: "Empty", color: "green" } : { word: "Moving", color: "green" };
}

export function workerStateOf(workers: SendingAnswer["workers"]): { word: WorkerWord; color: Color } {
  if (workers.length === 0) return { word: "None", color: "red" };
  const isLow = workers.some(({ diskFreePercent }) => diskFreePercent !== null && diskFreePercent < DISK_LOW_PERCENT);
  return isLow ? { word: "Disk nearly full", color: "yellow" } : { word: "Running", color: "green" };
}

export const queueRemedies: Readonly<Record<QueueWord, Remedy>> = {
  Empty: { means: "Nothing waits to be sent.", toDo: "Nothing to do." },
  Moving: {
    means: "Workers take what waits. Messages that wait for their hour or for a review are among it.",
    toDo: "Nothing to do.",
  },
  "Held up": {
    means: "A message that may leave has waited for more than 5 minutes.",
    toDo: "Check below that a worker runs and a carrier is connected. If both are well, one very large message or the carriers’ pace explains it: see what is being sent under All Messages.",
  },
};

export const workerRemedies: Readonly<Record<WorkerWord, Remedy>> = {
  Running: { means: "Workers send messages, mails and webhooks.", toDo: "Nothing to do." },
  "Disk nearly full": {
    means: "Less than 10% is free where a worker keeps its data.",
    toDo: "Free space on that host or grow its disk. A full disk stops uploads, and the database if it lies there.",
  },
  None: {
    means: "Nothing is sent: no messages, no mails and no webhooks. What was accepted waits and is not lost.",
    toDo: "Start a process with the role worker. If one should be running, read the last lines of its log for why it ended.",
  },
};

export const carrierRemedies: Readonly<Record<CarrierWord, Remedy>> = {
  Connected: { means: "All connections stand.", toDo: "Nothing to do." },
  Ready: { means: "The provider answers.", toDo: "Nothing to do." },
  "Partly connected": {
    means: "Some connections stand. Messages leave, more slowly.",
    toDo: "Workers connect the others by themselves. If it stays, the carrier may allow fewer connections than you have set.",
  },
  Connecting: {
    means: "There is no connection. Other carriers for the same numbers take over, or messages wait.",
    toDo: "Read its last error, then press Edit and Test connection on the Carriers page. If the address and password are right, ask the carrier.",
  },
  "Not answering": {
    means: "The provider does not answer. Other carriers for the same numbers take over, or messages wait.",
    toDo: "Read its last error, and send a test from the Carriers page. If the key is right, ask the provider.",
  },
  "No worker": {
    means: "No worker uses it, because none runs or it was changed a moment ago.",
    toDo: "Wait a few seconds. If it stays, look at the workers.",
  },
  Locked: {
    means: "Its password cannot be read with this installation’s key.",
    toDo: "Enter the password again on the Carriers page, or set SECRETS_KEY to the value that it had.",
  },
  Off: {
    means: "An administrator has switched it off. It gets no messages.",
    toDo: "Switch it on again on the Carriers page when it should send.",
  },
};
