import { fieldPath, scanObject, type Names, type ObjectScan } from '@turnpike/dialects'
import { invalidRequest } from '@turnpike/protocol'

/** What a body may hold at most, in any of its parts. */
export interface JsonBounds {
  values: number
  /** Of the outermost object, and of each other one that is acted on. */
  members: number
  /** Of arrays and objects within each other. */
  levels: number
}

/**
 * The one walk over a body's bytes before they are parsed.
 * @throws {GatewayError} 400 where it holds more values or members than it may
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

/** @throws {GatewayError} 400 naming the member that nests deeper than it may */
export function requireFewLevels({ depth, deepestKey }: ObjectScan, { levels }: JsonBounds): void {
  if (depth <= levels) return
  const field = fieldPath([deepestKey ?? ''])
  throw invalidRequest(field, `${field}: expected at most ${levels} levels of nesting, got ${depth}.`)
}
