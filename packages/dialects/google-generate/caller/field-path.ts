import { googleSettings } from './generation.ts'
import { parseContents, type Placed } from './contents/contents.ts'
import type { GenerateRequest } from './request-schema.ts'
import { toolPaths } from './tools.ts'

const config = 'generationConfig'

/** Neutral field names and their paths in this format. Other fields have the same name in both. */
const names: Record<string, string> = {
  max_completion_tokens: `${config}.maxOutputTokens`,
  max_tokens: `${config}.maxOutputTokens`,
  n: `${config}.candidateCount`,
  temperature: `${config}.temperature`,
  top_p: `${config}.topP`,
  top_k: `${config}.topK`,
  frequency_penalty: `${config}.frequencyPenalty`,
  presence_penalty: `${config}.presencePenalty`,
  stop: `${config}.stopSequences`,
  seed: `${config}.seed`,
  logprobs: `${config}.responseLogprobs`,
  modalities: `${config}.responseModalities`,
  reasoning_effort: `${config}.thinkingConfig`,
  reasoning: `${config}.thinkingConfig`,
  tool_choice: 'toolConfig.functionCallingConfig',
  service_tier: 'serviceTier',
}

/**
 * Converts the path in an error to the caller's path. The body is walked only here, so that a successful
 * request costs nothing.
 * @param param such as `messages[4].content[0].image_url.url` or `reasoning_effort`
 * @param body the caller's, parsed and in one spelling; undefined if it could not be parsed
 */
export function fieldPath(param: string, body: object | undefined): string {
  const [, head = param, rest = ''] = /^([^.[\]]+)(.*)$/s.exec(param) ?? []
  if (head === 'messages') return messagePath(rest, body as GenerateRequest | undefined)
  if (head === 'tools') return toolPath(rest, param, body as GenerateRequest | undefined)
  if (head === config && rest === '') return settingPath(body as GenerateRequest | undefined)
  if (head === 'response_format') return formatPath(body as GenerateRequest | undefined)
  return Object.hasOwn(names, head) ? names[head]! : param
}

/** The first of the settings that only Google's models have. */
function settingPath(body: GenerateRequest | undefined): string {
  const [first] = Object.keys(googleSettings(body?.generationConfig ?? {}))
  return first === undefined ? config : `${config}.${first}`
}

function formatPath(body: GenerateRequest | undefined): string {
  const settings = body?.generationConfig
  if ((settings?.responseJsonSchema ?? undefined) !== undefined) return `${config}.responseJsonSchema`
  return (settings?.responseSchema ?? undefined) === undefined
    ? `${config}.responseMimeType`
    : `${config}.responseSchema`
}

/**
 * @param rest follows `tools` in the neutral path: `[1].function.parameters`, or `[1].type` of one of
 * Google's
 */
function toolPath(rest: string, param: string, body: GenerateRequest | undefined): string {
  const [, index] = /^\[(\d+)\](?:$|\.(?:function|type)\b)/.exec(rest) ?? []
  if (index === undefined || body === undefined) return param
  return toolPaths(body)[Number(index)] ?? param
}

function messagePath(rest: string, body: GenerateRequest | undefined): string {
  const [, index, kind, at] = /^\[(\d+)\](?:\.(content|tool_calls)\[(\d+)\])?/.exec(rest) ?? []
  const placed = index === undefined ? undefined : placesOf(body)[Number(index)]
  if (placed === undefined) return 'contents'
  if (kind === undefined || placed.message.role === 'tool') return placed.path
  const isCall = kind === 'tool_calls'
  const blocks = placed.message.content.flatMap((block, position) => {
    const counts = isCall
      ? block.kind === 'tool-call'
      : block.kind !== 'tool-call' && block.kind !== 'reasoning'
    return counts ? [placed.blocks[position]] : []
  })
  return blocks[Number(at)] ?? placed.path
}

function placesOf(body: GenerateRequest | undefined): Placed[] {
  if (body === undefined) return []
  return parseContents(body)
}
