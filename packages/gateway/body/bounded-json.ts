import { fieldPath, scanObject, type Names, type ObjectScan } from '@turnpike/dialects'
import { invalidRequest } from '@turnpike/protocol'

/** Limits on a JSON body. */
export interface JsonBounds {
  values: number
  /** Members of the outermost object, and of each other object that the gateway acts on. */
  members: number
  /** Nesting levels of arrays and objects. */
  levels: number
}

/**
 * Scans a body's bytes once, before they are parsed.
 * @throws {GatewayError} 400 if it has too many values or members
 */
export function scanWithinBounds(body: Buffer, bounds: JsonBounds, names?: Names): ObjectScan {
  const { values: maxValues, members: maxMembers } = bounds
  const scan = scanObject(body, names, { maxValues, maxMembers })
  const { tooMany, tooManyIn } = scan
  if (tooMany === 'values')
    throw invalidRequest(undefined, `The body is too complex: expected at most ${maxValues} values.`)
  if (tooMany === 'members')
    throw invalidRequest(tooManyIn, `${tooManyIn ?? 'The body'}: expected at most ${maxMembers} members.`)
  return scan
}

/** @throws {GatewayError} 400 naming the member that nests too deeply */
export function requireFewLevels({ depth, deepestKey }: ObjectScan, { levels }: JsonBounds): void {
  if (depth <= levels) return
  const field = fieldPath([deepestKey ?? ''])
  throw invalidRequest(field, `${field}: expected at most ${levels} levels of nesting, got ${depth}.`)
}
