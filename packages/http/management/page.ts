import { Type, type TSchema } from 'typebox'
import { nullable } from './validation/fields.ts'

const defaultLimit = 50
const maxLimit = 200

const maxCursorLength = 512

/** The query parameters of every list. */
export const pageQuery = {
  limit: limitParameter(defaultLimit, maxLimit),
  cursor: cursorParameter(maxCursorLength),
}

/** Lists whose rows are small, or belong together, allow larger pages. */
export function limitParameter(standard: number, maximum: number) {
  return Type.Optional(
    Type.Integer({ minimum: 1, maximum, description: `Default ${standard.toLocaleString('en')}.` }),
  )
}

export function cursorParameter(maxLength: number) {
  return Type.Optional(
    Type.String({ minLength: 1, maxLength, 'x-expected': 'the `next_cursor` of this list' }),
  )
}

export function listOf<Row extends TSchema>(row: Row) {
  return Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(row),
    has_more: Type.Boolean(),
    next_cursor: nullable(Type.String()),
  })
}

/** The page to request from the store. A cursor names its list, and the store refuses another list's. */
export function pageOf(query: { limit?: number; cursor?: string }): { limit: number; cursor?: string } {
  const limit = query.limit ?? defaultLimit
  return query.cursor === undefined ? { limit } : { limit, cursor: query.cursor }
}

export function listAnswer<Row, Shown>(
  page: { rows: Row[]; nextCursor: string | null },
  show: (row: Row) => Shown,
): { object: 'list'; data: Shown[]; has_more: boolean; next_cursor: string | null } {
  return {
    object: 'list',
    data: page.rows.map(show),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  }
}
