import { seededRandom } from '../random.ts'
import type { Knobs } from './knobs.ts'

/** The timing of an answer's parts. */
export interface Pace {
  /** Delay before the head. */
  firstMs: number
  /** Delay before the next token; 0 for none. */
  nextMs(): number
  /** Delay before a plain answer of this many tokens, in addition to `firstMs`. */
  plainMs(tokens: number): number
}

const slowestRate = 20
const fastestRate = 60
const shortestFirstMs = 80
const longestFirstMs = 240
const jitter = 0.3

/** The pace that the knobs set, else that of an average model. The same request always has the same pace. */
export function paceOf(knobs: Knobs, seed: number): Pace {
  const random = seededRandom(seed)
  const between = (least: number, most: number): number => least + random() * (most - least)
  const firstMs = knobs.delay ?? (knobs.pace === 0 ? 0 : Math.round(between(shortestFirstMs, longestFirstMs)))
  const rate = knobs.pace ?? between(slowestRate, fastestRate)
  if (rate === 0) return { firstMs, nextMs: () => 0, plainMs: () => 0 }
  return {
    firstMs,
    nextMs: () => Math.max(1, Math.round((1000 / rate) * between(1 - jitter, 1 + jitter))),
    // A plain answer comes without delay, unless a knob sets its pace.
    plainMs: (tokens) => (knobs.pace === undefined ? 0 : Math.round((1000 / rate) * tokens)),
  }
}
