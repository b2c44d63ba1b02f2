import { webhookEventTypes, type WebhookEventType } from "@ewebal/contract";

/** @returns the kinds of events as one number: `app_user.followed_events`, `webhook_endpoint.events`. */
export function eventBits(types: readonly WebhookEventType[]): number {
  return types.reduce((bits, type) => bits | (1 << webhookEventTypes.indexOf(type)), 0);
}

export function eventTypesOf(bits: number): WebhookEventType[] {
  return webhookEventTypes.filter((_, place) => (bits & (1 << place)) !== 0);
}

/** @param followedEvents as a customer's row has it. */
export function followsAny(followedEvents: number, ...types: WebhookEventType[]): boolean {
  return (followedEvents & eventBits(types)) !== 0;
}
