import type { ModelRequest } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { answerSchema } from '../../requests/schemas/answer-schema.ts'
import { answersByTool as isAskedByTool, answerTool } from '../../requests/schemas/answer-tool.ts'
import type { Target } from '../../vendor.ts'
import type { Block } from './content.ts'

/** How the model is made to answer in JSON: by a format that it is held to, or by a tool to call. */
export interface JsonAnswer {
  format?: Block
  tool?: Block
}

/**
 * A schema goes to the vendor's own structured output where the model has it
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). An object of any shape does
 * not: there a schema must name every property.
 */
export function jsonAnswer(request: ModelRequest, model: ClaudeTraits): JsonAnswer {
  const { output } = request
  if (output?.type === 'json-schema' && model.structuredOutput) {
    return { format: { type: 'json_schema', schema: answerSchema(output.schema, output.description) } }
  }
  if (!isAskedByTool(request, model.structuredOutput)) return {}
  const { schema, ...tool } = answerTool(request)
  return { tool: { ...tool, input_schema: schema } }
}

/** Whether the answer comes as a call of that tool, beside which the model may say what it likes. */
export function answersByTool(request: ModelRequest, { traits }: Target): boolean {
  return isAskedByTool(request, traits.claude.structuredOutput)
}
