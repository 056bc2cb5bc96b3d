import { invalidRequest, type Tool } from '@turnpike/protocol'
import { textArgument } from './asked.ts'
import {
  isObject,
  listMember,
  objectMember,
  optionalText,
  textMember,
  wrongMember,
  type Members,
} from './members.ts'
import type { Origins } from './origins.ts'
import type { ResponsesRequest } from './request-schema.ts'
import { flatName, type ToolNames } from './tool-names.ts'

export interface ParsedTools {
  tools: Tool[]
  names: ToolNames
}

/**
 * Tools in our words: functions, those of namespaces among them, and custom tools, which take free text. What
 * the vendor runs itself stays as it is.
 * @param origins filled with where each tool stands
 * @throws {GatewayError} 400 for a tool without its name, or with the name of another
 */
export function parseTools(said: ResponsesRequest['tools'], origins?: Origins): ParsedTools {
  const parsed: ParsedTools = { tools: [], names: { asked: new Map(), withGrammar: new Set() } }
  const taken = new Set<string>()
  const add = (tool: Tool, name: string | undefined, path: string): void => {
    if (name !== undefined && taken.has(name))
      throw invalidRequest(`${path}.name`, `${path}.name: expected a name of its own.`)
    if (name !== undefined) taken.add(name)
    origins?.set(tool, path)
    parsed.tools.push(tool)
  }
  for (const [index, tool] of (said ?? []).entries()) {
    const path = `tools[${index}]`
    if (tool.type === 'namespace') {
      const namespace = textMember(tool, 'name', path)
      const nested = listMember(tool, 'tools', path)
      for (const [at, inner] of nested.entries())
        addTool(inner, `${path}.tools[${at}]`, namespace, parsed, add)
    } else addTool(tool, path, undefined, parsed, add)
  }
  return parsed
}

type Add = (tool: Tool, name: string | undefined, path: string) => void

function addTool(
  tool: Members,
  path: string,
  namespace: string | undefined,
  { names }: ParsedTools,
  add: Add,
): void {
  const { type } = tool
  if (type !== 'function' && type !== 'custom')
    return add({ kind: 'raw', value: tool, format: 'openai-responses' }, undefined, path)
  const own = textMember(tool, 'name', path)
  if (own === '') throw wrongMember(own, `${path}.name`, 'the name of the tool')
  const name = namespace === undefined ? own : flatName(own, namespace)
  const spaced = namespace === undefined ? {} : { namespace }
  const grammar = type === 'custom' ? grammarOf(tool, path) : undefined
  if (grammar !== undefined) {
    names.withGrammar.add(name)
    if (namespace !== undefined) names.asked.set(name, { name: own, ...spaced, takesText: false })
    return add({ kind: 'raw', value: chatCustom(tool, name, path, grammar) }, name, path)
  }
  if (type === 'custom' || namespace !== undefined)
    names.asked.set(name, { name: own, ...spaced, takesText: type === 'custom' })
  add(type === 'custom' ? textFunction(tool, name, path) : functionTool(tool, name, path), name, path)
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

/** A tool that takes free text, as a function with that one argument. */
function textFunction(tool: Members, name: string, path: string): Tool {
  const description = optionalText(tool, 'description', path)
  return {
    kind: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: {
      type: 'object',
      properties: { [textArgument]: { type: 'string' } },
      required: [textArgument],
      additionalProperties: false,
    },
  }
}

/** https://platform.openai.com/docs/guides/function-calling#context-free-grammars */
function grammarOf(tool: Members, path: string): Members | undefined {
  if (tool['format'] === undefined || tool['format'] === null) return undefined
  const format = objectMember(tool, 'format', path)
  const type = textMember(format, 'type', `${path}.format`)
  if (type === 'text') return undefined
  if (type !== 'grammar') throw wrongMember(type, `${path}.format.type`, 'text or grammar')
  return {
    syntax: textMember(format, 'syntax', `${path}.format`),
    definition: textMember(format, 'definition', `${path}.format`),
  }
}

/** The same in the words of chat completions. */
function chatCustom(tool: Members, name: string, path: string, grammar: Members): object {
  const description = optionalText(tool, 'description', path)
  const told = description === undefined ? {} : { description }
  return { type: 'custom', custom: { name, ...told, format: { type: 'grammar', grammar } } }
}
