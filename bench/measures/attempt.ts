import { measures, type Measure, type Rounds } from '../report/figures.ts'

/** Somebody of whom figures are taken. */
export interface Measured {
  name: string
  /** The run goes on without what it fails at. */
  isOptional: boolean
  rounds: Rounds
  /** What it has failed at, and is not asked for again. */
  failed: Set<Measure>
}

/**
 * Takes a figure of a subject. Where an optional one fails, it has no figures of this measure at all.
 * @throws where another one fails
 */
export async function attempt(
  subject: Measured,
  measure: Measure,
  take: () => Promise<unknown>,
  say: (text: string) => void,
): Promise<void> {
  const { name, isOptional, rounds, failed } = subject
  if (failed.has(measure)) return
  try {
    await take()
  } catch (error) {
    if (!isOptional) throw error
    const reason = error instanceof Error ? error.message : String(error)
    say(`${name} is left out of "${measures[measure].title}": ${reason}`)
    failed.add(measure)
    rounds[measure] = []
  }
}
