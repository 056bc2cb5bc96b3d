import { invalidRequest, type ModelRequest, type Tool } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { portableTools } from '../../requests/fields/requested-fields.ts'

export interface Tooling {
  tools?: object[]
  tool_choice?: 'REQUIRED' | 'NONE'
  strict_tools?: true
}

type FunctionTool = Extract<Tool, { kind: 'function' }>

/**
 * Writes the tools, and whether the model must call one (https://docs.cohere.com/docs/tool-use-overview). For
 * a choice by name, only the named tool is offered.
 * @throws {GatewayError} 400 if there is nothing to choose
 */
export function formatTools(request: ModelRequest): Tooling {
  const { toolChoice } = request
  const offered = portableTools(request.tools).map(functionTool)
  const chosen =
    toolChoice?.type === 'named' ? offered.filter(({ name }) => name === toolChoice.name) : offered
  const forced = toolChoice?.type === 'required' || toolChoice?.type === 'named'
  if (forced && chosen.length === 0) {
    const expected = 'tool_choice: expected the name of one of the tools.'
    throw invalidRequest('tool_choice', expected)
  }
  if (toolChoice?.type === 'raw') {
    const expected = 'tool_choice: expected none, auto, required or a function name.'
    throw invalidRequest('tool_choice', expected)
  }
  if (chosen.length === 0) return {}
  return {
    tools: chosen.map(formatTool),
    ...(forced && { tool_choice: 'REQUIRED' }),
    ...(toolChoice?.type === 'none' && { tool_choice: 'NONE' }),
    ...(chosen.every(isHeldTo) && { strict_tools: true }),
  }
}

function functionTool(tool: Tool, index: number): FunctionTool {
  if (tool.kind === 'function') return tool
  const path = `tools[${index}]`
  throw invalidRequest(path, `${path}: this vendor supports function tools only.`)
}

function formatTool({ name, description, parameters }: FunctionTool): object {
  const schema = { type: 'object', properties: {}, ...(parameters as object | undefined) }
  const described = description === undefined ? {} : { description }
  return { type: 'function', function: { name, ...described, parameters: schema } }
}

/**
 * All tools are strict, or none, and each must have a required argument
 * (https://docs.cohere.com/docs/structured-outputs#structured-outputs-tools).
 */
function isHeldTo({ strict, parameters }: FunctionTool): boolean {
  const required = isObject(parameters) ? parameters['required'] : undefined
  return strict === true && Array.isArray(required) && required.length > 0
}
