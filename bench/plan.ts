import type { Measure } from './report/figures.ts'

/** How long and how often each thing is measured. */
export interface Plan {
  /** Starts of each subject, in which its start-up time and its memory are measured. */
  starts: number
  warmUpMs: number
  requestRounds: number
  requestMs: number
  streamRounds: number
  /** A mark of V8's whole heap takes 150 ms of CPU: a shorter window shows whether one fell into it. */
  streamMs: number
  latencyRounds: number
  latencyMs: number
  /** The kinds of events that are measured; absent: all. */
  events?: readonly Measure[]
}

/** About nineteen minutes with three subjects. */
export const wholePlan: Plan = {
  starts: 3,
  warmUpMs: 10_000,
  requestRounds: 7,
  requestMs: 2_500,
  streamRounds: 6,
  streamMs: 5_000,
  latencyRounds: 5,
  latencyMs: 2_500,
}

/** About a minute and a half: for a look while working, not for a claim. */
export const quickPlan: Plan = {
  starts: 1,
  warmUpMs: 4_000,
  requestRounds: 3,
  requestMs: 1_500,
  streamRounds: 2,
  streamMs: 1_500,
  latencyRounds: 2,
  latencyMs: 1_500,
}

/** The kinds of events that other gateways can stream as well. */
const peerEvents: readonly Measure[] = ['eventMicroseconds', 'translatedMicroseconds']

/** Seven to nine minutes with six subjects. */
export const peersPlan: Plan = {
  starts: 1,
  warmUpMs: 4_000,
  requestRounds: 4,
  requestMs: 2_000,
  streamRounds: 2,
  streamMs: 3_000,
  latencyRounds: 2,
  latencyMs: 2_000,
  events: peerEvents,
}

export const quickPeersPlan: Plan = { ...quickPlan, events: peerEvents }
