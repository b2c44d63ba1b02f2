/**
 * The audit also has what administrators read of customers' texts, numbers and receipts. One table and one hook serve all
 * features; `private-reads.test.ts` fails for a call that shows such things and is missing here.
 */
import {
  adminMessageRoutes,
  contentRuleRoutes,
  depositRoutes,
  draftRoutes,
  heldMessageRoutes,
  inboundRoutes,
  messageRoutes,
  paymentRoutes,
  scheduledRoutes,
  type RouteContract,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { logSecurityEvent, securityFactsOf } from "../../../http/monitoring/security-log.ts";
import { insertAuditEntry } from "./audit-store.ts";

/** Pages read again whenever something changes; readings of the same thing within this time make one entry. */
const SAME_READING_MS = 10 * 60_000;
/** How many readings a process remembers. */
const READINGS_MAX = 10_000;

type PrivateRead = {
  action: string;
  /** The parameter of the path that names what was read; a list over all customers has none. */
  subject?: "messageId" | "draftId" | "userId" | "transferId";
};

const read = (route: RouteContract, action: string, subject?: PrivateRead["subject"]): [string, PrivateRead] => [
  route.url,
  { action, ...(subject && { subject }) },
];

/** By the pattern of the path. */
export const privateReads: ReadonlyMap<string, PrivateRead> = new Map([
  read(adminMessageRoutes.viewAnySms, "view-any-sms", "messageId"),
  read(adminMessageRoutes.viewAnyDraft, "view-any-draft", "draftId"),
  read(messageRoutes.viewAllSmsMessages, "view-all-sms-messages"),
  read(messageRoutes.populateSmsHistory, "populate-sms-history", "userId"),
  read(messageRoutes.viewOneSms, "view-one-sms", "messageId"),
  read(messageRoutes.recipients, "recipients", "messageId"),
  read(draftRoutes.viewAllDrafts, "view-all-drafts"),
  read(draftRoutes.populateDrafts, "populate-drafts", "userId"),
  read(draftRoutes.viewOneDraft, "view-one-draft", "draftId"),
  read(scheduledRoutes.populateScheduledSms, "populate-scheduled-sms", "userId"),
  read(scheduledRoutes.viewScheduledSms, "view-scheduled-sms", "messageId"),
  read(heldMessageRoutes.viewHeldMessages, "view-held-messages"),
  read(contentRuleRoutes.viewReviews, "view-reviews"),
  read(inboundRoutes.viewUnassignedInbound, "view-unassigned-inbound"),
  read(depositRoutes.receipt, "view-receipt", "transferId"),
  read(paymentRoutes.paymentReceipt, "payment-receipt", "userId"),
]);

/** Writes the entry before the answer is sent: nothing is shown without its entry. */
export function auditPrivateReads(app: App, deps: Pick<Deps, "db" | "clock">): void {
  const readings = new Map<string, number>();
  app.addHook("onSend", async (request, reply) => {
    if (request.session?.kind !== "admin" || reply.statusCode !== 200) return;
    const found = privateReads.get(request.routeOptions.url ?? "");
    if (found === undefined) return;
    const entry = {
      adminId: request.session.actorId,
      action: found.action,
      subjectId: subjectOf(request.params, found),
    };
    const reading = Object.values(entry).join(" ");
    const nowMs = deps.clock.now().getTime();
    if (nowMs - (readings.get(reading) ?? -Infinity) < SAME_READING_MS) return;
    // No change is published: a page that reads again on each change would never stop.
    const rest = { before: undefined, after: undefined, clientAddress: request.ip, createdAt: deps.clock.now() };
    await insertAuditEntry(deps.db, { auditId: uuidv7(), ...entry, ...rest });
    logSecurityEvent(request.log, { event: "private-read", ...securityFactsOf(request), subject: entry.subjectId });
    if (readings.size >= READINGS_MAX) readings.clear();
    readings.set(reading, nowMs);
  });
}

function subjectOf(params: unknown, { subject }: PrivateRead): string | undefined {
  return subject && (params as Record<string, string>)[subject];
}
