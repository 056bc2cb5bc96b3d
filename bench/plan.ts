import type { Measure } from './report/figures.ts'

/** How long and how often each measure is taken. */
export interface Plan {
  /** Starts of each subject, in which start-up time and memory are measured. */
  starts: number
  /** Requests before each measure of requests, and streams before each measure of events. */
  warmUpMs: { requests: number; events: number }
  requestRounds: number
  requestMs: number
  streamRounds: number
  /** Marking V8's whole heap takes 150 ms of CPU, which would dominate a shorter window. */
  streamMs: number
  latencyRounds: number
  latencyMs: number
  /** The kinds of events to measure; absent: all. */
  events?: readonly Measure[]
}

/** About half an hour with four subjects. */
export const wholePlan: Plan = {
  starts: 3,
  warmUpMs: { requests: 15_000, events: 3_000 },
  requestRounds: 7,
  requestMs: 2_500,
  streamRounds: 6,
  streamMs: 5_000,
  latencyRounds: 9,
  latencyMs: 2_500,
}

/** About a minute and a half: for a quick look, not for published figures. */
export const quickPlan: Plan = {
  starts: 1,
  warmUpMs: { requests: 3_000, events: 1_200 },
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
  warmUpMs: { requests: 3_000, events: 1_200 },
  requestRounds: 4,
  requestMs: 2_000,
  streamRounds: 2,
  streamMs: 3_000,
  latencyRounds: 2,
  latencyMs: 2_000,
  events: peerEvents,
}

export const quickPeersPlan: Plan = { ...quickPlan, events: peerEvents }
