import { formatUsd } from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { epochSecondsOrNull, nullable, timestamp, usd, requestObject } from '../validation/fields.ts'
import { causeOf, refusalCauses } from './cause.ts'

/** A row that the database refused permanently, as shown to a person. */
export interface SetAsideView {
  id: string
  /** The database's message. */
  reason: string
  /** Null here and below: the row cannot be read. */
  requestId: string | null
  accountId: string | null
  keyId: string | null
  model: string | null
  startedAtMs: number | null
  chargePico: bigint
  /** The outbox that contains it, relative to the data directory. */
  place: string
  /** Whether it belongs to the process that responds; only that process can change it. */
  isOwn: boolean
  /** Whether its request is in the database by now. */
  isStored: boolean
}

/** Rows in this data directory that are missing in the ledger. */
export interface SetAsideService {
  /** The oldest rows, and the total number. */
  list(limit: number): Promise<{ rows: SetAsideView[]; total: number }>
  /**
   * Writes a row again, and removes it if the database accepts it.
   * @returns why it was refused again; undefined: it was accepted
   * @throws {GatewayError} 404, 409 if it is another process's
   */
  retry(id: string): Promise<string | undefined>
  /** Removes a row that was settled by hand. @throws {GatewayError} 404, 409 */
  discard(id: string): Promise<void>
}

/** People look at them one by one. There are few, unless something is very wrong. */
const maxShown = 200

const setAsideSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('set_aside_row'),
    request_id: nullable(
      Type.String({ description: 'Null here and in the next four fields if it cannot be read.' }),
    ),
    account_id: nullable(Type.String()),
    key_id: nullable(Type.String()),
    model: nullable(Type.String()),
    requested_at: nullable(timestamp),
    charge_usd: Type.Unsafe<string>({
      ...usd,
      description: 'The amount missing from the ledger; 0 if it cannot be read.',
    }),
    cause: Type.Enum([...refusalCauses], {
      description:
        '`owner`: the account or key is not in this database. `amount`, `time`: out of range. ' +
        '`unreadable`: not a valid record. `rule`: another database constraint. `other`: see `reason`.',
    }),
    reason: Type.String({ description: 'The database error.' }),
    place: Type.String({ description: 'Its outbox, within `data_dir`.' }),
    changeable: Type.Boolean({ description: 'Whether the process that answered can retry it.' }),
    stored: Type.Boolean({ description: 'Whether its request is now in the database.' }),
  },
  { title: 'SetAsideRow' },
)

const params = Type.Object({
  row_id: Type.String({ pattern: '^[0-9a-f]{32}$', 'x-expected': 'the `id` of a row' }),
})

const discardSchema = requestObject({
  reason: Type.String({ minLength: 1, maxLength: 500, description: 'How it was settled.' }),
})

/** Rows that could not be written: listed, written again, or removed once a person has settled them. */
export function registerSetAside(app: ManagementApp, path: string, rows: SetAsideService): void {
  const listSchema = Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(setAsideSchema, { description: `The oldest ${maxShown}.` }),
    total: Type.Integer({ description: 'Total number.' }),
  })
  app.get(path, { schema: { response: { 200: listSchema } } }, async () => {
    const { rows: shown, total } = await rows.list(maxShown)
    return { object: 'list' as const, data: shown.map(setAsideRecord), total }
  })

  const retried = Type.Object({
    id: Type.String(),
    written: Type.Boolean({ description: 'False: it was rejected again, for `reason`.' }),
    reason: nullable(Type.String()),
  })
  app.post(`${path}/:row_id/retry`, { schema: { params, response: { 200: retried } } }, async (request) => {
    const { row_id: id } = request.params
    const reason = await rows.retry(id)
    return { id, written: reason === undefined, reason: reason ?? null }
  })

  const discarded = Type.Object({ id: Type.String(), discarded: Type.Literal(true) })
  app.post(
    `${path}/:row_id/discard`,
    { schema: { params, body: discardSchema, response: { 200: discarded } } },
    async (request) => {
      const { row_id: id } = request.params
      await rows.discard(id)
      return { id, discarded: true as const }
    },
  )
}

function setAsideRecord(row: SetAsideView): Static<typeof setAsideSchema> {
  return {
    id: row.id,
    object: 'set_aside_row',
    request_id: row.requestId,
    account_id: row.accountId,
    key_id: row.keyId,
    model: row.model,
    requested_at: epochSecondsOrNull(row.startedAtMs),
    charge_usd: formatUsd(row.chargePico),
    cause: causeOf(row.reason),
    reason: row.reason,
    place: row.place,
    changeable: row.isOwn,
    stored: row.isStored,
  }
}
