import { transferKinds, type LedgerFilter } from '@turnpike/billing'
import type { ApiKeyStore } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { calendarDay, startOfDay } from '../usage/filter.ts'
import { identifierOf } from '../validation/fields.ts'

const dayMs = 86_400_000

/** The query parameters for lists and files of an account's ledger. */
export const ledgerQuery = {
  kind: Type.Optional(
    Type.Array(Type.Enum([...transferKinds]), {
      maxItems: transferKinds.length,
      description: 'Repeatable, matches any of them. Default: every kind.',
    }),
  ),
  key_id: Type.Optional(identifierOf('key')),
  from: Type.Optional(calendarDay('The first day, UTC. Default: from the beginning.')),
  to: Type.Optional(calendarDay('The last day, UTC. Default: until now.')),
}

const ledgerQuerySchema = Type.Object(ledgerQuery)

/** @throws {GatewayError} 400, and 404 for a key of another account */
export async function ledgerFilter(
  { kind: kinds, key_id: keyId, from, to }: Static<typeof ledgerQuerySchema>,
  accountId: string,
  apiKeys: Pick<ApiKeyStore, 'find'>,
): Promise<LedgerFilter> {
  if (keyId !== undefined && (await apiKeys.find(accountId, keyId)) === undefined)
    throw new GatewayError('not_found_error', 'Key not found.', { param: 'key_id' })
  const fromMs = from === undefined ? undefined : startOfDay(from, 'from')
  const toMs = to === undefined ? undefined : startOfDay(to, 'to') + dayMs
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs)
    throw invalidRequest('to', '`to`: expected a day that is not before `from`.')
  return {
    ...(kinds !== undefined && kinds.length > 0 && { kinds }),
    ...(keyId !== undefined && { keyId }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  }
}
