import type { Model } from './model.ts'
import { priceRank } from './price.ts'

/** Small, inexpensive models that are known to give plain answers; the first available one is chosen. */
const preferred = [
  'openai/gpt-5-nano',
  'openai/gpt-4.1-nano',
  'google/gemini-2.5-flash-lite',
  'anthropic/claude-haiku-4-5',
  'mistral/mistral-small-latest',
  'deepseek/deepseek-chat',
  'sandbox/echo',
]

/** A model to try a gateway with, which costs almost nothing. Undefined if there is none to call. */
export function smallModel(models: readonly Model[]): string | undefined {
  const known = preferred.find((id) => models.some((model) => model.id === id))
  if (known !== undefined) return known
  const [cheapest] = models.filter(isCallable).sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  return cheapest?.id
}

function isCallable({ id, pricing, operations, modalities }: Model): boolean {
  return (
    !id.startsWith('turnpike/') &&
    pricing !== undefined &&
    (operations ?? ['generate']).includes('generate') &&
    (modalities?.output ?? ['text']).includes('text')
  )
}

function rank(model: Model): bigint {
  return priceRank(model, 'prompt') + priceRank(model, 'completion')
}
