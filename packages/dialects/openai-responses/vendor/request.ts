import { invalidRequest, type ModelRequest, type OutputFormat } from '@turnpike/protocol'
import type { OpenaiTraits } from '../../model-traits.ts'
import { effortOfBudget, fittingEffort } from '../../requests/openai-effort.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { selectExtensions } from '../../requests/fields/requested-fields.ts'
import { holdToSchema } from '../../requests/schemas/strict-schema.ts'
import type { Target } from '../../vendor.ts'
import { responsesFields } from './fields.ts'
import { formatInput } from './input.ts'
import { formatToolChoice, formatTools } from './tools.ts'
import { withoutUndefined } from '../../json/object.ts'
import { fitUser } from '../../requests/openai-identifiers.ts'

type Json = Record<string, unknown>

/**
 * Writes the body of `POST /responses` (https://platform.openai.com/docs/api-reference/responses/create).
 * Nothing is kept at the vendor: reasoning is returned encrypted, and sent back with the next request.
 * @throws {GatewayError} 400 that names the caller's field without an equivalent
 */
export function formatRequest(request: ModelRequest, target: Target): Json {
  const { openai } = target.traits
  const reasons = isReasoning(target)
  const include = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(request.logprobs === undefined ? [] : ['message.output_text.logprobs']),
  ]
  return withoutUndefined({
    model: target.model,
    input: formatInput(request.messages, openai),
    store: false,
    stream: request.stream && openai.streams ? true : undefined,
    include: include.length === 0 ? undefined : include,
    max_output_tokens: formatBound(request.maxOutputTokens),
    tools: formatTools(request, target),
    tool_choice: request.toolChoice === undefined ? undefined : formatToolChoice(request.toolChoice),
    parallel_tool_calls: request.parallelToolCalls,
    text: formatText(request, target),
    reasoning: reasons ? formatReasoning(request, target) : undefined,
    ...formatSampling(request, openai),
    top_logprobs:
      request.logprobs === undefined || request.logprobs.top === 0 ? undefined : request.logprobs.top,
    user: fitUser(request.user),
    ...selectExtensions(request, responsesFields),
    ...formatTier(request.extensions),
  })
}

/** The vendor refuses a lower one. */
const leastBound = 16

function formatBound(bound: number | undefined): number | undefined {
  if (bound === undefined || bound >= leastBound) return bound
  const param = 'max_completion_tokens'
  throw invalidRequest(param, `${param}: expected at least ${leastBound} for this model.`)
}

/** @throws {GatewayError} 400 for what the model refuses */
function formatSampling(
  { temperature, topP, logprobs }: ModelRequest,
  { fixedSampling }: OpenaiTraits,
): Json {
  if (!fixedSampling) return { temperature, top_p: topP }
  // The only accepted value is the default.
  if (temperature !== undefined && temperature !== 1)
    throw unsupportedFieldError('temperature', 'temperature', 'temperature: this model only accepts 1.')
  if (topP !== undefined && topP !== 1)
    throw unsupportedFieldError('top_p', 'top_p', 'top_p: this model only accepts 1.')
  if (logprobs !== undefined)
    throw unsupportedFieldError(
      'logprobs',
      'logprobs',
      'logprobs: this model does not return log probabilities.',
    )
  return {}
}

/** Models that do not reason refuse reasoning settings. */
function isReasoning({ supportedParameters, traits }: Target): boolean {
  if (traits.openai.efforts !== undefined) return true
  return supportedParameters.includes('reasoning') || supportedParameters.includes('reasoning_effort')
}

/** A summary is requested if the caller asks for reasoning and wants to see it. */
function formatReasoning({ reasoning }: ModelRequest, { traits }: Target): Json | undefined {
  if (reasoning === undefined) return undefined
  const wish = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens)
  const effort = wish === undefined ? undefined : fittingEffort(traits.openai.efforts, wish)
  const isShown = reasoning.hidden !== true && wish !== 'none'
  const members = withoutUndefined({ effort, summary: isShown ? 'auto' : undefined })
  return Object.keys(members).length === 0 ? undefined : members
}

function formatText({ output: requested, extensions }: ModelRequest, { quirks }: Target): Json | undefined {
  const { verbosity } = extensions
  const output = holdToSchema(requested, quirks?.schemas)
  const format = output === undefined ? undefined : formatOutput(output)
  if (format === undefined && (verbosity === undefined || verbosity === null)) return undefined
  return withoutUndefined({ format, verbosity: verbosity ?? undefined })
}

/** The vendor's default for `strict` is true. */
function formatOutput(output: OutputFormat): Json {
  switch (output.type) {
    case 'text':
      return { type: 'text' }
    case 'json-object':
      return { type: 'json_object' }
    case 'json-schema': {
      const { name, schema, strict = false, description } = output
      return withoutUndefined({ type: 'json_schema', name, schema, strict, description })
    }
  }
}

/** Anthropic's value for the standard tier only is `default` here. */
function formatTier({ service_tier: tier }: Json): Json {
  return tier === 'standard_only' ? { service_tier: 'default' } : {}
}
