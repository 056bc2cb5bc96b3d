import { GatewayError, type ContentBlock, type Message, type ModelRequest } from '@turnpike/protocol'
import { isObject } from '../json/object.ts'
import type { RequestField } from './fields/field-table.ts'
import { withoutParts } from './left-out-parts.ts'

/**
 * Removes from a request what one of its fields asks for.
 * @param paths where the request asks for what this vendor cannot honour, in our names
 */
export type Omission = (request: ModelRequest, paths: ReadonlySet<string>) => ModelRequest

/**
 * The fields that leniency may leave out: settings of how to answer, tools that a vendor runs itself, and
 * parts of messages that a model cannot read, which a sentence replaces. Everything else is refused even with
 * leniency: limits on the answer, who pays and where the model runs, references to things kept at a vendor,
 * and the conversation itself (texts, calls, results, the caller's own tools).
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

/** A 400 about something that a vendor or model cannot honour. It can build the request without it. */
export class UnsupportedField extends GatewayError {
  /** The error names the first one. */
  readonly paths: readonly string[]
  readonly without: (request: ModelRequest) => ModelRequest

  constructor(paths: readonly string[], message: string, omission: Omission) {
    super('invalid_request_error', message, { param: paths[0]! })
    this.paths = paths
    this.without = (request) => omission(request, new Set(paths))
  }
}

/**
 * The error that `formatRequest` throws for a field which this vendor has no equivalent for and leniency may
 * leave out. All fields of one kind are reported together, because each throw may restart the formatting.
 * @param param the caller's path to it
 * @param message begins with the path
 * @param omission if only a part of the field is left out
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

/** Also removes a tool choice that names a removed tool. */
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
  const { strict: _asked, ...rest } = output
  return { ...request, output: rest }
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

/** A setting of completions, under its own name or as an extension of a conversation. */
function withoutSetting(setting: 'echo' | 'bestOf', name: string): Omission {
  const withoutName = withoutExtension(name)
  return (request, paths) => {
    const remaining = withoutName(request, paths)
    if (remaining.completion === undefined) return remaining
    const { [setting]: _asked, ...completion } = remaining.completion
    return { ...remaining, completion }
  }
}

function withoutNumberedLogprobs(request: ModelRequest): ModelRequest {
  if (request.completion === undefined) return request
  const { logprobs: _asked, ...completion } = request.completion
  return { ...request, completion }
}

/** Google's own fields go as deep as `extra_body.google.thinking_config.include_thoughts`. */
const mostLevels = 4

function withoutUnknown(request: ModelRequest, paths: ReadonlySet<string>): ModelRequest {
  return { ...request, extensions: withoutMembers(request.extensions, paths, '', mostLevels) }
}

/** Uses entries, because assigning to a member called `__proto__` would set the prototype. */
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
