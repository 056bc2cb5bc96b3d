import type { Turn } from '../conversation/turn.ts'
import type { Json } from './bodies/body.ts'

/** A request of the playground, as its code says it. */
export interface CodeRequest {
  /** Of the gateway: `https://llm.example.com`. */
  origin: string
  model: string
  /** Empty for none. */
  system: string
  /** The last one is a question, or the result of a tool. */
  turns: readonly Turn[]
  tags: readonly string[]
  maxTokens?: number
  effort?: Effort
  temperature?: number
  topP?: number
  stop?: readonly string[]
  seed?: number
  format?: Format
  tools?: readonly Tool[]
  /** Absent: as the model likes. */
  toolChoice?: 'none' | 'required' | { name: string }
  serviceTier?: string
}

/** What the model may call. */
export interface Tool {
  name: string
  description?: string
  /** A JSON Schema. */
  parameters: Json
}

/** JSON, as the model likes or as a schema has it. */
export type Format = { kind: 'json' } | { kind: 'schema'; name: string; schema: Json }

/** How much the model is to think; `none`: not at all, where it can be kept from it. */
export const efforts = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** Where the code reads the key from, which does not stand in it. */
export const keyVariable = 'TURNPIKE_API_KEY'
