import type { ModelRequest } from '@turnpike/protocol'
import { answerSchema } from '../../requests/schemas/answer-schema.ts'
import { answersByTool as isAskedByTool, answerTool } from '../../requests/schemas/answer-tool.ts'
import { formatSampling } from '../../requests/claude/sampling.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import type { Target } from '../../vendor.ts'
import { formatConversation } from './messages.ts'
import { formatThinking } from './thinking.ts'
import { formatTools } from './tools.ts'
import { withoutUndefined } from '../../json/object.ts'

/**
 * Writes the body of `Converse` and `ConverseStream`. The model and whether to stream are in the path.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, "Request Body"
 * @throws {GatewayError} 400 that names a caller's field without an equivalent at this model
 */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  const { bedrock: model } = target.traits
  const { system, messages, unthoughtCalls } = formatConversation(request.messages, model)
  const answer = answersByTool(request, target) ? answerTool(request) : undefined
  const { toolConfig, forced } = formatTools(request, model, answer)
  const maxTokens = request.maxOutputTokens ?? target.maxOutputTokens
  const bounds = { maxTokens, budgetRefused: forced || unthoughtCalls }
  const thinking = formatThinking(request, target, bounds)
  const { inferenceConfig, fields } = formatInference(request, target, { maxTokens, thinks: thinking.on })
  return withoutUndefined({
    messages,
    system: system.length === 0 ? undefined : system,
    inferenceConfig,
    toolConfig,
    additionalModelRequestFields: unlessEmpty({ ...thinking.fields, ...fields }),
    outputConfig: formatOutput(request, target),
    guardrailConfig: target.quirks?.guardrail,
  })
}

/** Whether the answer comes as a call of a tool; the model may write other text beside the call. */
export function answersByTool(request: ModelRequest, { traits }: Target): boolean {
  return isAskedByTool(request, traits.bedrock.schemas)
}

interface Inference {
  inferenceConfig: Record<string, unknown>
  /** Further fields, under names of the model's maker. */
  fields: Record<string, unknown>
}

function formatInference(
  request: ModelRequest,
  { traits }: Target,
  { maxTokens, thinks }: { maxTokens: number; thinks: boolean },
): Inference {
  if (traits.bedrock.thinking === 'claude') {
    const {
      temperature,
      top_p: topP,
      top_k: topK,
      stop_sequences: stop,
    } = formatSampling(request, traits.claude, thinks)
    const fields = topK === undefined ? {} : { top_k: topK }
    return {
      inferenceConfig: withoutUndefined({ maxTokens, temperature, topP, stopSequences: stop }),
      fields,
    }
  }
  const { temperature, topP, stop } = request
  if (temperature !== undefined && temperature > 1) {
    const message = 'temperature: expected at most 1 for this vendor.'
    throw unsupportedFieldError('temperature', 'temperature', message)
  }
  const stopSequences = stop.length === 0 ? undefined : [...stop]
  return {
    inferenceConfig: withoutUndefined({ maxTokens, temperature, topP, stopSequences }),
    fields: formatTopK(request.extensions['top_k'], traits.bedrock.topK),
  }
}

/** https://docs.aws.amazon.com/nova/latest/userguide/complete-request-schema.html */
function formatTopK(topK: unknown, place: Target['traits']['bedrock']['topK']): Record<string, unknown> {
  if (topK === undefined || topK === null) return {}
  switch (place) {
    case 'field':
      return { top_k: topK }
    case 'nova':
      return { inferenceConfig: { topK } }
    case 'none':
      throw unsupportedFieldError('top_k', 'top_k', 'top_k: this model does not support it.')
  }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
function formatOutput({ output }: ModelRequest, { traits }: Target): object | undefined {
  if (output?.type !== 'json-schema' || !traits.bedrock.schemas) return undefined
  const { name, schema, description } = output
  const jsonSchema = withoutUndefined({ schema: JSON.stringify(answerSchema(schema)), name, description })
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

function unlessEmpty(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}
