import type { Turn } from '../conversation/turn.ts'
import type { Json } from './bodies/body.ts'

/** A request of the playground, as its code sends it. */
export interface CodeRequest {
  /** The gateway's: `https://llm.example.com`. */
  origin: string
  model: string
  /** Empty: no system prompt. */
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
  /** Absent: the model decides. */
  toolChoice?: 'none' | 'required' | { name: string }
  serviceTier?: string
}

/** A tool that the model may call. */
export interface Tool {
  name: string
  description?: string
  /** A JSON Schema. */
  parameters: Json
}

/** JSON in any shape, or in the shape of a schema. */
export type Format = { kind: 'json' } | { kind: 'schema'; name: string; schema: Json }

/** How much the model should reason; `none`: not at all, if the model allows that. */
export const efforts = ['none', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** The environment variable that holds the key; the code itself does not contain it. */
export const keyVariable = 'TURNPIKE_API_KEY'
