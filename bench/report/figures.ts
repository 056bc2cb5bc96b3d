import { median } from './statistics.ts'

/** The measures, in the order of the table's columns. */
export const measures = {
  freshRequestMicroseconds: { title: 'CPU µs/request, before streams', digits: 1 },
  requestMicroseconds: { title: 'CPU µs/request, after streams', digits: 1 },
  pacedMicroseconds: { title: 'CPU µs/request at 500/s', digits: 0 },
  eventMicroseconds: { title: 'CPU µs/SSE event', digits: 1 },
  translatedMicroseconds: { title: 'CPU µs/translated event', digits: 1 },
  messagesMicroseconds: { title: 'CPU µs/Messages event', digits: 1 },
  googleMicroseconds: { title: 'CPU µs/Google event', digits: 1 },
  chatToGoogleMicroseconds: { title: 'CPU µs/event, chat to Google', digits: 1 },
  googleToChatMicroseconds: { title: 'CPU µs/event, Google to chat', digits: 1 },
  responsesMicroseconds: { title: 'CPU µs/Responses event', digits: 1 },
  chatToResponsesMicroseconds: { title: 'CPU µs/event, chat to Responses', digits: 1 },
  responsesToChatMicroseconds: { title: 'CPU µs/event, Responses to chat', digits: 1 },
  freshP99Ms: { title: 'added p99 ms, before streams', digits: 2 },
  addedP50Ms: { title: 'added p50 ms', digits: 2 },
  addedP99Ms: { title: 'added p99 ms, after streams', digits: 2 },
  idleMegabytes: { title: 'MB idle', digits: 0 },
  loadedMegabytes: { title: 'MB after all measures', digits: 0 },
  promotedBytes: { title: 'promoted bytes/request', digits: 0 },
  streamKilobytes: { title: 'KB/silent stream', digits: 1 },
  startUpMs: { title: 'start-up ms', digits: 0 },
} as const

export type Measure = keyof typeof measures
export const measureNames = Object.keys(measures) as Measure[]

/** One value per round. */
export type Rounds = Record<Measure, number[]>

export function noRounds(): Rounds {
  return Object.fromEntries(measureNames.map((name) => [name, [] as number[]])) as Rounds
}

export type Medians = Record<Measure, number>

export function mediansOf(rounds: Rounds): Medians {
  return Object.fromEntries(measureNames.map((name) => [name, median(rounds[name])])) as Medians
}

/**
 * The median over the rounds of this subject's value divided by the other's in the same round.
 * @param to the other subject's measure, if it is not the same
 */
export function ratio(rounds: Rounds, other: Rounds | undefined, measure: Measure, to = measure): number {
  return median(ratiosOf(rounds, other, measure, to))
}

/** The same over the rounds of several measures, since a difference of a few per cent needs many rounds. */
export function pairedRatio(rounds: Rounds | undefined, other: Rounds, measures: readonly Measure[]): number {
  if (rounds === undefined) return Number.NaN
  return median(measures.flatMap((measure) => ratiosOf(rounds, other, measure, measure)))
}

function ratiosOf(rounds: Rounds, other: Rounds | undefined, measure: Measure, to: Measure): number[] {
  return rounds[measure].map((value, round) => value / (other?.[to][round] ?? Number.NaN))
}
