import { measures, type Measure, type Rounds } from '../report/figures.ts'

/** A subject of measurements. */
export interface Measured {
  name: string
  /** Whether the run continues without a measure that it fails at. */
  isOptional: boolean
  rounds: Rounds
  /** Measures that it has failed at, which are not tried again. */
  failed: Set<Measure>
}

/**
 * Takes one measurement of a subject. If an optional subject fails, it gets no values for this measure at
 * all.
 * @throws if another subject fails
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
