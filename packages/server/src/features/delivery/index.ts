/**
 * Delivery: what was accepted reaches the carrier once, soon, at the carrier's pace, and its fate is known and paid
 * exactly. docs/delivery.md tells the life of a batch and what a crash may do.
 */
export {
  dropFirstOfRow,
  dropFromFeed,
  hasFeed,
  readFeed,
  readFeedCustomers,
  writeFeed,
  type FeedCustomer,
  type FeedRow,
  type FollowedRecipient,
} from "./feed/report-feed.ts";
export type { FeedEntry, Follower } from "./feed/followers.ts";
export { sealBody } from "./queue/sealed-body.ts";
export { queueMessage, queueMessages, type QueueMessageInput } from "./queue/queue-message.ts";
export {
  getMessage,
  listAllMessages,
  listMessageDays,
  listMessages,
  listSentAndScheduled,
  type Message,
  type MessageListQuery,
  type MessagePage,
  type Viewer,
} from "./lists/list-messages.ts";
export {
  findMessageOwner,
  selectMessageSummaries,
  findFirstMessageTime,
  hasHandedOver,
  selectTraffic,
  networkOfPrefix,
  type TrafficRow,
} from "./lists/message-list-store.ts";
export { countReviews, selectSenders } from "./lists/waiting-message-store.ts";
export {
  readFailure,
  selectOneRecipientMessages,
  type Failure,
  type OneRecipientMessage,
} from "./lists/one-recipient-store.ts";
export { viewBreakdown, type ViewedBreakdown } from "./lists/view-breakdown.ts";
export { reasonTexts } from "./lists/reasons.ts";
export { countRecipientsByPages } from "./lists/recipient-store.ts";
export {
  listRecipients,
  readNumbersInStates,
  readReferences,
  readRecipientValues,
  type Recipient,
  type RecipientPage,
} from "./lists/list-recipients.ts";
export { cancelMessage, hideMessage, pauseMessage, resumeMessage } from "./queue/manage-message.ts";
export { addDndNumbers, findDndNumbers, listDndNumbers, removeDndNumbers, type DndNumber } from "./dnd/dnd-numbers.ts";
export {
  deleteScheduledMessage,
  endScheduledMessage,
  lockDueMessage,
  lockScheduledMessage,
  moveScheduledMessage,
  readMessageNumbers,
  readMessageSource,
  nameHold,
  repeatScheduledMessage,
  replaceScheduledMessage,
  type ScheduledMessage,
} from "./queue/scheduled-messages.ts";
export type { MayStart, SendRepeated } from "./queue/start-due-messages.ts";
export { deliveryStates as deliveryStateWords } from "./states.ts";
export { deliveryLimits, deliveryTimesMs } from "./delivery-limits.ts";
export { withoutRow } from "./merged/merge-values.ts";
export { carrierCostRoutes } from "./carriers/costs/cost-routes.ts";
export { findCost, selectCostChanges, selectCosts } from "./carriers/costs/cost-store.ts";
export { selectAccepted } from "./lists/margin-store.ts";
export { hasRoute, readDndPrefixes } from "./carriers/carrier-store.ts";
export { inboundRoutes } from "./inbound/inbound-routes.ts";
export { presentInbox } from "./inbound/present-inbound.ts";
export { addOptOuts, findOptedOut, listOptOuts, removeOptOuts } from "./opt-outs/opt-outs.ts";
export { countClick, followOptOutLink, readOptOutLink, readShortLink, type OptOutLink } from "./links/links.ts";
export { selectClickTotals, type ClickTotals } from "./links/link-store.ts";
export { readMessageResults, readPeriodResults, type PeriodResults, type Results } from "./results/results.ts";
export {
  claimWeeklyMail,
  flipBalanceAlert,
  readNotifications,
  saveNotifications,
  selectBalanceAlerts,
  selectWeeklyReaders,
  type AlertReader,
  type BalanceAlert,
  type WeeklyReader,
} from "./results/notification-store.ts";
export type { OptOut } from "./opt-outs/opt-out-store.ts";
export type { TellInbox } from "./inbound/store-inbound.ts";
export { getInboxMessage, listInbox } from "./inbound/list-inbox.ts";
export { hasInboundNumber, insertInboxReply } from "./inbound/inbox-store.ts";
export { closedLanesAt, deferralOf, openingFor, readQuietHours, viewDeferred } from "./quiet-hours/quiet-hours.ts";
export { quietHoursRoutes } from "./quiet-hours/quiet-hours-routes.ts";
export { carrierRoutes } from "./carriers/kept/carrier-routes.ts";
export { carrierReportRoutes } from "./carriers/http/report-routes.ts";
export { hasKeptCarriersYet } from "./carriers/kept/kept-carrier-store.ts";
export { createSimulationReader, isSimulated, viewCarriers } from "./carriers/kept/view-carriers.ts";
export { simulatorCarrier } from "./carriers/kept/simulator-carrier.ts";
export {
  startDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from "./engine/start-delivery-worker.ts";
export { cancelMessagesOf, eraseMessagesOf, keepDaysQueue } from "./retention/forget-messages.ts";
export { removeOldMonths, type WriteMonth } from "./retention/old-months.ts";
export { ensurePartitions } from "./outcomes/ensure-partitions.ts";
export {
  listHeldMessages,
  listReviews,
  approveMessage,
  type ApproverDecision,
  declineMessage,
  listAwaitingApproval,
  refuseMessage,
  releaseMessage,
  type HeldMessage,
  type Review,
} from "./send-mark/held-messages.ts";
export { markMoved, markRestored } from "./send-mark/send-mark.ts";
export { countHeldMessages, hasHeldMessages } from "./send-mark/send-mark-store.ts";
export { countWaitingRecipients, findOldestQueued, readQueueDepth } from "./queue/batch-store.ts";
export { readDeliveryFigures } from "./figures/read-figures.ts";
export { startFigureWriter } from "./figures/write-figures.ts";
export { checkMessagesSince } from "./outcomes/message-rules.ts";
export { recountMessages } from "./lists/customer-counts.ts";
