import type { Json } from '../code/bodies/body.ts'
import type { Format, Tool } from '../code/code-request.ts'

/* Parses JSON that the user typed; a mistake is explained in words. */

interface Found<Value> {
  /** Absent if nothing was typed, or if there is a mistake. */
  value?: Value
  mistake?: string
}

/** Nobody types a longer list of tools. */
const maxCharacters = 100_000
const maxTools = 64
/** The names that vendors accept. */
const toolName = /^[\w-]{1,64}$/

type JsonObject = { [name: string]: Json | undefined }

/**
 * A list of tools, or a single one: `{name, description, parameters}`, where `parameters` is a JSON Schema.
 * OpenAI's form (within `function`) and Anthropic's (with `input_schema`) are accepted, too.
 */
export function readTools(text: string): Found<Tool[]> {
  const { value, mistake } = parse(text)
  if (mistake !== undefined) return { mistake }
  if (value === undefined) return {}
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0) return {}
  if (list.length > maxTools) return { mistake: `Expected at most ${maxTools} tools, found ${list.length}.` }
  const tools: Tool[] = []
  for (const [index, one] of list.entries()) {
    const tool = readTool(one)
    if (typeof tool === 'string') return { mistake: `Tool ${index + 1}: ${tool}` }
    if (tools.some(({ name }) => name === tool.name))
      return { mistake: `Tool ${index + 1}: the name ${tool.name} is already used.` }
    tools.push(tool)
  }
  return { value: tools }
}

function readTool(value: Json): Tool | string {
  if (!isObject(value)) return 'expected an object with a name.'
  const definition = isObject(value['function']) ? value['function'] : value
  const {
    name,
    description,
    parameters = definition['input_schema'] ?? { type: 'object', properties: {} },
  } = definition
  if (typeof name !== 'string' || !toolName.test(name))
    return '`name`: expected 1 to 64 letters, digits, _ or -.'
  if (description !== undefined && typeof description !== 'string') return '`description`: expected a text.'
  if (!isObject(parameters)) return '`parameters`: expected a JSON Schema, such as {"type": "object", …}.'
  return { name, ...(description !== undefined && { description }), parameters }
}

/** A JSON Schema, or OpenAI's wrapper around one: `{name, schema}`. */
export function readSchema(text: string): Found<Format> {
  const { value, mistake } = parse(text)
  if (mistake !== undefined) return { mistake }
  if (!isObject(value)) return { mistake: 'Expected a JSON Schema, such as {"type": "object", …}.' }
  const { name, schema } = value
  if (typeof name === 'string' && isObject(schema))
    return toolName.test(name)
      ? { value: { kind: 'schema', name, schema } }
      : { mistake: '`name`: expected 1 to 64 letters, digits, _ or -.' }
  return { value: { kind: 'schema', name: 'answer', schema: value } }
}

function parse(text: string): Found<Json> {
  if (text.trim() === '') return {}
  if (text.length > maxCharacters)
    return { mistake: `Expected at most ${maxCharacters} characters, found ${text.length}.` }
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    return { mistake: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
