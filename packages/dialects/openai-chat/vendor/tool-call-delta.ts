import { randomBytes } from 'node:crypto'
import type { ToolCallHead } from '@turnpike/protocol'

/** One of `tool_calls`, of a delta or of a whole message. */
export interface ToolCallDelta {
  index?: unknown
  id?: unknown
  type?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
  custom?: { name?: unknown; input?: unknown } | null
}

/** `tool_calls` as a list: Hugging Face's servers gave one call without. */
export function callsOf(given: unknown): ToolCallDelta[] {
  const list: unknown[] = Array.isArray(given) ? given : [given]
  return list.every(isCall) ? list : list.filter(isCall)
}

function isCall(value: unknown): value is ToolCallDelta {
  return typeof value === 'object' && value !== null
}

/** Mistral's schema has "null" as the default of an id. */
export function idOf({ id }: ToolCallDelta): string {
  return typeof id === 'string' && id !== 'null' ? id : ''
}

export function nameOf(delta: ToolCallDelta): string {
  const name = delta.custom?.name ?? delta.function?.name
  return typeof name === 'string' ? name : ''
}

/** Arguments are JSON text; Mistral and Hugging Face's servers also give them as the value itself. */
export function argumentsOf(delta: ToolCallDelta): string {
  const given = delta.custom?.input ?? delta.function?.arguments
  if (typeof given === 'string') return given
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : ''
}

export function isCustom({ custom }: ToolCallDelta): boolean {
  return custom !== undefined && custom !== null
}

/** For a call to which its vendor gave none: without one, nobody could answer it. */
export function newToolCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}

/** What is known of a call when it begins. */
export function headOf(delta: ToolCallDelta): ToolCallHead {
  const variant = isCustom(delta) ? 'custom' : 'function'
  return { id: idOf(delta) || newToolCallId(), name: nameOf(delta), variant }
}
