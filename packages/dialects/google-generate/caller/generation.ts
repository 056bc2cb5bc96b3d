import { invalidRequest, type OutputFormat, type ReasoningOptions } from '@turnpike/protocol'
import { generateTree } from './fields.ts'
import type { GenerationConfig } from './request-schema.ts'
import { jsonSchema } from './schema.ts'

/** An answer's schema has no name in this format, but other formats require one. */
const schemaName = 'answer'

/**
 * Google's defaults (https://ai.google.dev/gemini-api/docs/models). Gemini CLI always sends them. At other
 * vendors they count as not set, since some refuse these settings.
 */
const defaultTopK = 64
const defaultTopP = 0.95

/** Undefined if it is the default of Google's models. */
export function parseTopP({ topP }: GenerationConfig): number | undefined {
  return topP === null || topP === defaultTopP ? undefined : topP
}

/** Members of the configuration that only Google's models have. */
const googlesOwn = ['speechConfig', 'imageConfig', 'mediaResolution', 'enableEnhancedCivicAnswers'] as const

/**
 * Members of the configuration without an equivalent here, by the names that extensions have.
 * @throws {GatewayError} 400 for an unknown member: it might cost more than the hold covers
 */
export function unknownSettings(config: GenerationConfig): Record<string, unknown> {
  const extensions: Record<string, unknown> = {}
  for (const name in config) {
    if (Object.hasOwn(generateTree.generationConfig, name)) continue
    const path = `generationConfig.${name.slice(0, 64)}`
    throw invalidRequest(path, `${path}: unknown field of generationConfig.`)
  }
  const { topK, responseModalities: modalities } = config
  if (topK !== undefined && topK !== null && topK !== defaultTopK) extensions['top_k'] = topK
  if (modalities !== undefined && modalities !== null && modalities.length > 0)
    extensions['modalities'] = modalities.map((one) => one.toLowerCase())
  const own = googleSettings(config)
  if (Object.keys(own).length > 0) extensions['generationConfig'] = own
  return extensions
}

/** The settings that only Google's models have, by their names. */
export function googleSettings(config: GenerationConfig): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  for (const name of googlesOwn) {
    const value = (config as Record<string, unknown>)[name] ?? undefined
    if (value !== undefined) own[name] = value
  }
  if (isOtherType(config)) own['responseMimeType'] = config.responseMimeType
  return own
}

function isOtherType({ responseMimeType: type }: GenerationConfig): boolean {
  const isSaid = type !== undefined && type !== null && type !== ''
  return isSaid && type !== 'text/plain' && type !== 'application/json'
}

/** https://ai.google.dev/gemini-api/docs/structured-output */
export function parseOutput(config: GenerationConfig): OutputFormat | undefined {
  if (config.responseMimeType !== 'application/json') return undefined
  const schema = config.responseJsonSchema ?? config.responseSchema
  if (schema === undefined || schema === null) return { type: 'json-object' }
  return { type: 'json-schema', name: schemaName, schema: jsonSchema(schema) }
}

/** Other vendors' efforts for Google's levels. */
const levels: Record<string, string | undefined> = {
  THINKING_LEVEL_UNSPECIFIED: undefined,
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
}

/**
 * Reads the thinking settings (https://ai.google.dev/gemini-api/docs/thinking). A budget of -1 leaves it to
 * the model, the same as no setting.
 */
export function parseThinking({ thinkingConfig: config }: GenerationConfig): ReasoningOptions | undefined {
  const level = config?.thinkingLevel ?? undefined
  const budget = config?.thinkingBudget ?? undefined
  if (level !== undefined) {
    const path = 'generationConfig.thinkingConfig.thinkingLevel'
    const word = level.toUpperCase()
    if (!Object.hasOwn(levels, word))
      throw invalidRequest(path, `${path}: expected one of MINIMAL, LOW, MEDIUM, HIGH.`)
    const effort = levels[word]
    if (effort !== undefined) return { effort }
  }
  if (budget === undefined || budget === -1) return undefined
  return budget === 0 ? { effort: 'none' } : { budgetTokens: budget }
}
