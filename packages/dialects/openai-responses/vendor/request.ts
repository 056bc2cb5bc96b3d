import type { ModelRequest, OutputFormat } from '@turnpike/protocol'
import { effortOfBudget, fittingEffort } from '../../requests/openai-effort.ts'
import { passedExtensions } from '../../requests/requested-fields.ts'
import type { Target } from '../../vendor.ts'
import { responsesFields } from './fields.ts'
import { fitUser } from './identifiers.ts'
import { formatInput } from './input.ts'
import { formatToolChoice, formatTools } from './tools.ts'

type Json = Record<string, unknown>

/**
 * The body of `POST /responses` (https://platform.openai.com/docs/api-reference/responses/create). Nothing is
 * kept at the vendor: what a model thought comes back encrypted, and is sent again with the next request.
 * @throws {GatewayError} 400 that names the caller's field where it cannot be said
 */
export function formatRequest(request: ModelRequest, target: Target): Json {
  const reasons = isReasoning(target)
  const include = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(request.logprobs === undefined ? [] : ['message.output_text.logprobs']),
  ]
  return present({
    model: target.model,
    input: formatInput(request.messages),
    store: false,
    stream: request.stream ? true : undefined,
    include: include.length === 0 ? undefined : include,
    max_output_tokens: request.maxOutputTokens,
    tools: formatTools(request.tools),
    tool_choice: request.toolChoice === undefined ? undefined : formatToolChoice(request.toolChoice),
    parallel_tool_calls: request.parallelToolCalls,
    text: formatText(request),
    reasoning: reasons ? formatReasoning(request, target) : undefined,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs:
      request.logprobs === undefined || request.logprobs.top === 0 ? undefined : request.logprobs.top,
    user: fitUser(request.user),
    ...passedExtensions(request, responsesFields),
    ...formatTier(request.extensions),
  })
}

/** Others refuse to be asked for what they thought. */
function isReasoning({ supportedParameters }: Target): boolean {
  return supportedParameters.includes('reasoning') || supportedParameters.includes('reasoning_effort')
}

/** A summary is shown where the caller asks the model to think, and wants to see it. */
function formatReasoning({ reasoning }: ModelRequest, { model }: Target): Json | undefined {
  if (reasoning === undefined) return undefined
  const wish = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens)
  const effort = wish === undefined ? undefined : fittingEffort(model, wish)
  const isShown = reasoning.hidden !== true && effort !== 'none'
  const told = present({ effort, summary: isShown ? 'auto' : undefined })
  return Object.keys(told).length === 0 ? undefined : told
}

function formatText({ output, extensions }: ModelRequest): Json | undefined {
  const { verbosity } = extensions
  const format = output === undefined ? undefined : formatOutput(output)
  if (format === undefined && (verbosity === undefined || verbosity === null)) return undefined
  return present({ format, verbosity: verbosity ?? undefined })
}

/** `strict` holds there where it is not said otherwise. */
function formatOutput(output: OutputFormat): Json {
  switch (output.type) {
    case 'text':
      return { type: 'text' }
    case 'json-object':
      return { type: 'json_object' }
    case 'json-schema': {
      const { name, schema, strict = false, description } = output
      return present({ type: 'json_schema', name, schema, strict, description })
    }
  }
}

/** Anthropic's word for the usual tier alone is `default` here. */
function formatTier({ service_tier: tier }: Json): Json {
  return tier === 'standard_only' ? { service_tier: 'default' } : {}
}

function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
