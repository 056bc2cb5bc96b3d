import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Tool } from './tool.ts'

/** A tool as `tools/list` shows it, and its input validation; slow to build, so it is built once. */
export interface ToolDefinition {
  tool: Tool
  listed: ListedTool
  /** Returns the arguments in the form that `run` takes, or what is wrong with them. */
  read: (callArguments: unknown) => { input: Record<string, unknown> } | { mistake: string }
}

export function toolDefinition(tool: Tool): ToolDefinition {
  const { name, title, description, annotations } = tool
  // Strict: otherwise a misspelt name would be ignored silently.
  const input = z.strictObject(tool.input)
  return {
    tool,
    listed: {
      name,
      title,
      description,
      annotations,
      inputSchema: schemaOf(input, 'input'),
      // Loose: clients reject fields that a strict schema does not name, and we may add some later.
      outputSchema: schemaOf(z.looseObject(tool.output), 'output'),
    },
    read(callArguments) {
      const read = input.safeParse(callArguments ?? {})
      return read.success ? { input: read.data } : { mistake: z.prettifyError(read.error) }
    },
  }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): ListedTool['inputSchema'] {
  return withSingleTypes(z.toJSONSchema(schema, { io })) as ListedTool['inputSchema']
}

/** Turns a list of types into alternatives of one type each: some clients accept only a single `type`. */
function withSingleTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSingleTypes)
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withSingleTypes(value)]),
  )
  if (type === undefined) return rest
  return Array.isArray(type)
    ? { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) }
    : { type, ...rest }
}
