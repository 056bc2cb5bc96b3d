import type { Answer } from '../answer/answer.ts'
import type { Ending } from '../answer/ending.ts'

/** Passes the answer on, up to its last bytes. */
export function relay(answer: Answer): Promise<Ending> {
  return answer.relay()
}
