/**
 * Delivery: what was accepted reaches the carrier once, soon, at the carrier's pace, and its fate is known and paid
 * exactly. docs/delivery.md tells the life of a batch and what a crash may do.
 */
export { queueMessage, type QueueMessageInput } from "./queue/queue-message.ts";
export {
  getMessage,
  listAllMessages,
  listMessageDays,
  listMessages,
  type Message,
  type MessageListQuery,
  type MessagePage,
  type Viewer,
} from "./lists/list-messages.ts";
export {
  findMessageOwner,
  selectMessageSummaries,
  findFirstMessageTime,
  selectTraffic,
  networkOfPrefix,
  type TrafficRow,
} from "./lists/message-list-store.ts";
export { viewBreakdown, type ViewedBreakdown } from "./lists/view-breakdown.ts";
export { listRecipients, readNumbersInStates, type Recipient, type RecipientPage } from "./lists/list-recipients.ts";
export { cancelMessage, hideMessage, pauseMessage, resumeMessage } from "./queue/manage-message.ts";
export { addDndNumbers, findDndNumbers, listDndNumbers, removeDndNumbers, type DndNumber } from "./dnd/dnd-numbers.ts";
export {
  deleteScheduledMessage,
  lockScheduledMessage,
  moveScheduledMessage,
  readMessageNumbers,
  replaceScheduledMessage,
  type ScheduledMessage,
} from "./queue/scheduled-messages.ts";
export type { MayStart } from "./queue/start-due-messages.ts";
export { deliveryTimesMs } from "./delivery-limits.ts";
export { hasRoute } from "./carriers/carrier-store.ts";
export { inboundRoutes } from "./inbound/inbound-routes.ts";
export { carrierRoutes } from "./carriers/kept/carrier-routes.ts";
export { hasKeptCarriersYet } from "./carriers/kept/kept-carrier-store.ts";
export { createSimulationReader, isSimulated } from "./carriers/kept/view-carriers.ts";
export { simulatorCarrier } from "./carriers/kept/simulator-carrier.ts";
export {
  startDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from "./engine/start-delivery-worker.ts";
export { removeOldMonths, type WriteMonth } from "./retention/old-months.ts";
export { ensurePartitions } from "./outcomes/ensure-partitions.ts";
export { listHeldMessages, refuseMessage, releaseMessage, type HeldMessage } from "./send-mark/held-messages.ts";
export { markRestored } from "./send-mark/send-mark.ts";
export { countHeldMessages, hasHeldMessages } from "./send-mark/send-mark-store.ts";
export { readQueueDepth } from "./queue/batch-store.ts";
