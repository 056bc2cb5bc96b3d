import type { KeptAnswers } from '@turnpike/gateway'
import type { Meters } from './register.ts'

/**
 * Metrics of kept answers, which a later request can continue.
 * @param kept undefined if none are kept
 */
export function registerKeptMetrics(
  { counter, gauge }: Meters,
  kept: Pick<KeptAnswers, 'tally' | 'waitingBytes'> | undefined,
): void {
  gauge(
    'turnpike_kept_answers_waiting_bytes',
    'Bytes of answers waiting to be written to the store of kept answers.',
    [],
    () => kept?.waitingBytes ?? 0,
  )
  counter(
    'turnpike_kept_answers_total',
    'Answers to keep, and older ones evicted for them, by result.',
    ['result'],
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
