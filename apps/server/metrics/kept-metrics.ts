import type { KeptAnswers } from '@turnpike/gateway'
import type { Registry } from 'prom-client'
import { alone, registerCounter, registerGauge } from './register.ts'

/**
 * Metrics of kept answers, which a later request can continue.
 * @param kept undefined if none are kept
 */
export function registerKeptMetrics(
  registry: Registry,
  kept: Pick<KeptAnswers, 'tally' | 'waitingBytes'> | undefined,
): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_kept_answers_waiting_bytes',
      help: 'Bytes of answers waiting to be written to the store of kept answers.',
    },
    () => alone(kept?.waitingBytes ?? 0),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_kept_answers_total',
      help: 'Answers to keep, and older ones evicted for them, by result.',
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
