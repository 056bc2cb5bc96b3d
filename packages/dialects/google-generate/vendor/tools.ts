import { invalidRequest, type ModelRequest, type Tool } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import type { GeminiTraits } from '../../model-traits.ts'
import { unsupportedFieldError } from '../../requests/omissions.ts'
import type { Target } from '../../vendor.ts'
import { portableTools } from '../../requests/fields/requested-fields.ts'
import { googleSchema, schemaRoom, type SchemaRoom } from './schemas/json-schema.ts'

interface ToolFields {
  tools?: unknown[]
  toolConfig?: unknown
}

/**
 * Writes the functions, and whether they must be called
 * (https://ai.google.dev/gemini-api/docs/function-calling).
 * @throws {GatewayError} 400 if an older model would have to answer in JSON in a request with tools
 */
export function formatTools(request: ModelRequest, { model, traits: { gemini } }: Target): ToolFields {
  const { toolChoice, output } = request
  const tools = portableTools(request.tools)
  if (tools.length === 0) return {}
  if (!gemini.jsonBesideTools && output !== undefined && output.type !== 'text') {
    // Tools that must not be called need not be sent.
    if (toolChoice?.type === 'none') return {}
    const message = `response_format: ${model} cannot combine JSON output with tools.`
    throw unsupportedFieldError('response_format.json_object', 'response_format', message)
  }
  const room = schemaRoom()
  const functionDeclarations = tools.map((tool, index) => formatTool(tool, index, room))
  const config = formatChoice(request, gemini)
  const toolConfig = config === undefined ? {} : { toolConfig: { functionCallingConfig: config } }
  return { tools: [{ functionDeclarations }], ...toolConfig }
}

function formatTool(tool: Tool, index: number, room: SchemaRoom): unknown {
  if (tool.kind === 'raw') throw invalidRequest(`tools[${index}]`, `tools[${index}]: expected a function.`)
  const { name, description, parameters } = tool
  const schema = parametersOf(parameters, `tools[${index}].function.parameters`, room)
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { parametersJsonSchema: schema }),
  }
}

/** A function without parameters has no schema: Google refuses an object without properties. */
function parametersOf(parameters: unknown, path: string, room: SchemaRoom): unknown {
  if (parameters === undefined) return undefined
  const schema = googleSchema(parameters, path, room)
  if (!isObject(schema)) return schema
  const { type: _type, properties, additionalProperties, required: _required, ...rest } = schema
  const named = isObject(properties) ? Object.keys(properties).length : 0
  const open = isObject(additionalProperties) || additionalProperties === true
  if (
    named === 0 &&
    !open &&
    Object.keys(rest).every((keyword) => keyword === 'description' || keyword === 'title')
  ) {
    return undefined
  }
  return schema['type'] === undefined && schema['anyOf'] === undefined
    ? { type: 'object', ...schema }
    : schema
}

function formatChoice(
  { toolChoice, tools }: ModelRequest,
  { validatesCalls }: GeminiTraits,
): Record<string, unknown> | undefined {
  switch (toolChoice?.type) {
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'named':
      return { mode: 'ANY', allowedFunctionNames: [toolChoice.name] }
    case 'raw':
      throw invalidRequest(
        'tool_choice',
        'tool_choice: expected none, auto, required, or a function by its name.',
      )
    case 'auto':
    case undefined: {
      // Google has no strict tools, but a mode in which the arguments of all tools follow their schemas.
      const strict =
        validatesCalls &&
        portableTools(tools).every((tool) => tool.kind === 'function' && tool.strict === true)
      if (strict) return { mode: 'VALIDATED' }
      return toolChoice === undefined ? undefined : { mode: 'AUTO' }
    }
  }
}
