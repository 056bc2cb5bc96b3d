import type { ModelRequest } from '@turnpike/protocol'
import { unsupportedFieldError } from '../omissions.ts'

/**
 * The tool that a model calls to give its answer as JSON, if it has no other way to guarantee JSON. Callers
 * never see it: its arguments become the answer's text.
 */
export const answerToolName = 'turnpike_json_answer'

export interface AnswerTool {
  name: string
  description: string
  /** JSON Schema of the answer, which is an object. */
  schema: object
}

const toolDescription =
  'Gives the answer to the user: the arguments are the answer itself, as one JSON object. ' +
  'Call this instead of writing the answer as text, and only when the answer is final.'

/**
 * Whether the answer should come as a call of that tool; the model may write other text beside the call.
 * @param holdsSchemas the model can enforce a schema in another way, but never "any object"
 */
export function answersByTool(request: ModelRequest, holdsSchemas: boolean): boolean {
  const { output } = request
  if (output === undefined || output.type === 'text' || mustCall(request)) return false
  return output.type === 'json-object' || !holdsSchemas
}

/**
 * That tool for this request, whose answer must be JSON.
 * @throws {GatewayError} 400 if the schema does not describe an object
 */
export function answerTool({ output }: ModelRequest): AnswerTool {
  const schema = output?.type === 'json-schema' ? objectSchema(output.schema) : { type: 'object' }
  const described = output?.type === 'json-schema' ? (output.description ?? '') : ''
  const description = described === '' ? toolDescription : `${toolDescription}\n\n${described}`
  return { name: answerToolName, description, schema }
}

/** A turn that must call one of the caller's tools has no answer that could be JSON. */
function mustCall({ toolChoice }: ModelRequest): boolean {
  return toolChoice?.type === 'required' || toolChoice?.type === 'named'
}

function objectSchema(schema: unknown): object {
  const type = (schema as { type?: unknown }).type ?? 'object'
  if (type === 'object') return { ...(schema as object), type }
  const path = 'response_format.json_schema.schema'
  throw unsupportedFieldError(
    'response_format.json_schema',
    path,
    `${path}: expected a schema whose type is object.`,
  )
}
