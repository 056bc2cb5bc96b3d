import { tiers, type Tier } from '@turnpike/routing'

/**
 * The data's models by the tier for which they would be configured today. Models much weaker than any that
 * would still be used for SIMPLE are not listed, and not learned from.
 */
const models: Readonly<Record<Tier, string>> = {
  SIMPLE: `mixtral-8x7b-instruct-v0.1 mixtral-8x7b-chat meta-llama-3-8b-instruct meta-llama-3.1-8b-instruct
    llama-3.1-8b-instruct gemma-2-9b-it gpt-3.5-turbo-0125 gpt-3.5-turbo-1106 claude-3-haiku-20240307
    qwen2-7b-instruct qwen2.5-7b-instruct claude-instant-v1 mistral-nemo-instruct-2407 phi-3.5-mini-instruct`,
  MEDIUM: `gpt-4o-mini-2024-07-18 meta-llama-3-70b-instruct meta-llama-3.1-70b-instruct qwen2-72b-instruct
    gemini-1.5-flash gemini-1.5-flash-002 gemini-1.5-flash-exp-0827 claude-3-5-haiku-20241022
    claude-3-sonnet-20240229 gemma-2-27b-it gemma-2-27b-it@together llama-3.1-nemotron-51b-instruct`,
  COMPLEX: `gpt-4-1106-preview gpt-4-turbo-2024-04-09 gpt-4o-2024-05-13 gpt-4o-2024-08-06
    chatgpt-4o-latest-24-09-07 claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022 claude-3-opus-20240229
    llama-3.1-405b-inst@sambanova llama-3.1-405b-instruct-turbo llama-3.1-405b-inst-fp8 mistral-large-2
    gemini-1.5-pro gemini-1.5-pro-002 gemini-1.5-pro-exp-0801 gemini-1.5-pro-exp-0827 grok-2-1212
    deepseek-v2.5-0908 qwen2.5-72b-instruct llama-3.3-nemotron-super-49b-v1
    meta-llama-3.1-405b-instruct@hyperbolic`,
  REASONING: 'o1-mini-2024-09-12 o1-preview-2024-09-12',
}

const tierByModel = new Map(
  tiers.flatMap((tier, index) =>
    models[tier]
      .trim()
      .split(/\s+/)
      .map((model): [string, number] => [model, index]),
  ),
)

/** Success rate of each tier's models on one prompt, from 0 to 1; undefined if none was evaluated. */
export function successByTier(labels: Readonly<Record<string, number>>): (number | undefined)[] {
  const sums = tiers.map(() => 0)
  const counts = tiers.map(() => 0)
  for (const [model, score] of Object.entries(labels)) {
    const tier = tierByModel.get(model)
    // MT-Bench is graded up to 10 by a model, which is no success rate.
    if (tier === undefined || score > 1) continue
    sums[tier]! += score
    counts[tier]!++
  }
  return sums.map((sum, tier) => (counts[tier] === 0 ? undefined : sum / counts[tier]!))
}
