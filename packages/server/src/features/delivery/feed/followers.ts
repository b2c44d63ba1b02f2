/** Who follows a message, and which of them hears what; report-feed.ts says what for. */
import { deliveryStates } from "../states.ts";

/** As the bits of `message.followers` and the numbers of `report_feed.follower`. */
export const followerBits = { webhooks: 1, twilio: 2, smpp: 4 } as const;
export type Follower = keyof typeof followerBits;

/** Who hears that a carrier has taken a message; the others hear of what is final. */
const HEARS_SENT = followerBits.twilio;

/** In `report_feed.state`, beside those of `deliveryStates`: the message ended before their turn came. */
export const ENDED_STATE = 7;

/** What one transaction did to recipients of one message that has followers. */
export type FeedEntry = {
  userId: string;
  messageId: string;
  followers: number;
  state: number;
  positions: readonly number[];
  phoneNos: readonly number[];
  errorCodes?: readonly (string | null)[] | undefined;
  /** A batch ended: nobody of it waits any more. */
  endsBatch?: boolean | undefined;
};

/** @returns one number for `message.followers`. */
export function followersOf(followers: readonly Follower[]): number {
  return followers.reduce((bits, follower) => bits | followerBits[follower], 0);
}

/** Each follower's number in `report_feed.follower`. */
export function bitsOf(followers: number): number[] {
  return Object.values(followerBits).filter((follower) => (followers & follower) !== 0);
}

/** An entry with the followers who hear of it, one for each; none where nobody does. */
export type FeedRowOfFollower = Omit<FeedEntry, "followers"> & { follower: number };

export function spreadEntries(entries: readonly FeedEntry[]): FeedRowOfFollower[] {
  return entries.flatMap(({ followers, ...entry }) => {
    const isHeard = entry.positions.length > 0;
    const hearing = isHeard && entry.state !== deliveryStates.sent ? followers : isHeard ? followers & HEARS_SENT : 0;
    return Object.values(followerBits).flatMap((follower) => {
      if ((hearing & follower) !== 0) return [{ ...entry, follower }];
      // Who hears of the end of a message needs no recipients for that.
      const isTold = entry.endsBatch === true && (followers & follower & followerBits.webhooks) !== 0;
      return isTold ? [{ ...entry, follower, state: 0, positions: [], phoneNos: [], errorCodes: undefined }] : [];
    });
  });
}
