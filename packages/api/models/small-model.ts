import type { Model } from './model.ts'
import { priceRank } from './price.ts'

/** Small and inexpensive, and known to answer plainly; the first one that the gateway has is taken. */
const preferred = [
  'openai/gpt-5-nano',
  'openai/gpt-4.1-nano',
  'google/gemini-2.5-flash-lite',
  'anthropic/claude-haiku-4-5',
  'mistral/mistral-small-latest',
  'deepseek/deepseek-chat',
  'sandbox/echo',
]

/**
 * A model to try a gateway with: one that it has, and that costs next to nothing. Undefined where it has none
 * that can be asked.
 */
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
