import type { Candidate } from './candidate.ts'
import type { ModelCandidates } from './candidate-book.ts'

/**
 * Joins the candidates of a model and its fallbacks. Once an own key forbids the operator's keys for one
 * model, the models after it use own keys only: if that key fails, its account must not pay the operator
 * instead.
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
