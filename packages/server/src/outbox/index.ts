/**
 * The outbox: what happened to a customer, for the customer's programs. An event is written in the transaction of what happened, so that it exists
 * exactly when that does; the `webhooks` feature delivers it afterwards.
 */
export { eventBits, eventTypesOf, followsAny } from "./event-types.ts";
export {
  EVENT_CHANNEL,
  hasListener,
  notifyDeliverers,
  recordEvent,
  recordEvents,
  type EventData,
  type EventMode,
} from "./record-event.ts";
