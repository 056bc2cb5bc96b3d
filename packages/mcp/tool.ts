import type { McpScope } from '@turnpike/identity'
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import type { Api } from './api.ts'

type Shape = Readonly<Record<string, z.ZodType>>

export interface Answer {
  /** Matches the output schema. */
  value: Record<string, unknown>
  /** For clients that show only text; absent: the value as JSON. */
  text?: string[]
}

/** One call of a tool. */
export interface Call {
  /** Aborted when the client no longer wants the result. */
  signal: AbortSignal
  /** Reports progress to the client, if it asked for progress. */
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
  /** Any one of these scopes is enough. A client with none of them is asked for the first. */
  scopes: readonly [McpScope, ...McpScope[]]
  run(api: Api, input: z.infer<z.ZodObject<Input>>, call: Call): Promise<Answer>
}

/** Infers the types of `run`'s arguments from the schema declared beside it. */
export function tool<Input extends Shape>(definition: Tool<Input>): Tool<Input> {
  return definition
}

/** The tool reads data and changes nothing. */
export const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** The tool replaces or removes something; calling it twice has the same effect as calling it once. */
export const changing: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}

/** The tool creates something new on each call and removes nothing. */
export const making: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
