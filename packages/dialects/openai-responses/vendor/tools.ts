import { invalidRequest, type ModelRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { portableTools } from '../../requests/fields/requested-fields.ts'
import { isStrictSchema } from '../../requests/schemas/strict-schema.ts'
import type { Target } from '../../vendor.ts'

type Json = Record<string, unknown>

/**
 * Writes the tools (https://platform.openai.com/docs/guides/function-calling). Undefined if there are none.
 * @throws {GatewayError} 400 if the model requires a tool that callers cannot request here
 */
export function formatTools({ tools: offered }: ModelRequest, { model, traits }: Target): Json[] | undefined {
  const { livesBy } = traits.openai
  if (livesBy.length > 0) {
    const message = `tools: ${model} needs a tool that its vendor runs: one of ${livesBy.join(', ')}.`
    throw invalidRequest('tools', message)
  }
  const tools = portableTools(offered)
  return tools.length === 0 ? undefined : tools.map(formatTool)
}

/** A schema is strict by default, and refused if it cannot be. */
function formatTool(tool: Tool): Json {
  if (tool.kind === 'raw') return formatCustom(memberOf(tool.value, 'custom'))
  const { name, description, parameters = { type: 'object', properties: {} }, strict } = tool
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    strict: strict === true && isStrictSchema(parameters),
  }
}

/** A custom tool of chat completions, which nest the grammar in one more object. */
function formatCustom(custom: Json): Json {
  const { format, ...rest } = custom
  if (format === undefined || format === null) return { type: 'custom', ...rest }
  const { grammar, ...head } = memberOf(custom, 'format')
  return { type: 'custom', ...rest, format: { ...head, ...(isObject(grammar) ? grammar : {}) } }
}

/** @throws {GatewayError} 400 for a choice that chat completions do not have */
export function formatToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'named') return { type: 'function', name: choice.name }
  if (choice.type !== 'raw') return choice.type
  const { value } = choice
  const type = isObject(value) ? value['type'] : undefined
  if (type === 'custom') return { type, ...memberOf(value, 'custom') }
  if (type !== 'allowed_tools')
    throw invalidRequest('tool_choice', 'tool_choice: expected a function, a custom tool or allowed_tools.')
  const { mode = 'auto', tools } = memberOf(value, 'allowed_tools')
  return { type, mode, tools: Array.isArray(tools) ? tools.filter(isObject).map(formatAllowed) : [] }
}

/** `{type: "function", function: {name}}` without the inner object. */
function formatAllowed(tool: Json): Json {
  const { type } = tool
  return { type, ...memberOf(tool, type === 'custom' ? 'custom' : 'function') }
}

function memberOf(holder: unknown, name: string): Json {
  const value = isObject(holder) ? holder[name] : undefined
  return isObject(value) ? value : {}
}
