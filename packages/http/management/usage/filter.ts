import type { UsageFilter } from '@turnpike/gateway'
import type { ApiKeyStore } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { identifierOf } from '../validation/fields.ts'

const defaultDays = 30
const maxDays = 365
const maxTags = 20
const maxTagLength = 64
const dayMs = 24 * 60 * 60 * 1000

/** The query parameters of every question about usage. */
export const usageQuery = {
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: maxDays, description: `Default ${defaultDays}.` })),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: maxTagLength }), {
      maxItems: maxTags,
      description: 'Repeatable: all of them must be on the request.',
    }),
  ),
  key_id: Type.Optional(identifierOf('key')),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'The model that served.' })),
}

const usageQuerySchema = Type.Object(usageQuery)
type UsageQuery = Static<typeof usageQuerySchema>

export interface UsageRange {
  days: number
  filter: UsageFilter
}

/** Reads the range and conditions: the last `days` calendar days in UTC, today included. */
export async function usageRange(
  query: UsageQuery,
  accountId: string | undefined,
  services: { apiKeys: ApiKeyStore; clock(): number },
): Promise<UsageRange> {
  const days = query.days ?? defaultDays
  const toMs = (Math.floor(services.clock() / dayMs) + 1) * dayMs
  if (accountId !== undefined && query.key_id !== undefined) {
    // Also a revoked key has usage, but another account's has none to tell of.
    const key = await services.apiKeys.find(accountId, query.key_id)
    if (key === undefined)
      throw new GatewayError('not_found_error', 'There is no such key.', { param: 'key_id' })
  }
  const tags = query.tag === undefined ? [] : wholeTags(query.tag)
  const filter: UsageFilter = {
    fromMs: toMs - days * dayMs,
    toMs,
    ...(accountId === undefined ? {} : { accountId }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(query.key_id === undefined ? {} : { keyId: query.key_id }),
    ...(query.model === undefined ? {} : { model: query.model }),
  }
  return { days, filter }
}

/** Tags are stored trimmed and once each, so they are looked for like that. */
function wholeTags(tags: string[]): string[] {
  const trimmed = new Set(tags.map((tag) => tag.trim()))
  if (trimmed.has('')) throw invalidRequest('tag', '`tag`: expected a text of 1 to 64 characters.')
  return [...trimmed]
}
