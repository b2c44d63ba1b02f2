/** What an alarm is called, and what to do first: the mail and the administrators' page say the same. */
import type { AlarmKind } from "../schemas/admin/alarms.ts";

export const alarmWords: Readonly<Record<AlarmKind, { title: string; advice: string }>> = {
  "carrier-down": {
    title: "a carrier is down",
    advice: "Other carriers take over where a route allows it. Look at its last error, then ask the carrier.",
  },
  "queue-old": {
    title: "messages wait too long",
    advice: "See whether a worker runs and a carrier is linked, and whether one very large message explains it.",
  },
  "ledger-violated": {
    title: "the ledger breaks its rules",
    advice: "Stop sending, keep a back-up, and run npm run check-ledger. People correct money, never a program.",
  },
  "mails-stuck": {
    title: "mails are not sent",
    advice: "See whether the mail server answers. Mails that wait are sent when it does, for 72 hours.",
  },
  "webhooks-stuck": {
    title: "webhooks are not delivered",
    advice: "See whether a worker runs. Events that wait are delivered when one does.",
  },
  "disk-low": {
    title: "a disk is nearly full",
    advice: "Free space or grow the disk: a full one stops uploads, and the embedded database.",
  },
  "database-unreachable": {
    title: "the database did not answer",
    advice: "It is back. Look at its log, and for messages whose outcome is unknown.",
  },
  "backup-old": {
    title: "there is no recent back-up",
    advice: "Look in the log for why the nightly back-up failed, and make one with npm run backup.",
  },
};
