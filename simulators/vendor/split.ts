import { seededRandom } from '../random.ts'
import { bodyOf, type ScriptStep, type VendorScript } from './script.ts'

/**
 * Where to cut the body into writes: at byte positions, or at random ones with a mean distance of
 * `meanBytes`. Each piece is sent in its own turn of the event loop, and so in its own TCP segment.
 */
export type Split = { at: number[] } | { seed: number; meanBytes?: number }

const defaultMeanBytes = 40
const turn: ScriptStep = { type: 'delay', delayMs: 0 }

/** The same bytes in other writes. */
export function splitScript(script: VendorScript, split: Split): VendorScript {
  const positions = 'at' in split ? split.at.toSorted((a, b) => a - b) : randomPositions(script, split)
  const steps: ScriptStep[] = []
  let offset = 0
  let next = 0
  for (const step of script.steps) {
    if (step.type !== 'bytes') {
      steps.push(step)
      continue
    }
    let from = 0
    while (next < positions.length && positions[next]! < offset + step.bytes.length) {
      const to = positions[next++]! - offset
      if (to <= from) continue
      steps.push({ type: 'bytes', bytes: step.bytes.subarray(from, to), tokens: 0 }, turn)
      from = to
    }
    steps.push({ type: 'bytes', bytes: step.bytes.subarray(from), tokens: step.tokens })
    offset += step.bytes.length
  }
  return { ...script, steps }
}

function randomPositions(script: VendorScript, split: { seed: number; meanBytes?: number }): number[] {
  const random = seededRandom(split.seed)
  const spread = 2 * (split.meanBytes ?? defaultMeanBytes) - 1
  const length = bodyOf(script).length
  const positions: number[] = []
  for (let at = 0; ;) {
    at += 1 + Math.floor(random() * spread)
    if (at >= length) return positions
    positions.push(at)
  }
}
