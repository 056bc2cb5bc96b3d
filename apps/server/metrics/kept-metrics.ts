import type { KeptAnswers } from '@turnpike/gateway'
import type { Registry } from 'prom-client'
import { alone, countedElsewhere, measured } from './counted.ts'

/**
 * Answers that callers may go on from.
 * @param kept undefined where none are kept
 */
export function registerKeptMetrics(
  registry: Registry,
  kept: Pick<KeptAnswers, 'tally' | 'waitingBytes'> | undefined,
): void {
  measured(
    registry,
    {
      name: 'turnpike_kept_answers_waiting_bytes',
      help: 'Bytes of answers that are to be kept and are not yet.',
    },
    () => alone(kept?.waitingBytes ?? 0),
  )
  countedElsewhere(
    registry,
    {
      name: 'turnpike_kept_answers_total',
      help: 'Answers that were to be kept, and older ones that went for them, by what became of them.',
      labelNames: ['result'],
    },
    () => {
      const { kept: written = 0, tooLarge = 0, noRoom = 0, failed = 0, evicted = 0 } = kept?.tally ?? {}
      return [
        [{ result: 'kept' }, written],
        [{ result: 'too-large' }, tooLarge],
        [{ result: 'no-room' }, noRoom],
        [{ result: 'failed' }, failed],
        [{ result: 'evicted' }, evicted],
      ]
    },
  )
}
