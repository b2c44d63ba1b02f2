/**
 * How long a submit that was refused for the rate stays away: 200 to 500 ms at random, so that a window full of
 * refusals does not come back as one lump.
 */
export function retryDelayMs(random: () => number = Math.random): number {
  return 200 + Math.floor(random() * 300);
}
