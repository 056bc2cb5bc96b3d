import type { Tier } from '../tier.ts'

/** What a request needs from the model that answers it. */
export interface RouteNeeds {
  /** A generous estimate, so it includes a margin. */
  inputTokens: number
  /** The caller's output bound, or the default one. */
  outputTokens: number
  /** The content besides text: `image`, `audio`, `file`. */
  modalities: readonly string[]
  /** Fields that change the model's behaviour, by OpenAI's names: `tools`, `response_format`. */
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
  /** Its input types: `text`, `image`, `audio`, `file`. */
  modalities: readonly string[]
  /** Request fields that it supports. */
  parameters: readonly string[]
}

/** Why a model cannot take a request, in words; undefined if it can. */
export function lackOf(option: RouteOption, needs: RouteNeeds): string | undefined {
  const modality = needs.modalities.find((one) => !option.modalities.includes(one))
  if (modality !== undefined) return `does not accept ${modality}`
  const parameter = needs.parameters.find((one) => !option.parameters.includes(one))
  if (parameter !== undefined) return `does not support ${parameter}`
  const room = option.contextLength - Math.min(needs.outputTokens, option.maxOutputTokens)
  if (needs.inputTokens > room) return `has a context of ${option.contextLength} tokens, which is too short`
  return undefined
}
