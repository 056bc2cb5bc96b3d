import type { Completion, ModelRequest, Tool, ToolChoice } from '@turnpike/protocol'
import {
  requestFields,
  treatmentOf,
  type FieldTable,
  type FieldVisitor,
  type RequestField,
} from './field-table.ts'
import { visitMessage } from './requested-message-fields.ts'

/** Visits every field that asks for something. A field at its default value asks for nothing. */
export function visitRequest(request: ModelRequest, visit: FieldVisitor): void {
  visit('model', () => 'model')
  for (let index = 0; index < request.messages.length; index++) {
    visitMessage(request.messages[index]!, index, visit)
  }
  for (const [field, isRequested] of settings) {
    if (isRequested(request)) visit(field, () => field)
  }
  if (request.maxOutputTokens === 0) visit('max_completion_tokens.zero', () => 'max_completion_tokens')
  for (let index = 0; index < request.tools.length; index++) visitTool(request.tools[index]!, index, visit)
  if (request.toolChoice !== undefined) visit(choiceField(request.toolChoice), () => 'tool_choice')
  if (request.output?.type === 'json-object')
    visit('response_format.json_object', () => 'response_format.type')
  if (request.output?.type === 'json-schema')
    visit('response_format.json_schema', () => 'response_format.json_schema')
  if (request.output?.type === 'json-schema' && request.output.strict === true)
    visit('response_format.json_schema.strict', () => 'response_format.json_schema.strict')
  if (request.completion !== undefined) visitCompletion(request.completion, visit)
  visitExtensions(request.extensions, visit)
}

function visitCompletion(completion: Completion, visit: FieldVisitor): void {
  const { prompts, numberedTokens, suffix, echo, bestOf, logprobs } = completion
  if (prompts > 1) visit('prompt.array', () => 'prompt')
  if (numberedTokens > 0) visit('prompt.numbers', () => 'prompt')
  if (suffix !== undefined && suffix !== '') visit('suffix', () => 'suffix')
  if (echo === true) visit('echo', () => 'echo')
  if (bestOf !== undefined && bestOf > 1) visit('best_of', () => 'best_of')
  if (logprobs !== undefined) visit('logprobs.number', () => 'logprobs')
}

/** Fields of `ModelRequest` whose path is their name, and when they ask for something. */
const settings: [RequestField, (request: ModelRequest) => boolean][] = [
  ['stream', ({ stream }) => stream],
  ['max_completion_tokens', ({ maxOutputTokens }) => maxOutputTokens !== undefined],
  ['temperature', ({ temperature }) => temperature !== undefined],
  ['top_p', ({ topP }) => topP !== undefined && topP !== 1],
  ['frequency_penalty', ({ frequencyPenalty }) => (frequencyPenalty ?? 0) !== 0],
  ['presence_penalty', ({ presencePenalty }) => (presencePenalty ?? 0) !== 0],
  ['seed', ({ seed }) => seed !== undefined],
  ['stop', ({ stop }) => stop.length > 0],
  ['n', ({ choices }) => choices !== 1],
  ['logprobs', ({ logprobs }) => logprobs !== undefined],
  ['parallel_tool_calls', ({ parallelToolCalls }) => parallelToolCalls === false],
  ['reasoning_effort', ({ reasoning }) => reasoning?.effort !== undefined],
  ['reasoning.max_tokens', ({ reasoning }) => reasoning?.budgetTokens !== undefined],
  ['reasoning.exclude', ({ reasoning }) => reasoning?.hidden === true],
  ['user', ({ user }) => user !== undefined],
]

function visitTool(tool: Tool, index: number, visit: FieldVisitor): void {
  if (tool.kind === 'raw') {
    visit(rawToolField(tool), () => `tools[${index}]`)
    return
  }
  visit('tools', () => `tools[${index}]`)
  if (tool.strict === true) visit('tools.strict', () => `tools[${index}].function.strict`)
  for (const name in tool.extensions) visit('tools.settings', () => `tools[${index}].${name}`)
  if (tool.cache !== undefined) visit('tools.cache_control', () => `tools[${index}].cache_control`)
}

function rawToolField({ value, format }: Extract<Tool, { kind: 'raw' }>): RequestField {
  if (format === 'openai-responses') return isWebSearch(value) ? 'tools.web_search' : 'tools.responses'
  if (format === 'google-generate') return 'tools.google'
  if (format !== undefined) return 'tools.foreign'
  return isCustomTool(value) ? 'tools.custom' : 'tools.unknown'
}

/** Codex always offers it; other clients add a date to the name. */
const webSearch = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/

/** Whether a tool of OpenAI's Responses API is the web search that its vendor runs. */
export function isWebSearch(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && webSearch.test(value.type)
}

/** Whether it is the tool of OpenAI's Responses that Codex offers with every request, whoever pays. */
export function isAlwaysOffered(tool: Tool): boolean {
  return tool.kind === 'raw' && tool.format === 'openai-responses' && isPlainSearch(tool.value)
}

export function isPlainSearch(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'web_search'
}

/** The tools that any vendor may get. Those of OpenAI's Responses only were left out or refused. */
export function portableTools(tools: readonly Tool[]): readonly Tool[] {
  const isDropped = (tool: Tool): boolean => tool.kind === 'raw' && tool.format === 'openai-responses'
  return tools.some(isDropped) ? tools.filter((tool) => !isDropped(tool)) : tools
}

function isCustomTool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'custom'
}

function choiceField(choice: ToolChoice): RequestField {
  if (choice.type !== 'raw') return `tool_choice.${choice.type}`
  return choice.format === 'openai-responses' ? 'tool_choice.responses' : 'tool_choice.other'
}

const namedFields: ReadonlySet<string> = new Set(requestFields)

/** Values that are the same as leaving the field out (defaults of OpenAI and Anthropic). */
const defaults: Record<string, readonly unknown[]> = {
  context_management: [{}, { edits: [] }],
  functions: [[]],
  inference_geo: ['global'],
  logit_bias: [{}],
  mcp_servers: [[]],
  metadata: [{}],
  min_p: [0],
  modalities: [['text']],
  repetition_penalty: [1],
  service_tier: ['auto', 'default', 'standard_only'],
  speed: ['standard'],
  store: [false],
  transforms: [[]],
  verbosity: ['medium'],
}

function visitExtensions(extensions: Record<string, unknown>, visit: FieldVisitor): void {
  for (const [name, value] of Object.entries(extensions)) {
    // `stream_options` concern only the caller and the gateway.
    if (value === null || value === undefined || name === 'stream_options') continue
    if (isDefault(name, value)) continue
    visit(namedFields.has(name) ? (name as RequestField) : 'unknown', () => name)
  }
}

function isDefault(name: string, value: unknown): boolean {
  if (!Object.hasOwn(defaults, name)) return false
  const text = JSON.stringify(value)
  return defaults[name]!.some((one) => JSON.stringify(one) === text)
}

/** The extensions that a vendor gets: those that its table passes. The format has read the others itself. */
export function selectExtensions({ extensions }: ModelRequest, fields: FieldTable): Record<string, unknown> {
  const passed = Object.entries(extensions).filter(([name]) => {
    if (name === 'stream_options') return false
    return treatmentOf(name, fields) === 'passed'
  })
  return Object.fromEntries(passed)
}
