import {
  invalidRequest,
  type ModelRequest,
  type OutputFormat,
  type ReasoningOptions,
} from '@turnpike/protocol'
import type { GenerateCall } from '../../call.ts'
import type { Keeping } from '../../kept-answers.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { furtherChoiceFields } from '../../requests/output-bounds.ts'
import { knownChatFields } from '../../requests/fields/known-fields.ts'
import type { ResponseContext } from './response/response-context.ts'
import { parseInput } from './input/input.ts'
import { wrongMember } from '../../requests/fields/typed-members.ts'
import { responsesReferences } from './references.ts'
import { repeatedMembers } from './repeated-members.ts'
import { ResponsesRequestSchema, responsesRequestValidator, type ResponsesRequest } from './request-schema.ts'
import { isCallable, parseToolChoice } from './input/tool-choice.ts'
import { parseTools } from './input/tools.ts'
import { ownSettings, refuseUnserved } from './unserved.ts'

/** Fields that `ModelRequest` has, or that are for the gateway; every other field travels in `extensions`. */
const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(ResponsesRequestSchema.properties),
  'previous_response_id',
  'conversation',
  'prompt',
])

/** Among those, fields that chat completions have as well, under the same name or another. */
const extensionNames = ['safety_identifier', 'prompt_cache_key'] as const

/**
 * Parses the body of `POST /v1/responses`.
 * @param keeping absent: no answers are kept
 * @throws {GatewayError} 400 that names the first wrong field as OpenAI does: `input[2].content[0].image_url`
 */
export function parseRequest(body: object, keeping?: Keeping): GenerateCall {
  if (!responsesRequestValidator.Check(body))
    throw explainMistakes(ResponsesRequestSchema, firstMistakes(ResponsesRequestSchema, body))
  refuseUnserved(body)
  const parsed = parseTools(body)
  const { toolChoice, tools } = parseToolChoice(body.tool_choice, parsed)
  const messages = parseInput(body, parsed.names)
  const request: ModelRequest = {
    model: body.model,
    messages,
    stream: body.stream === true,
    tools,
    toolChoice,
    // Parallel calls are the default, and vendors refuse the field without tools.
    parallelToolCalls: body.parallel_tool_calls === false && tools.some(isCallable) ? false : undefined,
    output: parseOutput(body.text?.format),
    maxOutputTokens: body.max_output_tokens ?? undefined,
    choices: 1,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    frequencyPenalty: undefined,
    presencePenalty: undefined,
    stop: [],
    seed: undefined,
    logprobs: parseLogprobs(body),
    reasoning: parseReasoning(body.reasoning),
    user: body.user ?? undefined,
    extensions: unknownFieldsOf(body),
  }
  const context: ResponseContext = {
    repeated: repeatedMembers(body, keeping),
    tools: parsed.names,
    wantsProof: body.include?.includes(includedProof) === true,
  }
  return {
    ...callOf(request, body, referencesIn(body, responsesReferences)),
    tellsReasoning: messages.some(
      ({ role, content }) => role === 'assistant' && content.some(({ kind }) => kind === 'reasoning'),
    ),
    maxToolUses: body.max_tool_calls ?? undefined,
    keepsAnswer: keeping !== undefined && body.store !== false,
    asked: context,
    body,
  }
}

function parseOutput(format: NonNullable<ResponsesRequest['text']>['format']): OutputFormat | undefined {
  if (format === undefined || format === null || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json-object' }
  const { name, schema, strict, description } = format
  if (typeof name !== 'string') throw wrongMember(name, 'text.format.name', 'the name of the schema')
  if (schema === undefined || schema === null)
    throw wrongMember(schema, 'text.format.schema', 'a JSON Schema object')
  return {
    type: 'json-schema',
    name,
    schema,
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

const includedProof = 'reasoning.encrypted_content'
const includedLogprobs = 'message.output_text.logprobs'

function parseLogprobs({ include, top_logprobs: top }: ResponsesRequest): ModelRequest['logprobs'] {
  if ((top ?? 0) > 0) return { top: top! }
  return include?.includes(includedLogprobs) === true ? { top: top ?? 0 } : undefined
}

/** Reasoning that the vendor shows is passed on, whichever summary was requested. */
function parseReasoning(reasoning: ResponsesRequest['reasoning']): ReasoningOptions | undefined {
  const effort = reasoning?.effort ?? undefined
  return effort === undefined ? undefined : { effort }
}

/**
 * @throws {GatewayError} 400 for a field of chat completions that `ModelRequest` has: from the extensions,
 * vendors that know it would get it twice
 */
function unknownFieldsOf(body: ResponsesRequest): Record<string, unknown> {
  const entries = ownSettings(body)
  for (const name in body) {
    if (knownFields.has(name)) continue
    if (knownChatFields.has(name) || name === 'best_of' || furtherChoiceFields.has(name))
      throw invalidRequest(name, `${name}: unknown field of /v1/responses.`)
    entries.push([name, (body as Record<string, unknown>)[name]])
  }
  // Uses entries, because assigning to a field called `__proto__` would set the prototype.
  const extensions: Record<string, unknown> = Object.fromEntries(entries)
  for (const name of extensionNames) {
    const value = body[name]
    if (value !== undefined && value !== null) extensions[name] = value
  }
  const verbosity = body.text?.verbosity ?? undefined
  if (verbosity !== undefined) extensions['verbosity'] = verbosity
  return extensions
}
