import { invalidRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import { asList, type GenerateRequest, type SaidFunction } from './request-schema.ts'
import { jsonSchema } from './schema.ts'

/** What a request says of the functions that may be called. */
export interface SaidTools {
  tools: Tool[]
  toolChoice: ToolChoice | undefined
}

/**
 * Functions, and whether they have to be called (https://ai.google.dev/gemini-api/docs/function-calling).
 * @throws {GatewayError} 400 for a tool of Google's own: it is billed beside the tokens
 */
export function parseTools(body: GenerateRequest): SaidTools {
  const declared = declarations(body)
  const config = body.toolConfig?.functionCallingConfig
  const mode = config?.mode ?? undefined
  const allowed = config?.allowedFunctionNames ?? []
  requireNames(allowed, declared)
  const tools = declared.map(parseFunction)
  if (tools.length === 0) return { tools, toolChoice: undefined }
  const known = allowed.length === 0 ? tools : tools.filter((tool) => isNamed(tool, allowed))
  return { tools: known, toolChoice: parseMode(mode, allowed) }
}

function declarations({ tools }: GenerateRequest): SaidFunction[] {
  const names = new Set<string>()
  return asList(tools).flatMap((tool, index) => {
    for (const name in tool) {
      if (name === 'functionDeclarations' || (tool as Record<string, unknown>)[name] === null) continue
      const path = `tools[${index}].${name}`
      throw invalidRequest(path, `${path}: Google bills this beside the tokens, and it has no price here.`)
    }
    return (tool.functionDeclarations ?? []).map((said, at) => {
      const path = `tools[${index}].functionDeclarations[${at}]`
      if (names.has(said.name))
        throw invalidRequest(`${path}.name`, `${path}.name: expected a name of its own.`)
      names.add(said.name)
      return said
    })
  })
}

function parseFunction(said: SaidFunction): Tool {
  const { name, description } = said
  const parameters = said.parametersJsonSchema ?? said.parameters
  return {
    kind: 'function',
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(parameters === undefined || parameters === null ? {} : { parameters: jsonSchema(parameters) }),
  }
}

function isNamed(tool: Tool, names: readonly string[]): boolean {
  return tool.kind === 'function' && names.includes(tool.name)
}

const choices: Record<string, 'auto' | 'none' | 'required' | undefined> = {
  MODE_UNSPECIFIED: undefined,
  AUTO: 'auto',
  VALIDATED: 'auto',
  NONE: 'none',
  ANY: 'required',
}

function parseMode(mode: string | undefined, allowed: readonly string[]): ToolChoice | undefined {
  if (mode === undefined) return undefined
  const param = 'toolConfig.functionCallingConfig.mode'
  if (!Object.hasOwn(choices, mode))
    throw invalidRequest(param, `${param}: expected one of AUTO, ANY, NONE, VALIDATED.`)
  const type = choices[mode]
  if (type === 'required' && allowed.length === 1) return { type: 'named', name: allowed[0]! }
  return type === undefined ? undefined : { type }
}

function requireNames(allowed: readonly string[], declared: readonly SaidFunction[]): void {
  for (const [at, name] of allowed.entries()) {
    if (declared.some((one) => one.name === name)) continue
    const path = `toolConfig.functionCallingConfig.allowedFunctionNames[${at}]`
    throw invalidRequest(path, `${path}: expected the name of one of the functions.`)
  }
}
