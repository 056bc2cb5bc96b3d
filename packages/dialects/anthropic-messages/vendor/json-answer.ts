import type { ModelRequest } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { unsupported } from '../../requests/omissions.ts'
import type { Target } from '../../vendor.ts'
import { answerSchema } from './answer-schema.ts'
import type { Block } from './content.ts'

/**
 * The tool that a model calls to give its answer as JSON, where it has no other way to promise JSON. Callers
 * never see it: what it is called with is the answer's text.
 */
export const jsonAnswerTool = 'turnpike_json_answer'

/** How the model is made to answer in JSON: by a format that it is held to, or by a tool to call. */
export interface JsonAnswer {
  format?: Block
  tool?: Block
}

const toolDescription =
  'Gives the answer to the user: the arguments are the answer itself, as one JSON object. ' +
  'Call this instead of writing the answer as text, and only when the answer is final.'

/**
 * A schema goes to the vendor's own structured output where the model has it
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). An object of any shape does
 * not: there a schema must name every property.
 */
export function jsonAnswer(request: ModelRequest, model: ClaudeTraits): JsonAnswer {
  const { output } = request
  if (output === undefined || output.type === 'text') return {}
  if (output.type === 'json-schema' && model.structuredOutput) {
    return { format: { type: 'json_schema', schema: answerSchema(output.schema, output.description) } }
  }
  if (mustCall(request)) return {}
  const schema = output.type === 'json-schema' ? objectSchema(output.schema) : { type: 'object' }
  const described = output.type === 'json-schema' ? (output.description ?? '') : ''
  const description = described === '' ? toolDescription : `${toolDescription}\n\n${described}`
  return { tool: { name: jsonAnswerTool, description, input_schema: schema } }
}

/** Whether the answer comes as a call of that tool, beside which the model may say what it likes. */
export function answersByTool(request: ModelRequest, { traits }: Target): boolean {
  const { output } = request
  if (output === undefined || output.type === 'text' || mustCall(request)) return false
  return output.type === 'json-object' || !traits.claude.structuredOutput
}

/** A turn that must call one of the caller's tools holds no answer that could be JSON. */
function mustCall({ toolChoice }: ModelRequest): boolean {
  return toolChoice?.type === 'required' || toolChoice?.type === 'named'
}

function objectSchema(schema: unknown): object {
  const type = (schema as { type?: unknown }).type ?? 'object'
  if (type === 'object') return { ...(schema as object), type }
  const path = 'response_format.json_schema.schema'
  throw unsupported('response_format.json_schema', path, `${path}: expected a schema of an object.`)
}
