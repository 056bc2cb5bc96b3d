import { invalidRequest, type Tool } from '@turnpike/protocol'
import { isObject } from '../../../json/object.ts'
import { textArgument } from '../response/response-context.ts'
import {
  listMember,
  objectMember,
  optionalText,
  textMember,
  wrongMember,
  type Members,
} from '../../../requests/fields/typed-members.ts'
import type { Origins } from './origins.ts'
import type { ResponsesRequest } from '../request-schema.ts'
import { flatName, searchName, type ToolNames } from './tool-names.ts'

export interface ParsedTools {
  tools: Tool[]
  names: ToolNames
}

/** Tools that are being parsed. */
interface Reading extends ParsedTools {
  taken: Set<string>
  origins: Origins | undefined
}

/**
 * Parses tools: functions, including those in namespaces, custom tools, which take free text, and a search
 * that the caller makes itself. Tools that the vendor runs stay unchanged. Tools in `input`
 * (https://platform.openai.com/docs/guides/tools-tool-search) may be called as well.
 * @param origins filled with the path of each tool
 * @throws {GatewayError} 400 for a tool without a name, or with a name that is already used
 */
export function parseTools(
  { tools, input }: Pick<ResponsesRequest, 'tools' | 'input'>,
  origins?: Origins,
): ParsedTools {
  const reading: Reading = { tools: [], names: new Map(), taken: new Set(), origins }
  addTools(tools ?? [], 'tools', reading)
  if (typeof input !== 'string')
    for (let at = 0; at < input.length; at++) addToolsOf(input[at] as Members, `input[${at}]`, reading)
  return reading
}

function addToolsOf(item: Members, path: string, reading: Reading): void {
  const { type } = item
  if (type === 'additional_tools') addTools(listMember(item, 'tools', path), `${path}.tools`, reading)
  if (type !== 'tool_search_output') return
  forEachTool(listMember(item, 'tools', path), `${path}.tools`, (tool, place, namespace) => {
    // Two searches may find the same tool.
    const name = nameAtVendors(tool, place, namespace)
    if (name === undefined || !reading.taken.has(name)) addTool(tool, place, namespace, reading)
  })
}

function addTools(tools: readonly Members[], path: string, reading: Reading): void {
  forEachTool(tools, path, (tool, place, namespace) => addTool(tool, place, namespace, reading))
}

type ToolVisitor = (tool: Members, path: string, namespace: string | undefined) => void

/** Visits the tools of a list, including those of its namespaces. */
export function forEachTool(tools: readonly Members[], path: string, visit: ToolVisitor): void {
  for (const [index, tool] of tools.entries()) {
    const place = `${path}[${index}]`
    if (tool['type'] !== 'namespace') visit(tool, place, undefined)
    else {
      const namespace = textMember(tool, 'name', place)
      for (const [at, inner] of listMember(tool, 'tools', place).entries()) {
        const path = `${place}.tools[${at}]`
        if (inner['type'] === 'namespace') throw wrongMember('', `${path}.type`, 'a tool of this namespace')
        visit(inner, path, namespace)
      }
    }
  }
}

/** Undefined for a tool that the vendor runs itself. */
export function nameAtVendors(tool: Members, path: string, namespace?: string): string | undefined {
  const { type } = tool
  if (type === 'tool_search') return tool['execution'] === 'client' ? searchName : undefined
  if (type !== 'function' && type !== 'custom') return undefined
  const own = textMember(tool, 'name', path)
  if (own === '') throw wrongMember(own, `${path}.name`, 'the name of the tool')
  return namespace === undefined ? own : flatName(own, namespace)
}

function addTool(tool: Members, path: string, namespace: string | undefined, reading: Reading): void {
  const name = nameAtVendors(tool, path, namespace)
  // A vendor's own search is for tools that it does not get at once; here they are all declared.
  if (name === undefined && tool['type'] === 'tool_search') return
  if (name !== undefined && reading.taken.has(name))
    throw invalidRequest(`${path}.name`, `${path}.name: expected a unique name.`)
  const parsed = name === undefined ? raw(tool) : parseTool(tool, name, path)
  reading.origins?.set(parsed, path)
  reading.tools.push(parsed)
  if (name === undefined) return
  reading.taken.add(name)
  const callType = callTypes[tool['type'] as keyof typeof callTypes]
  if (callType === 'function_call' && namespace === undefined) return
  const own = typeof tool['name'] === 'string' ? tool['name'] : name
  reading.names.set(name, { name: own, ...(namespace === undefined ? {} : { namespace }), callType })
}

const callTypes = {
  function: 'function_call',
  custom: 'custom_tool_call',
  tool_search: 'tool_search_call',
} as const

function raw(tool: Members): Tool {
  return { kind: 'raw', value: tool, format: 'openai-responses' }
}

function parseTool(tool: Members, name: string, path: string): Tool {
  return tool['type'] === 'custom' ? textFunction(tool, name, path) : functionTool(tool, name, path)
}

function functionTool(tool: Members, name: string, path: string): Tool {
  const { parameters, strict } = tool
  const description = optionalText(tool, 'description', path)
  const hasParameters = parameters !== undefined && parameters !== null
  if (hasParameters && !isObject(parameters))
    throw wrongMember(parameters, `${path}.parameters`, 'a JSON Schema object')
  return {
    kind: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    ...(hasParameters ? { parameters } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

/** A tool that takes free text, written as a function with one argument. */
function textFunction(tool: Members, name: string, path: string): Tool {
  const texts = [optionalText(tool, 'description', path), grammarOf(tool, path)]
  const description = texts.filter((text) => text !== undefined).join('\n\n')
  return {
    kind: 'function',
    name,
    ...(description === '' ? {} : { description }),
    parameters: {
      type: 'object',
      properties: { [textArgument]: { type: 'string' } },
      required: [textArgument],
      additionalProperties: false,
    },
  }
}

/**
 * The grammar of the text, described in words: no other API can enforce a grammar on all its models. Whoever
 * runs the tool parses the text by it
 * (https://platform.openai.com/docs/guides/function-calling#context-free-grammars).
 */
function grammarOf(tool: Members, path: string): string | undefined {
  if (tool['format'] === undefined || tool['format'] === null) return undefined
  const format = objectMember(tool, 'format', path)
  const type = textMember(format, 'type', `${path}.format`)
  if (type === 'text') return undefined
  if (type !== 'grammar') throw wrongMember(type, `${path}.format.type`, 'text or grammar')
  const syntax = textMember(format, 'syntax', `${path}.format`)
  const definition = textMember(format, 'definition', `${path}.format`)
  const whole = `The argument "${textArgument}" is the whole text.`
  return `${whole} It follows this grammar (${syntax}):\n\n${definition}`
}
