import { GatewayError, type ContentBlock, type Message, type ModelRequest } from '@turnpike/protocol'
import { isObject } from '../json/object.ts'
import type { RequestField } from './fields/field-table.ts'
import { withoutParts } from './left-out-parts.ts'

/**
 * A request without what one of its fields asks for.
 * @param paths where the request asks for what this vendor cannot honour, in our words
 */
export type Omission = (request: ModelRequest, paths: ReadonlySet<string>) => ModelRequest

/**
 * The fields that are left out for a caller who asked for leniency: settings of how to answer, tools that a
 * vendor runs itself, and parts of messages that a model cannot be given, in whose place a sentence says so.
 * What is not here is refused even then: what bounds the answer or decides who pays and where it is thought,
 * what refers to something that is kept at a vendor, and what else is said (texts, calls and results, and the
 * caller's own tools).
 */
export const omissions = {
  'messages.image_url': withoutParts,
  'messages.tool.image_url': withoutParts,
  'messages.input_audio': withoutParts,
  'messages.file': withoutParts,
  'messages.file.file_id': withoutParts,
  'messages.unknown_part': withoutParts,
  'messages.foreign_part': withoutParts,
  'messages.google_part': withoutParts,
  'messages.file.citations': (request) => ({ ...request, messages: request.messages.map(withoutCitations) }),
  temperature: (request) => ({ ...request, temperature: undefined }),
  top_p: (request) => ({ ...request, topP: undefined }),
  top_k: withoutExtension('top_k'),
  min_p: withoutExtension('min_p'),
  frequency_penalty: (request) => ({ ...request, frequencyPenalty: undefined }),
  presence_penalty: (request) => ({ ...request, presencePenalty: undefined }),
  repetition_penalty: withoutExtension('repetition_penalty'),
  logit_bias: withoutExtension('logit_bias'),
  stop: (request) => ({ ...request, stop: [] }),
  n: (request) => ({ ...request, choices: 1 }),
  logprobs: (request) => ({ ...request, logprobs: undefined }),
  echo: withoutSetting('echo', 'echo'),
  best_of: withoutSetting('bestOf', 'best_of'),
  'logprobs.number': withoutNumberedLogprobs,
  'tools.unknown': withoutTools,
  'tools.foreign': withoutTools,
  'tools.responses': withoutTools,
  'tools.google': withoutTools,
  'tool_choice.required': withoutChoice,
  'tool_choice.named': withoutChoice,
  'tool_choice.other': withoutChoice,
  'tool_choice.responses': withoutChoice,
  'response_format.json_object': withoutOutput,
  'response_format.json_schema': withoutOutput,
  'response_format.json_schema.strict': withoutStrictness,
  'reasoning.max_tokens': withoutBudget,
  thinking: withoutExtension('thinking'),
  web_search_options: withoutExtension('web_search_options'),
  cache_control: withoutExtension('cache_control'),
  context_management: withoutExtension('context_management'),
  output_config: withoutExtension('output_config'),
  speed: withoutExtension('speed'),
  diagnostics: withoutExtension('diagnostics'),
  'reasoning.context': withoutExtension('reasoning.context'),
  include: withoutExtension('include'),
  mcp_servers: withoutExtension('mcp_servers'),
  unknown: withoutUnknown,
} satisfies Partial<Record<RequestField, Omission>>

export type OmittableField = keyof typeof omissions

export function isOmittable(field: string): field is OmittableField {
  return Object.hasOwn(omissions, field)
}

/** A 400 of what a vendor, or one of its models, cannot honour, and the request without it. */
export class UnsupportedField extends GatewayError {
  /** The first is the one that the error names. */
  readonly paths: readonly string[]
  readonly without: (request: ModelRequest) => ModelRequest

  constructor(paths: readonly string[], message: string, omission: Omission) {
    super('invalid_request_error', message, { param: paths[0]! })
    this.paths = paths
    this.without = (request) => omission(request, new Set(paths))
  }
}

/**
 * What `formatRequest` throws of a field that cannot be said to this vendor, and may be left out. Several of
 * one kind are thrown together: each throw may begin the request anew.
 * @param param the caller's path to it
 * @param message begins with the path
 * @param omission where less than all of the field is to go
 */
export function unsupportedFieldError(
  field: OmittableField,
  param: string,
  message: string,
  omission: Omission = omissions[field],
): UnsupportedField {
  return new UnsupportedField([param], message, omission)
}

function withoutCitations(message: Message): Message {
  return { ...message, content: message.content.map(removeCitations) }
}

function removeCitations(block: ContentBlock): ContentBlock {
  if (block.kind !== 'document' || block.extensions === undefined) return block
  const { citations: _asked, ...extensions } = block.extensions
  return { ...block, extensions }
}

/** A choice of a tool that is no longer there goes with it. */
function withoutTools(request: ModelRequest, paths: ReadonlySet<string>): ModelRequest {
  const tools = request.tools.filter((_, index) => !paths.has(`tools[${index}]`))
  const { toolChoice } = request
  const isThere =
    toolChoice === undefined ||
    tools.some(
      (tool) => toolChoice.type !== 'named' || (tool.kind === 'function' && tool.name === toolChoice.name),
    )
  return { ...request, tools, toolChoice: isThere ? toolChoice : undefined }
}

function withoutChoice(request: ModelRequest): ModelRequest {
  return { ...request, toolChoice: undefined }
}

function withoutOutput(request: ModelRequest): ModelRequest {
  return { ...request, output: undefined }
}

function withoutStrictness(request: ModelRequest): ModelRequest {
  const { output } = request
  if (output?.type !== 'json-schema') return request
  const { strict: _asked, ...told } = output
  return { ...request, output: told }
}

function withoutBudget(request: ModelRequest): ModelRequest {
  const { budgetTokens: _bound, ...reasoning } = request.reasoning ?? {}
  return { ...request, reasoning }
}

function withoutExtension(name: string): Omission {
  return (request) => {
    const { [name]: _asked, ...extensions } = request.extensions
    return { ...request, extensions }
  }
}

/** A setting of completions, or the same beside a conversation. */
function withoutSetting(setting: 'echo' | 'bestOf', name: string): Omission {
  const withoutName = withoutExtension(name)
  return (request, paths) => {
    const said = withoutName(request, paths)
    if (said.completion === undefined) return said
    const { [setting]: _asked, ...completion } = said.completion
    return { ...said, completion }
  }
}

function withoutNumberedLogprobs(request: ModelRequest): ModelRequest {
  if (request.completion === undefined) return request
  const { logprobs: _asked, ...completion } = request.completion
  return { ...request, completion }
}

/** Google's own words stand as deep as `extra_body.google.thinking_config.include_thoughts`. */
const mostLevels = 4

function withoutUnknown(request: ModelRequest, paths: ReadonlySet<string>): ModelRequest {
  return { ...request, extensions: withoutMembers(request.extensions, paths, '', mostLevels) }
}

/** Made of entries, since assigning to a member called `__proto__` would do something else. */
function withoutMembers(
  holder: object,
  paths: ReadonlySet<string>,
  before: string,
  levels: number,
): Record<string, unknown> {
  const kept = Object.entries(holder).filter(([name]) => !paths.has(before + name))
  if (levels === 1) return Object.fromEntries(kept)
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      isObject(value) ? withoutMembers(value, paths, `${before}${name}.`, levels - 1) : value,
    ]),
  )
}
