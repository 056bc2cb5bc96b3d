import { invalidRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import { wrongMember } from '../../requests/fields/typed-members.ts'
import { cacheMark, withExtensions } from './content.ts'
import type { MessagesRequest } from './request-schema.ts'

type InputTool = NonNullable<MessagesRequest['tools']>[number]

const toolName = /^[a-zA-Z0-9_-]{1,128}$/

/** How a tool is shown to the model, or who may call it: only Anthropic has these. */
const toolExtensions = ['allowed_callers', 'defer_loading', 'eager_input_streaming', 'input_examples']

/**
 * Parses tools. The caller's own tools are functions; typed tools that the vendor knows stay unchanged.
 * @throws {GatewayError} 400 for a tool without name or schema, or with a name that is already used
 */
export function parseTools(tools: MessagesRequest['tools']): Tool[] {
  if (tools === undefined || tools === null || tools.length === 0) return []
  const names = new Set<string>()
  return tools.map((tool, index) => {
    const path = `tools.${index}`
    const parsed = parseTool(tool, path)
    const { name } = tool
    if (typeof name !== 'string') return parsed
    if (names.has(name)) throw invalidRequest(`${path}.name`, `${path}.name: expected a unique name.`)
    names.add(name)
    return parsed
  })
}

function parseTool(tool: InputTool, path: string): Tool {
  const { type, name, description, input_schema: schema, strict } = tool
  if (typeof type === 'string' && type !== 'custom')
    return { kind: 'raw', value: tool, format: 'anthropic-messages' }
  if (typeof name !== 'string' || !toolName.test(name)) {
    const expected = '1 to 128 letters, digits, underscores and hyphens'
    throw wrongMember(name ?? undefined, `${path}.name`, expected)
  }
  if (schema === undefined || schema === null)
    throw wrongMember(undefined, `${path}.input_schema`, 'a JSON Schema object')
  const declaration = {
    kind: 'function' as const,
    name,
    ...(typeof description === 'string' ? { description } : {}),
    parameters: schema,
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...cacheMark(tool),
  }
  return withExtensions(declaration, tool, toolExtensions)
}

/** @throws {GatewayError} 400 if a tool must be called and none is named */
export function parseToolChoice(choice: MessagesRequest['tool_choice']): ToolChoice | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined
    case 'any':
      return { type: 'required' }
    case 'tool': {
      const { name } = choice
      if (typeof name !== 'string')
        throw wrongMember(undefined, 'tool_choice.name', 'the name of one of the tools')
      return { type: 'named', name }
    }
    case 'auto':
    case 'none':
      return { type: choice.type }
  }
}
