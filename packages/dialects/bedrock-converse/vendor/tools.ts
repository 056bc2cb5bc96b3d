import { invalidRequest, type ModelRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import type { BedrockTraits } from '../../model-traits.ts'
import { answerToolName, type AnswerTool } from '../../requests/schemas/answer-tool.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import { portableTools } from '../../requests/fields/requested-fields.ts'
import type { TurnBlock } from '../../requests/turns.ts'
import { cachePoint } from './content.ts'

export interface Tooling {
  /** Undefined: no tools. */
  toolConfig: { tools: TurnBlock[]; toolChoice?: TurnBlock } | undefined
  /** The model must call a tool. */
  forced: boolean
}

/**
 * Writes the tools and the choice:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolConfiguration.html
 * @param answer the tool for a JSON answer, if there is one
 * @throws {GatewayError} 400 if the choice names no tool, or the model does not support forced choices
 */
export function formatTools(
  request: ModelRequest,
  model: BedrockTraits,
  answer: AnswerTool | undefined,
): Tooling {
  const formatted = portableTools(request.tools).flatMap((tool, index) =>
    formatTool(tool, `tools[${index}]`, model),
  )
  const none = request.toolChoice?.type === 'none'
  const called = namesCalled(request)
  if (none && called.length > 0 && answer === undefined)
    throw invalidRequest(
      'tool_choice',
      'tool_choice: this vendor does not accept "none" in a conversation in which tools were called.',
    )
  const offered = none ? [] : formatted
  // Tools of earlier calls must be declared. Their earlier declarations do not matter.
  const undeclared = called.filter((name) => !formatted.some((tool) => nameOf(tool) === name))
  const declared = undeclared.map((name) => toolSpec(name, { type: 'object', properties: {} }))
  if (answer !== undefined) {
    const { name, description, schema } = answer
    const tools = [...offered, ...declared, toolSpec(name, schema, { description })]
    const choice = answerChoice(model, tools.length > 1)
    return { toolConfig: { tools, ...choice }, forced: choice.toolChoice !== undefined }
  }
  const choice = formatChoice(request.toolChoice, request.tools, model)
  const tools = [...offered, ...declared]
  if (tools.length === 0) return { toolConfig: undefined, forced: false }
  return { toolConfig: { tools, ...choice }, forced: choice.toolChoice !== undefined }
}

function formatTool(tool: Tool, path: string, model: BedrockTraits): TurnBlock[] {
  if (tool.kind === 'raw') throw invalidRequest(path, `${path}: this vendor supports function tools only.`)
  if (tool.name === answerToolName) {
    const field = `${path}.function.name`
    throw invalidRequest(field, `${field}: the gateway reserves this name. Choose another one.`)
  }
  const { name, description, parameters, strict, cache } = tool
  const schema = { type: 'object', properties: {}, ...(parameters as object | undefined) }
  const held = strict === true && model.schemas ? { strict } : {}
  const described = description === undefined || description === '' ? {} : { description }
  return [toolSpec(name, schema, { ...described, ...held }), ...cachePoint(cache, 'tools', { model })]
}

function toolSpec(name: string, json: object, beside: object = {}): TurnBlock {
  return { toolSpec: { name, ...beside, inputSchema: { json } } }
}

function nameOf({ toolSpec: spec }: TurnBlock): unknown {
  return (spec as { name?: unknown } | undefined)?.name
}

function namesCalled({ messages }: ModelRequest): string[] {
  const names = messages.flatMap(({ role, content }) =>
    role === 'assistant' ? content.flatMap((block) => (block.kind === 'tool-call' ? [block.name] : [])) : [],
  )
  return [...new Set(names)]
}

function formatChoice(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  { toolChoices }: BedrockTraits,
): { toolChoice?: TurnBlock } {
  switch (choice?.type) {
    case 'required':
      requireTool(tools.length > 0)
      if (toolChoices.includes('any')) return { toolChoice: { any: {} } }
      throw notForced('tool_choice.required')
    case 'named':
      requireTool(tools.some((tool) => tool.kind === 'function' && tool.name === choice.name))
      if (toolChoices.includes('tool')) return { toolChoice: { tool: { name: choice.name } } }
      throw notForced('tool_choice.named')
    case 'raw':
      throw invalidRequest('tool_choice', 'tool_choice: expected none, auto, required or a function name.')
    case 'none':
    case 'auto':
    case undefined:
      return {}
  }
}

function requireTool(isThere: boolean): void {
  const path = 'tool_choice'
  if (!isThere) throw invalidRequest(path, `${path}: expected the name of one of the tools.`)
}

function notForced(field: 'tool_choice.required' | 'tool_choice.named'): Error {
  return unsupportedFieldError(
    field,
    'tool_choice',
    'tool_choice: this model cannot be forced to call a tool.',
  )
}

/** Forces one of the caller's tools or the answer tool. Without forced choices, its description says so. */
function answerChoice({ toolChoices }: BedrockTraits, others: boolean): { toolChoice?: TurnBlock } {
  if (!others && toolChoices.includes('tool')) return { toolChoice: { tool: { name: answerToolName } } }
  return toolChoices.includes('any') ? { toolChoice: { any: {} } } : {}
}
