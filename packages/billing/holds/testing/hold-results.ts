import type { HoldRefusal } from '../hold-refusal.ts'
import type { Hold, HoldResult } from '../hold.ts'

/** The hold that a test expects. */
export function holdOf(result: HoldResult): Hold {
  if ('refused' in result) throw new Error(`refused: ${result.refused.creditPico}`)
  return result.hold
}

/** The refusal that a test expects. */
export function refusalOf(result: HoldResult): HoldRefusal {
  if ('hold' in result) throw new Error('granted')
  return result.refused
}
