import { GatewayError } from '@turnpike/protocol'

/** A cursor that this gateway did not issue, or not for this list. Always reported as a 400. */
export class InvalidCursor extends GatewayError {
  constructor() {
    super('invalid_request_error', '`cursor`: expected a `next_cursor` value of this list.', {
      param: 'cursor',
    })
  }
}

type KeyPart = 'text' | 'number' | 'text-or-null'
type PartOf<Part> = Part extends 'text' ? string : Part extends 'number' ? number : string | null
type KeyOf<Parts extends readonly KeyPart[]> = {
  -readonly [Index in keyof Parts]: PartOf<Parts[Index]>
}

/** A cursor holds the sort key of the last row shown, so that rows added meanwhile shift nothing. */
export interface Cursors<Key> {
  encode(key: Key): string
  /** @throws {InvalidCursor} */
  decode(cursor: string): Key
}

/** `list` names the list and its owner, as in `keys:acct_…`; other lists refuse its cursors. */
export function cursorsOf<const Parts extends readonly KeyPart[]>(
  list: string,
  parts: Parts,
): Cursors<KeyOf<Parts>> {
  return {
    encode: (key) => Buffer.from(JSON.stringify([list, ...(key as unknown[])])).toString('base64url'),
    decode(cursor) {
      const [from, ...key] = parseCursor(cursor)
      const fits = key.length === parts.length && parts.every((part, index) => isPart(part, key[index]))
      if (from !== list || !fits) throw new InvalidCursor()
      return key as KeyOf<Parts>
    },
  }
}

function isPart(part: KeyPart, value: unknown): boolean {
  if (part === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'string') return part === 'text-or-null' && value === null
  // No cursor of ours contains text that a database cannot store.
  return value.isWellFormed() && !value.includes('\0')
}

function parseCursor(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new InvalidCursor()
    throw cause
  }
}

/** One page, from up to `limit + 1` rows: the extra row shows that there is a next page. */
export function pageOf<Row, Key>(
  rows: Row[],
  limit: number,
  cursors: Cursors<Key>,
  keyOf: (row: Row) => Key,
): { rows: Row[]; nextCursor: string | null } {
  if (rows.length <= limit) return { rows, nextCursor: null }
  const page = rows.slice(0, limit)
  return { rows: page, nextCursor: cursors.encode(keyOf(page[page.length - 1]!)) }
}
