import type { Json } from '../oracle/json.ts'

/** A request in a form that does not depend on its spelling. */
export type Meaning = Record<string, unknown>

/** A place where two requests differ; `undefined` if one lacks it. */
export interface Difference {
  path: string
  recorded: unknown
  ours: unknown
}

/** All differences, each at the deepest place. */
export function differencesOf(recorded: unknown, ours: unknown, path = ''): Difference[] {
  if (isHolder(recorded) && isHolder(ours) && Array.isArray(recorded) === Array.isArray(ours)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(ours)])
    return [...names].flatMap((name) => differencesOf(recorded[name], ours[name], joined(path, name)))
  }
  return recorded === ours ? [] : [{ path, recorded, ours }]
}

function joined(path: string, name: string): string {
  if (/^\d+$/u.test(name)) return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export function withoutAbsent(meaning: Json): Meaning {
  return Object.fromEntries(Object.entries(meaning).filter(([, value]) => value !== undefined))
}
