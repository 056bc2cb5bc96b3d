import { invalidRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import {
  listMember,
  optionalText,
  textMember,
  wrongMember,
  type Members,
} from '../../../requests/fields/typed-members.ts'
import type { ResponsesRequest } from '../request-schema.ts'
import { resolveToolName, type ToolNames } from './tool-names.ts'
import type { ParsedTools } from './tools.ts'

export interface Choice {
  toolChoice: ToolChoice | undefined
  /** The tools that may be called. */
  tools: Tool[]
}

/**
 * Parses `tool_choice`. If it allows only some tools, the others are left out.
 * @throws {GatewayError} 400 if it names a tool that is not declared
 */
export function parseToolChoice(choice: ResponsesRequest['tool_choice'], parsed: ParsedTools): Choice {
  const { tools } = parsed
  if (choice === undefined || choice === null) return { toolChoice: undefined, tools }
  if (typeof choice === 'string') {
    if (choice !== 'none' && choice !== 'auto' && choice !== 'required')
      throw wrongMember(choice, 'tool_choice', 'none, auto, required or an object that names a tool')
    // Without tools there is no choice, and vendors refuse the field.
    if (choice === 'required' || tools.some(isCallable)) return { toolChoice: { type: choice }, tools }
    return { toolChoice: undefined, tools }
  }
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { toolChoice: parseNamedChoice(choice, parsed), tools }
    case 'allowed_tools':
      return parseAllowedChoice(choice, parsed)
    // A tool that the vendor runs itself, or that only vendors of Responses know.
    default:
      return { toolChoice: ofVendor(choice), tools }
  }
}

export function isCallable(tool: Tool): boolean {
  return tool.kind === 'function'
}

function parseNamedChoice(choice: Members, { tools, names }: ParsedTools): ToolChoice {
  const name = nameIn(choice, 'tool_choice', names)
  requireTool(name, 'tool_choice.name', namesOf(tools))
  return { type: 'named', name }
}

function parseAllowedChoice(choice: Members, { tools, names }: ParsedTools): Choice {
  const mode = textMember(choice, 'mode', 'tool_choice')
  if (mode !== 'auto' && mode !== 'required') throw wrongMember(mode, 'tool_choice.mode', 'auto or required')
  const offered = namesOf(tools)
  const allowed = new Set<string>()
  const list = listMember(choice, 'tools', 'tool_choice')
  if (list.length === 0)
    throw invalidRequest('tool_choice.tools', 'tool_choice.tools: expected at least one of the tools.')
  for (const [at, one] of list.entries()) {
    const path = `tool_choice.tools[${at}]`
    // Tools that the vendor runs itself are not called by name.
    if (one['type'] !== 'function' && one['type'] !== 'custom') continue
    const name = nameIn(one, path, names)
    requireTool(name, `${path}.name`, offered)
    allowed.add(name)
  }
  if (allowed.size === 0) return { toolChoice: ofVendor(choice), tools }
  const rest = tools.filter((tool) => tool.kind !== 'function' || allowed.has(tool.name))
  return { toolChoice: { type: mode }, tools: rest }
}

function ofVendor(value: Members): ToolChoice {
  return { type: 'raw', value, format: 'openai-responses' }
}

function nameIn(holder: Members, path: string, names: ToolNames): string {
  return resolveToolName(textMember(holder, 'name', path), optionalText(holder, 'namespace', path), names)
}

function namesOf(tools: readonly Tool[]): Set<string> {
  return new Set(tools.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : [])))
}

function requireTool(name: string, path: string, offered: ReadonlySet<string>): void {
  if (offered.has(name)) return
  throw invalidRequest(path, `${path}: expected the name of one of the tools.`)
}
