import type { Tier } from '../tier.ts'

/** What a request needs of whichever model answers it. */
export interface RouteNeeds {
  /** Estimated on the high side, so that the margin is in it. */
  inputTokens: number
  /** The bound on output that the caller set, or the usual one. */
  outputTokens: number
  /** What the messages hold besides text: `image`, `audio`, `file`. */
  modalities: readonly string[]
  /** Fields that change what the model does, by OpenAI's names: `tools`, `response_format`. */
  parameters: readonly string[]
}

/** A model that auto-routing may choose. */
export interface RouteOption {
  /** `<provider>/<model_id>` */
  model: string
  /** The tiers that it serves. */
  tiers: readonly Tier[]
  /** Input and output tokens together. */
  contextLength: number
  maxOutputTokens: number
  /** What it takes: `text`, `image`, `audio`, `file`. */
  modalities: readonly string[]
  /** Request fields that it honours. */
  parameters: readonly string[]
}

/** Why a model cannot take a request, in words; undefined where it can. */
export function lackOf(option: RouteOption, needs: RouteNeeds): string | undefined {
  const modality = needs.modalities.find((one) => !option.modalities.includes(one))
  if (modality !== undefined) return `does not accept ${modality}`
  const parameter = needs.parameters.find((one) => !option.parameters.includes(one))
  if (parameter !== undefined) return `does not support ${parameter}`
  const room = option.contextLength - Math.min(needs.outputTokens, option.maxOutputTokens)
  if (needs.inputTokens > room) return `has a context of ${option.contextLength} tokens, which is too short`
  return undefined
}
