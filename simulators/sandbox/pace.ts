import { seededRandom } from '../random.ts'
import type { Knobs } from './knobs.ts'

/** When the parts of an answer come. */
export interface Pace {
  /** Before the head. */
  firstMs: number
  /** Before the next token; 0 for none. */
  nextMs(): number
  /** Before a plain answer of so many tokens, besides `firstMs`. */
  plainMs(tokens: number): number
}

const slowestRate = 20
const fastestRate = 60
const shortestFirstMs = 80
const longestFirstMs = 240
const jitter = 0.3

/** As the knobs say, else as a middling model would: the same request has the same pace each time. */
export function paceOf(knobs: Knobs, seed: number): Pace {
  const random = seededRandom(seed)
  const between = (least: number, most: number): number => least + random() * (most - least)
  const firstMs = knobs.delay ?? (knobs.pace === 0 ? 0 : Math.round(between(shortestFirstMs, longestFirstMs)))
  const rate = knobs.pace ?? between(slowestRate, fastestRate)
  if (rate === 0) return { firstMs, nextMs: () => 0, plainMs: () => 0 }
  return {
    firstMs,
    nextMs: () => Math.max(1, Math.round((1000 / rate) * between(1 - jitter, 1 + jitter))),
    // Nobody wants to wait for a plain answer of a sandbox, unless they say so.
    plainMs: (tokens) => (knobs.pace === undefined ? 0 : Math.round((1000 / rate) * tokens)),
  }
}
