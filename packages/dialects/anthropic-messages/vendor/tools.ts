import { invalidRequest, type ModelRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import type { ClaudeTraits } from '../../model-traits.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { portableTools } from '../../requests/fields/requested-fields.ts'
import { answerSchema } from '../../requests/schemas/answer-schema.ts'
import { cacheControl, type Block } from './content.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'

export interface Tooling {
  tools: Block[] | undefined
  toolChoice: Block | undefined
  /** The model must call a tool. A model that thinks within a budget then refuses to think. */
  forced: boolean
}

/**
 * @param answerTool the tool for a JSON answer, if there is one
 * @throws {GatewayError} 400 if the choice names no tool, or the model does not support forced choices
 */
export function formatTools(request: ModelRequest, model: ClaudeTraits, answerTool?: Block): Tooling {
  const tools = portableTools(request.tools).map((tool, index) => formatTool(tool, `tools[${index}]`, model))
  if (answerTool !== undefined) {
    const none = request.toolChoice?.type === 'none'
    const choice = answerChoice(request, model, tools.length > 0 && !none)
    // A model without forced choices may call any tool that it gets, so for `none` it gets no tools.
    const offered = none && !model.forcedTools ? [] : tools
    return { tools: [...offered, answerTool], toolChoice: choice, forced: choice['type'] !== 'auto' }
  }
  const { toolChoice: choice } = request
  const forced = choice?.type === 'required' || choice?.type === 'named'
  if (forced) checkForced(choice, request.tools, model)
  if (tools.length === 0) return { tools: undefined, toolChoice: undefined, forced: false }
  return { tools, toolChoice: formatChoice(request), forced }
}

function formatTool(tool: Tool, path: string, model: ClaudeTraits): Block {
  if (tool.kind === 'raw') {
    if (tool.format === 'anthropic-messages') return tool.value as Block
    throw invalidRequest(path, `${path}: this vendor supports function tools only.`)
  }
  if (tool.name === answerToolName) {
    const field = `${path}.function.name`
    throw invalidRequest(field, `${field}: the gateway reserves this name. Choose another one.`)
  }
  const { name, description, parameters, strict, cache, extensions } = tool
  const schema = { type: 'object', properties: {}, ...(parameters as object | undefined) }
  const held = strict === true && model.structuredOutput
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: held ? answerSchema(schema) : schema,
    ...(held ? { strict } : {}),
    ...extensions,
    ...cacheControl(cache),
  }
}

function checkForced(choice: ToolChoice, tools: readonly Tool[], model: ClaudeTraits): void {
  const path = 'tool_choice'
  if (!model.forcedTools)
    throw unsupportedFieldError(
      'tool_choice.required',
      path,
      `${path}: this model cannot be forced to call a tool.`,
    )
  const known = tools.some(
    (tool) => choice.type !== 'named' || (tool.kind === 'function' && tool.name === choice.name),
  )
  if (!known) throw invalidRequest(path, `${path}: expected the name of one of the tools.`)
}

function formatChoice({ toolChoice, parallelToolCalls }: ModelRequest): Block | undefined {
  const one = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  switch (toolChoice?.type) {
    case 'none':
      return { type: 'none' }
    case 'required':
      return { type: 'any', ...one }
    case 'named':
      return { type: 'tool', name: toolChoice.name, ...one }
    case 'raw':
      throw invalidRequest('tool_choice', 'tool_choice: expected none, auto, required or a function name.')
    case 'auto':
    case undefined:
      return parallelToolCalls === false ? { type: 'auto', ...one } : undefined
  }
}

/** Forces one of the caller's tools or the answer tool. Without forced choices, its description says so. */
function answerChoice(request: ModelRequest, model: ClaudeTraits, others: boolean): Block {
  const one = request.parallelToolCalls === false ? { disable_parallel_tool_use: true } : {}
  if (!model.forcedTools) return { type: 'auto', ...one }
  return others ? { type: 'any', ...one } : { type: 'tool', name: answerToolName }
}
