import type { PromptLog } from '@turnpike/gateway'
import type { Registry } from 'prom-client'
import { alone, registerCounter, registerGauge } from './register.ts'

/**
 * Metrics of the prompt log.
 * @param log undefined if no prompts are kept
 */
export function registerPromptLogMetrics(
  registry: Registry,
  log: Pick<PromptLog, 'tally' | 'waitingBytes'> | undefined,
): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_prompt_log_waiting_bytes',
      help: 'Bytes of prompts and answers not yet written to the prompt log.',
    },
    () => alone(log?.waitingBytes ?? 0),
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_prompt_log_total',
      help: 'Requests to log, and older entries evicted for them, by result.',
      labelNames: ['result'],
    },
    () => {
      const { written = 0, unwanted = 0, noRoom = 0, failed = 0, evicted = 0 } = log?.tally ?? {}
      return [
        [{ result: 'written' }, written],
        [{ result: 'unwanted' }, unwanted],
        [{ result: 'no-room' }, noRoom],
        [{ result: 'failed' }, failed],
        [{ result: 'evicted' }, evicted],
      ]
    },
  )
}
