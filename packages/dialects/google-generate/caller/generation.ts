import { invalidRequest, type OutputFormat, type ReasoningWish } from '@turnpike/protocol'
import { generateTree } from './fields.ts'
import type { GenerationConfig } from './request-schema.ts'
import { jsonSchema } from './schema.ts'

/** The schema of an answer has no name in this format; others want one. */
const schemaName = 'answer'

/** Members of the configuration that only Google's models understand. */
const googlesOwn = ['speechConfig', 'imageConfig', 'mediaResolution', 'enableEnhancedCivicAnswers'] as const

/**
 * What becomes of the configuration's members without a word of ours, by the names that extensions have.
 * @throws {GatewayError} 400 for a member that is not known: it might ask for what nobody has held for
 */
export function unspokenSettings(config: GenerationConfig): Record<string, unknown> {
  const extensions: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(config)) {
    if (!Object.hasOwn(generateTree.generationConfig, name)) {
      const path = `generationConfig.${name.slice(0, 64)}`
      throw invalidRequest(path, `${path}: expected a member of generationConfig that is known here.`)
    }
    if (googlesOwn.includes(name as never) && value !== null) own[name] = value
  }
  const { topK, responseModalities: modalities } = config
  if (topK !== undefined && topK !== null) extensions['top_k'] = topK
  if (modalities !== undefined && modalities !== null && modalities.length > 0)
    extensions['modalities'] = modalities.map((one) => one.toLowerCase())
  const output = parseOutput(config)
  if (output === undefined && isOtherType(config)) own['responseMimeType'] = config.responseMimeType
  if (Object.keys(own).length > 0) extensions['generationConfig'] = own
  return extensions
}

function isOtherType({ responseMimeType: type }: GenerationConfig): boolean {
  return type !== undefined && type !== null && type !== '' && type !== 'text/plain'
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
export function parseThinking({ thinkingConfig: config }: GenerationConfig): ReasoningWish | undefined {
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
