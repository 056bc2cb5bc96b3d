import type { PromptLog } from '@turnpike/gateway'
import type { Meters } from './register.ts'

/**
 * Metrics of the prompt log.
 * @param log undefined if no prompts are kept
 */
export function registerPromptLogMetrics(
  { counter, gauge }: Meters,
  log: Pick<PromptLog, 'tally' | 'waitingBytes'> | undefined,
): void {
  gauge(
    'turnpike_prompt_log_waiting_bytes',
    'Bytes of prompts and answers not yet written to the prompt log.',
    [],
    () => log?.waitingBytes ?? 0,
  )
  counter(
    'turnpike_prompt_log_total',
    'Requests to log, and older entries evicted for them, by result.',
    ['result'],
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
