import { hash } from 'node:crypto'
import type { RequestedTool } from '../response/response-context.ts'

/** Tools that vendors get under another name or in another form, by their names at vendors. */
export type ToolNames = Map<string, RequestedTool>

/** The vendors' name for a search among the caller's own tools. */
export const searchName = 'tool_search'

/** Vendors accept no longer names, and no other characters. */
const mostCharacters = 64
const otherCharacters = /[^a-zA-Z0-9_-]/g
const separator = '__'
const hashCharacters = 8

/** A tool in a namespace has a name made from both; a plain one has its own name. */
export function resolveToolName(name: string, namespace: string | undefined, names: ToolNames): string {
  if (namespace === undefined || namespace === '') return name
  const flat = flatName(name, namespace)
  // A client may send a namespace for a tool that is listed without one.
  return names.has(flat) || !names.has(name) ? flat : name
}

export function flatName(name: string, namespace: string): string {
  const joined = namespace.endsWith(separator) ? namespace + name : namespace + separator + name
  const plain = joined.replaceAll(otherCharacters, '_')
  if (plain.length <= mostCharacters && plain === joined) return plain
  const mark = hash('sha256', `${namespace}\0${name}`, 'hex').slice(0, hashCharacters)
  return `${plain.slice(0, mostCharacters - hashCharacters - 1)}_${mark}`
}
