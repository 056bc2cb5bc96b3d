import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import type { AddressedTo } from '../../caller.ts'
import type { GenerateCall } from '../../call.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { parseContents, type Placed } from './contents/contents.ts'
import { generateTree } from './fields.ts'
import { parseOutput, parseThinking, parseTopP, unknownSettings } from './generation.ts'
import { generateReferred } from './references.ts'
import {
  asList,
  GenerateRequestSchema,
  generateRequestValidator,
  type GenerateRequest,
} from './request-schema.ts'
import { inOneSpelling } from './spelling.ts'
import { parseTools } from './tools.ts'

const maxModelCharacters = 256

/**
 * Parses the body of `generateContent`.
 * @param to what the path says: the model, and whether to stream
 * @throws {GatewayError} 400 that names the first wrong field: `contents[2].parts[0].functionCall.name`
 */
export function parseRequest(sentBody: object, to: AddressedTo = { model: '', stream: false }): GenerateCall {
  if (to.model === '' || to.model.length > maxModelCharacters)
    throw invalidRequest('model', 'model: expected /v1beta/models/{model} with a known model.')
  const body = inOneSpelling(sentBody)
  requireKnown(body)
  if (!generateRequestValidator.Check(body))
    throw explainMistakes(GenerateRequestSchema, firstMistakes(GenerateRequestSchema, body))
  if (asList(body.contents).length === 0)
    throw invalidRequest('contents', 'contents: expected an array with at least one content object.')
  const placed = parseContents(body)
  const messages = placed.map(({ message }) => message)
  return {
    request: modelRequest(body, placed, to),
    fallbackModels: [],
    tags: [],
    retryOf: undefined,
    includeUsage: true,
    unsupportedFields: undefined,
    tellsReasoning: messages.some(
      ({ role, content }) => role === 'assistant' && content.some(({ kind }) => kind === 'reasoning'),
    ),
    hidesReasoning: body.generationConfig?.thinkingConfig?.includeThoughts !== true,
    referred: generateReferred(body, placed),
    body,
  }
}

/** The request to count: contents, or a whole request that names the model a second time. */
export function requestToCount(body: object): object {
  const {
    generateContentRequest: camel,
    generate_content_request: snake,
    ...beside
  } = body as Record<string, unknown>
  const whole = camel ?? snake
  if (typeof whole !== 'object' || whole === null || Object.keys(beside).length > 0) return body
  const { model: _inPath, ...request } = whole as Record<string, unknown>
  return request
}

/** Refuses unknown members, which might be billed, or keep data, or read it from another place. */
function requireKnown(body: object): void {
  for (const name in body) {
    if (Object.hasOwn(generateTree, name)) continue
    const shown = name.slice(0, 64)
    const known = Object.keys(generateTree).join(', ')
    throw invalidRequest(shown, `${shown}: unknown field of generateContent. Known fields are ${known}.`)
  }
}

function modelRequest(body: GenerateRequest, placed: Placed[], { model, stream }: AddressedTo): ModelRequest {
  const config = body.generationConfig ?? {}
  const { tools, toolChoice } = parseTools(body)
  return {
    model,
    messages: placed.map(({ message }) => message),
    stream,
    tools,
    toolChoice,
    parallelToolCalls: undefined,
    output: parseOutput(config),
    maxOutputTokens: config.maxOutputTokens ?? undefined,
    choices: config.candidateCount ?? 1,
    temperature: config.temperature ?? undefined,
    topP: parseTopP(config),
    frequencyPenalty: config.frequencyPenalty ?? undefined,
    presencePenalty: config.presencePenalty ?? undefined,
    stop: config.stopSequences ?? [],
    seed: config.seed ?? undefined,
    logprobs: config.responseLogprobs === true ? { top: config.logprobs ?? 0 } : undefined,
    reasoning: parseThinking(config),
    user: undefined,
    extensions: unknownFieldsOf(body),
  }
}

/** Members that only Google has, by its own names. */
function unknownFieldsOf({
  generationConfig,
  safetySettings,
  cachedContent,
  serviceTier,
}: GenerateRequest): Record<string, unknown> {
  const extensions = unknownSettings(generationConfig ?? {})
  if (safetySettings !== undefined && safetySettings !== null && safetySettings.length > 0)
    extensions['safetySettings'] = safetySettings
  if (cachedContent !== undefined && cachedContent !== null && cachedContent !== '')
    extensions['cachedContent'] = cachedContent
  // The standard tier is the default.
  if (serviceTier === 'flex' || serviceTier === 'priority') extensions['service_tier'] = serviceTier
  return extensions
}
