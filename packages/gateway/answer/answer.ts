import type { Attempt } from '../context/stages.ts'
import type { Ending } from '../context/ending.ts'

/** An upstream's answer that has begun to come: its first token is here, or the whole of it. */
export interface Answer {
  /** Whose answer it is. */
  readonly attempt: Attempt
  /** Passes on what comes, and resolves when nothing but the last bytes is left to send. Never rejects. */
  relay(): Ending | Promise<Ending>
}
