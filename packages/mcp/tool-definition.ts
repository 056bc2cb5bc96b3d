import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Tool } from './tool.ts'

/** A tool as `tools/list` shows it, and the check of its arguments; made once, since that takes a while. */
export interface ToolDefinition {
  tool: Tool
  listed: ListedTool
  /** The arguments as `run` takes them, or what is wrong with them. */
  read: (given: unknown) => { input: Record<string, unknown> } | { mistake: string }
}

export function toolDefinition(tool: Tool): ToolDefinition {
  const { name, title, description, annotations } = tool
  // A name that is misspelt would be left out in silence otherwise.
  const input = z.strictObject(tool.input)
  return {
    tool,
    listed: {
      name,
      title,
      description,
      annotations,
      inputSchema: schemaOf(input, 'input'),
      // Clients refuse what a strict schema does not name, and the gateway may come to say more.
      outputSchema: schemaOf(z.looseObject(tool.output), 'output'),
    },
    read(given) {
      const read = input.safeParse(given ?? {})
      return read.success ? { input: read.data } : { mistake: z.prettifyError(read.error) }
    },
  }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => splitTypes(jsonSchema)
  return z.toJSONSchema(schema, { io, override }) as ListedTool['inputSchema']
}

/** A list of types as alternatives of one type each: clients that know one `type` alone refuse a list. */
function splitTypes(schema: z.core.JSONSchema.BaseSchema): void {
  const { type } = schema as { type?: unknown }
  if (!Array.isArray(type)) return
  delete schema.type
  schema.anyOf = (type as z.core.JSONSchema.BaseSchema['type'][]).map((one) => ({ type: one! }))
}
