import { outputBoundFields } from '../../requests/output-bounds.ts'
import { Positions } from '../../requests/fields/requested-message-fields.ts'
import { parseInput } from './input/input.ts'
import type { Origins } from './input/origins.ts'
import type { ResponsesRequest } from './request-schema.ts'
import { parseToolChoice } from './input/tool-choice.ts'
import { parseTools } from './input/tools.ts'

/** Neutral field names and their names in this format. Other fields have the same name in both. */
const names = new Map(
  Object.entries({
    'response_format.type': 'text.format.type',
    response_format: 'text.format',
    reasoning_effort: 'reasoning.effort',
    'reasoning.max_tokens': 'reasoning.effort',
    verbosity: 'text.verbosity',
    logprobs: 'top_logprobs',
  }),
)

const chatSchema = 'response_format.json_schema'

/** Members of a content part, by their names in chat completions. */
const partMembers: Record<string, string> = {
  '.image_url.url': '.image_url',
  '.image_url.detail': '.detail',
  '.file.file_id': '.file_id',
  '.file.filename': '.filename',
  '.file.file_data': '.file_data',
  '.file': '',
}

const place = /^(messages|tools)\[(\d+)\](.*)$/
/** Paths of content that is a single text. */
const plainContent = /(?:^|\.)(?:content|output|input|instructions)$/

/**
 * Converts the path in an error to the caller's path. The body is parsed again only here, so that a
 * successful request costs nothing.
 * @param param such as `messages[4].content[0].image_url.url` or `reasoning_effort`; a path that is already
 * in this format stays unchanged
 * @param body the caller's, parsed and valid
 */
export function fieldPath(param: string, body: object | undefined): string {
  if (outputBoundFields.has(param)) return 'max_output_tokens'
  const name = names.get(param)
  if (name !== undefined) return name
  if (isWithin(param, chatSchema)) return `text.format${param.slice(chatSchema.length)}`
  const found = place.exec(param)
  if (found === null || body === undefined) return param
  const [, list, index, rest] = found
  const request = body as ResponsesRequest
  return list === 'tools'
    ? toolPath(Number(index), rest!, request)
    : messagePath(Number(index), param, rest!, request)
}

function toolPath(index: number, rest: string, body: ResponsesRequest): string {
  const origins: Origins = new Map()
  const { tools } = parseToolChoice(body.tool_choice, parseTools(body, origins))
  const tool = tools[index]
  const path = tool === undefined ? undefined : origins.get(tool)
  if (path === undefined) return 'tools'
  return path + rest.replace(/^\.(?:function|custom)/, '')
}

function messagePath(index: number, param: string, rest: string, body: ResponsesRequest): string {
  const origins: Origins = new Map()
  const message = parseInput(body, parseTools(body).names, origins)[index]
  if (message === undefined) return 'input'
  const path = origins.get(message) ?? 'input'
  const positions = new Positions(`messages[${index}]`)
  for (const block of message.content) {
    const at = positions.of(block)
    const isThought = block.kind === 'reasoning'
    if (isThought ? !rest.startsWith('.reasoning') : !isWithin(param, at)) continue
    if (!isThought && at === `messages[${index}]`) continue
    const origin = origins.get(block)
    if (origin === undefined) continue
    return isThought || plainContent.test(origin) ? origin : origin + memberOf(param.slice(at.length))
  }
  if (rest === '.tool_call_id') return `${path}.call_id`
  if (rest.startsWith('.content')) return message.role === 'tool' ? `${path}.output` : contentOf(path)
  return path
}

/** The path of a message's whole content, for an error that names no part of it. */
function contentOf(path: string): string {
  return plainContent.test(path) ? path : `${path}.content`
}

function isWithin(param: string, at: string): boolean {
  return param === at || param.startsWith(`${at}.`)
}

function memberOf(rest: string): string {
  return partMembers[rest] ?? rest.replace(/^\.(?:function|custom)/, '')
}
