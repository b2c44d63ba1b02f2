/** A carrier to try things with: real SMPP on loopback, and phones that show what arrived. See the README. */
export { startSimulator, type Simulator } from "./start-simulator.ts";
export type { PhoneLimits, SimulatorSettings, SpanMs } from "./settings.ts";
export type { ParentMessage, SimulatorMessage } from "./main.ts";
export { behaviourByEnding, type NumberBehaviour } from "./number-behaviour.ts";
