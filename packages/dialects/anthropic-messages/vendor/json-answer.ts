import type { ModelRequest } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { answerSchema } from '../../requests/schemas/answer-schema.ts'
import { answersByTool as isAskedByTool, answerTool } from '../../requests/schemas/answer-tool.ts'
import type { Target } from '../../vendor.ts'
import type { Block } from './content.ts'

/** How the model is made to answer in JSON: by a format to follow, or by a tool to call. */
export interface JsonAnswer {
  format?: Block
  tool?: Block
}

/**
 * Uses the vendor's structured output if the model has it
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). Not for an object of any shape:
 * its schemas must name every property.
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

/** Whether the answer comes as a call of that tool; the model may write other text beside the call. */
export function answersByTool(request: ModelRequest, { traits }: Target): boolean {
  return isAskedByTool(request, traits.claude.structuredOutput)
}
