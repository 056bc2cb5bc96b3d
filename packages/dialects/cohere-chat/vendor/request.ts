import { invalidRequest, type ModelRequest } from '@turnpike/protocol'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { selectExtensions } from '../../requests/fields/requested-fields.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import type { Target } from '../../vendor.ts'
import { cohereChatFields } from './fields.ts'
import { formatMessages } from './messages.ts'
import { formatThinking } from './thinking.ts'
import { formatTools, type Tooling } from './tools.ts'
import { withoutUndefined } from '../../json/object.ts'

const maxTemperature = 1

/** The bounds of `p`. */
const leastTopP = 0.01
const mostTopP = 0.99

/**
 * Writes the body of `POST /v2/chat` (https://docs.cohere.com/reference/chat). Fields that neither OpenAI nor
 * `ModelRequest` has, such as `documents` and `citation_options`, are passed: Cohere's errors name what it
 * does not know.
 * @throws {GatewayError} 400 that names a caller's field without an equivalent
 */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  const { temperature, topP, extensions } = request
  if (temperature !== undefined && temperature > maxTemperature) {
    const expected = `temperature: expected a number from 0 to ${maxTemperature} for this vendor.`
    throw unsupportedFieldError('temperature', 'temperature', expected)
  }
  const tooling = formatTools(request)
  return withoutUndefined({
    model: target.model,
    messages: formatMessages(withDocumentsAsText(request.messages), target),
    stream: request.stream,
    ...tooling,
    response_format: formatOutput(request, tooling),
    max_tokens: request.maxOutputTokens,
    stop_sequences: request.stop.length === 0 ? undefined : request.stop,
    temperature,
    p: topP === undefined ? undefined : Math.min(Math.max(topP, leastTopP), mostTopP),
    k: extensions['top_k'] ?? undefined,
    frequency_penalty: penalty('frequency_penalty', request.frequencyPenalty),
    presence_penalty: penalty('presence_penalty', request.presencePenalty),
    seed: request.seed,
    thinking: formatThinking(request, target),
    ...selectExtensions(request, cohereChatFields),
  })
}

/** OpenAI's penalties range from -2 to 2. */
function penalty(
  field: 'frequency_penalty' | 'presence_penalty',
  value: number | undefined,
): number | undefined {
  if (value === undefined || (value >= 0 && value <= 1)) return value
  throw unsupportedFieldError(field, field, `${field}: expected a number from 0 to 1 for this vendor.`)
}

/** "The parameter is not supported when used in combinations with the `documents` or `tools` parameters." */
function formatOutput({ output }: ModelRequest, { tools }: Tooling): object | undefined {
  if (output === undefined || output.type === 'text') return undefined
  const isSchema = output.type === 'json-schema'
  if (tools !== undefined) {
    const field = isSchema ? 'response_format.json_schema' : 'response_format.json_object'
    const path = isSchema ? field : 'response_format.type'
    throw unsupportedFieldError(field, path, `${path}: this vendor cannot combine JSON output with tools.`)
  }
  if (!isSchema) return { type: 'json_object' }
  if (typeof output.schema !== 'object') {
    const path = 'response_format.json_schema.schema'
    throw invalidRequest(path, `${path}: expected a schema whose type is object.`)
  }
  return { type: 'json_object', json_schema: output.schema }
}
