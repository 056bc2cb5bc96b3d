import { invalidRequest } from '@turnpike/protocol'
import { fieldPath } from '../../json/explain.ts'
import type { NameTree } from '../../json/names.ts'
import { generateTree, snakeCase } from './fields.ts'

/** For an object of the tree: the name of each member by its other spelling. */
const spellings = new WeakMap<NameTree, ReadonlyMap<string, string>>()

/**
 * The body with each known member in the spelling of Google's pages. The same object if nothing changes.
 * @throws {GatewayError} 400 for a member that occurs in both spellings
 */
export function inOneSpelling(body: object): object {
  return unifySpelling(body, generateTree, []) as object
}

function unifySpelling(value: unknown, tree: NameTree, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? unifyList(value, tree, path) : unifyObject(value, tree, path)
}

function unifyList(list: unknown[], tree: NameTree, path: readonly string[]): unknown[] {
  let changed: unknown[] | undefined
  for (let at = 0; at < list.length; at++) {
    const item = unifySpelling(list[at], tree, path.length === 0 ? path : [...path, String(at)])
    if (item !== list[at]) (changed ??= [...list])[at] = item
  }
  return changed ?? list
}

function unifyObject(holder: object, tree: NameTree, path: readonly string[]): object {
  const known = spellingsOf(tree)
  const entries: [string, unknown][] = []
  let isSame = true
  for (const [name, value] of Object.entries(holder)) {
    const own = known.get(name) ?? name
    if (own !== name && Object.hasOwn(holder, own)) throw duplicateError([...path, own], name)
    const below = Object.hasOwn(tree, own) ? tree[own] : undefined
    const unified =
      below === undefined || below === true ? value : unifySpelling(value, below, [...path, own])
    isSame &&= own === name && unified === value
    entries.push([own, unified])
  }
  return isSame ? holder : Object.fromEntries(entries)
}

function spellingsOf(tree: NameTree): ReadonlyMap<string, string> {
  let known = spellings.get(tree)
  if (known === undefined) {
    const names = Object.keys(tree).map((name): [string, string] => [snakeCase(name), name])
    known = new Map(names.filter(([other, name]) => other !== name))
    spellings.set(tree, known)
  }
  return known
}

function duplicateError(path: readonly string[], other: string): Error {
  const param = fieldPath(path)
  return invalidRequest(param, `${param}: this field is given twice, also as ${other}.`)
}
