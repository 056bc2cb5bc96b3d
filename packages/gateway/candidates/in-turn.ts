import type { Candidate } from './candidate.ts'
import type { ModelCandidates } from './candidate-book.ts'

/**
 * Whom a request may be sent to that goes from one model to the next. Behind a model that an own key keeps
 * from the operator's keys these answer none: once that key gave no answer, nothing is to be paid for.
 */
export function inTurn(models: readonly ModelCandidates[]): ModelCandidates {
  const candidates: Candidate[] = []
  let forbidsShared = false
  for (const model of models) {
    candidates.push(...(forbidsShared ? model.candidates.filter(isOwn) : model.candidates))
    forbidsShared ||= model.forbidsShared
  }
  return { candidates, forbidsShared, unopened: models.find(({ unopened }) => unopened)?.unopened }
}

function isOwn({ own }: Candidate): boolean {
  return own !== undefined
}
