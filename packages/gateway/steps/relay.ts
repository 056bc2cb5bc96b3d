import type { Answer } from '../answer/answer.ts'
import type { Ending } from '../answer/ending.ts'
import type { Held } from '../context.ts'
import { failureOf } from '../upstream/failure.ts'

/** Passes the answer on, up to its last bytes. An upstream that breaks its answers off is one that fails. */
export async function relay({ health, record }: Held, answer: Answer): Promise<Ending> {
  const ending = await answer.relay()
  if (ending.outcome === 'completed') health.finished(performance.now())
  else if (ending.outcome === 'upstream_cut' && ending.error !== undefined) {
    const row = record.attempts.at(-1)!
    row.result = failureOf(ending.error, row.status)
    health.brokeOff(performance.now(), row.result)
  }
  return ending
}
