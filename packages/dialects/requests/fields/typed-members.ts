import { invalidRequest } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'

/*
 * Checks members of a caller's body one by one, for cases in which a schema of the whole body could not say
 * which kind of object requires them.
 */

export type Members = Record<string, unknown>

/** @throws {GatewayError} 400 if the member is not a string */
export function textMember(holder: Members, name: string, path: string): string {
  const value = holder[name]
  if (typeof value === 'string') return value
  throw wrongMember(value, `${path}.${name}`, 'a string')
}

/**
 * Undefined if it is absent.
 * @throws {GatewayError} 400 if the member is not a string
 */
export function optionalText(holder: Members, name: string, path: string): string | undefined {
  const value = holder[name]
  return value === undefined || value === null ? undefined : textMember(holder, name, path)
}

/** @throws {GatewayError} 400 if the member is not an object */
export function objectMember(holder: Members, name: string, path: string): Members {
  const value = holder[name]
  if (isObject(value)) return value
  throw wrongMember(value, `${path}.${name}`, 'an object')
}

/** @throws {GatewayError} 400 if the member is not a list of objects */
export function listMember(holder: Members, name: string, path: string): Members[] {
  const value = holder[name]
  if (!Array.isArray(value)) throw wrongMember(value, `${path}.${name}`, 'an array')
  const list = value as unknown[]
  for (let at = 0; at < list.length; at++)
    if (!isObject(list[at])) throw wrongMember(list[at], `${path}.${name}[${at}]`, 'an object')
  return list as Members[]
}

export function wrongMember(value: unknown, path: string, expected: string): Error {
  const missing = value === undefined || value === null ? ' is required' : ''
  return invalidRequest(path, `${path}${missing}: expected ${expected}.`)
}
