import { invalidRequest, type OutputFormat, type ReasoningOptions } from '@turnpike/protocol'
import { generateTree } from './fields.ts'
import type { GenerationConfig } from './request-schema.ts'
import { jsonSchema } from './schema.ts'

/** The schema of an answer has no name in this format; others want one. */
const schemaName = 'answer'

/**
 * What holds at Google without them (https://ai.google.dev/gemini-api/docs/models). Gemini CLI always says
 * them: at other vendors they ask for nothing, since some refuse to be told.
 */
const defaultTopK = 64
const defaultTopP = 0.95

/** Undefined where it is what Google's models do by themselves. */
export function parseTopP({ topP }: GenerationConfig): number | undefined {
  return topP === null || topP === defaultTopP ? undefined : topP
}

/** Members of the configuration that only Google's models understand. */
const googlesOwn = ['speechConfig', 'imageConfig', 'mediaResolution', 'enableEnhancedCivicAnswers'] as const

/**
 * What becomes of the configuration's members without a word of ours, by the names that extensions have.
 * @throws {GatewayError} 400 for a member that is not known: it might ask for what nobody has held for
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

/** The settings that only Google's models understand, by their names. */
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

/** As others say what Google calls levels. */
const levels: Record<string, string | undefined> = {
  THINKING_LEVEL_UNSPECIFIED: undefined,
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
}

/**
 * How much to think (https://ai.google.dev/gemini-api/docs/thinking): a budget of -1 leaves it to the model,
 * which is no wish.
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
