import { readComparedModels } from '../models/model-search.ts'

export interface CompareView {
  /** The models to compare, in this order. */
  models?: string[]
}

export function compareSearch(search: Record<string, unknown>): CompareView {
  const models = readComparedModels(search, 'models')
  return models.length === 0 ? {} : { models }
}
