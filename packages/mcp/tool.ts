import type { McpScope } from '@turnpike/identity'
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import type { Api } from './api.ts'

type Shape = Readonly<Record<string, z.ZodType>>

export interface Answer {
  /** What the output schema says. */
  value: Record<string, unknown>
  /** For clients that show text alone; absent: the value as JSON. */
  text?: string[]
}

/** One call of a tool. */
export interface Call {
  /** Aborted where the client wants no answer any more. */
  signal: AbortSignal
  /** Tells the client, where it asked for that, that something goes on. */
  progress: (message: string) => void
}

/** A tool as data. */
export interface Tool<Input extends Shape = Shape> {
  name: string
  title: string
  description: string
  input: Input
  output: Shape
  annotations: ToolAnnotations
  /** Each of these alone is enough; who has none of them is asked for the first. */
  scopes: readonly [McpScope, ...McpScope[]]
  run(api: Api, input: z.infer<z.ZodObject<Input>>, call: Call): Promise<Answer>
}

/** Gives `run` the types of what is declared beside it. */
export function tool<Input extends Shape>(definition: Tool<Input>): Tool<Input> {
  return definition
}

/** Reads what the gateway has, and changes nothing. */
export const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Puts something in the place of what was there, or takes it away; done twice, it is as done once. */
export const changing: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}

/** Makes something new each time, and takes nothing away. */
export const making: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
