import { invalidRequest, type Tool, type ToolChoice } from '@turnpike/protocol'
import { generateTree } from './fields.ts'
import { asList, type GenerateRequest, type SaidFunction } from './request-schema.ts'
import { jsonSchema } from './schema.ts'

/** The tools of a request, and which of them may be called. */
export interface InputTools {
  tools: Tool[]
  toolChoice: ToolChoice | undefined
}

/** A neutral tool, and its path in the caller's body: `tools[1].googleSearch`. */
interface PlacedTool {
  tool: Tool
  path: string
}

/**
 * Parses functions, whether they must be called (https://ai.google.dev/gemini-api/docs/function-calling), and
 * tools that Google runs (https://ai.google.dev/gemini-api/docs/tools).
 * @throws {GatewayError} 400 for an unknown tool, and for a function that is declared twice
 */
export function parseTools(body: GenerateRequest): InputTools {
  const placed = placeTools(body)
  const config = body.toolConfig?.functionCallingConfig
  const mode = config?.mode ?? undefined
  const allowed = config?.allowedFunctionNames ?? []
  requireNames(allowed, placed)
  if (placed.length === 0) return { tools: [], toolChoice: undefined }
  const tools = placed.map(({ tool }) => tool)
  const known = allowed.length === 0 ? tools : tools.filter((tool) => isAllowed(tool, allowed))
  const callsFunctions = known.some(({ kind }) => kind === 'function')
  return { tools: known, toolChoice: callsFunctions ? parseMode(mode, allowed) : undefined }
}

/** Paths of the tools in the caller's body, in the order of `parseTools`. */
export function toolPaths(body: GenerateRequest): string[] {
  const allowed = body.toolConfig?.functionCallingConfig?.allowedFunctionNames ?? []
  return placeTools(body)
    .filter(({ tool }) => allowed.length === 0 || isAllowed(tool, allowed))
    .map(({ path }) => path)
}

/** One object may contain functions and several tools of Google's. */
function placeTools({ tools }: GenerateRequest): PlacedTool[] {
  const names = new Set<string>()
  return asList(tools).flatMap((tool, index) => {
    const placed: PlacedTool[] = []
    for (const [name, value] of Object.entries(tool)) {
      const path = `tools[${index}].${name}`
      if (value === null) continue
      if (name !== 'functionDeclarations') placed.push({ tool: googlesTool(name, value, path), path })
      else placed.push(...placeFunctions(value as SaidFunction[], path, names))
    }
    return placed
  })
}

function placeFunctions(declared: SaidFunction[], path: string, names: Set<string>): PlacedTool[] {
  return declared.map((declaration, at) => {
    const where = `${path}[${at}]`
    if (names.has(declaration.name))
      throw invalidRequest(`${where}.name`, `${where}.name: expected a unique name.`)
    names.add(declaration.name)
    return { tool: parseFunction(declaration), path: where }
  })
}

/** A tool of Google's by its name, as price data and other formats know tools by their type. */
function googlesTool(type: string, value: unknown, path: string): Tool {
  if (!Object.hasOwn(generateTree.tools, type)) {
    const known = Object.keys(generateTree.tools).join(', ')
    throw invalidRequest(path.slice(0, 100), `${path.slice(0, 100)}: expected one of ${known}.`)
  }
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidRequest(path, `${path}: expected an object.`)
  return { kind: 'raw', value: { type, [type]: value }, format: 'google-generate' }
}

function parseFunction(declaration: SaidFunction): Tool {
  const { name, description } = declaration
  const parameters = declaration.parametersJsonSchema ?? declaration.parameters
  return {
    kind: 'function',
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(parameters === undefined || parameters === null ? {} : { parameters: jsonSchema(parameters) }),
  }
}

/** Restrictions on which tools may be called only apply to functions. */
function isAllowed(tool: Tool, names: readonly string[]): boolean {
  return tool.kind !== 'function' || names.includes(tool.name)
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

function requireNames(allowed: readonly string[], placed: readonly PlacedTool[]): void {
  for (const [at, name] of allowed.entries()) {
    if (placed.some(({ tool }) => tool.kind === 'function' && tool.name === name)) continue
    const path = `toolConfig.functionCallingConfig.allowedFunctionNames[${at}]`
    throw invalidRequest(path, `${path}: expected the name of one of the functions.`)
  }
}
