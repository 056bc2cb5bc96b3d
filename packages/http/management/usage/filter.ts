import type { UsageFilter } from '@turnpike/gateway'
import type { ApiKeyStore, OrganizationStore, ProjectStore } from '@turnpike/identity'
import { endpoints, invalidRequest, operations, outcomes } from '@turnpike/protocol'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { UsageScope } from '../access/scope.ts'
import { ownerFilter } from '../keys/owner.ts'
import { identifierOf } from '../validation/fields.ts'
import { notFound } from '../not-found.ts'

const defaultDays = 30
const maxDays = 365
const maxTags = 20
const maxTagLength = 64
const dayMs = 24 * 60 * 60 * 1000

/** The query parameters of all usage endpoints. */
export const usageQuery = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: `Number of days, including today. Default ${defaultDays}.`,
    }),
  ),
  from: Type.Optional(calendarDay('The first day, UTC; instead of `days`, together with `to`.')),
  to: Type.Optional(calendarDay('The last day, UTC.')),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: maxTagLength }), {
      maxItems: maxTags,
      description: 'Repeatable; the request must have all of them.',
    }),
  ),
  key_id: Type.Optional(identifierOf('key')),
  member_id: Type.Optional(
    Type.Unsafe<string>({
      ...identifierOf('mem'),
      description: 'In an organization: the owner of the keys.',
    }),
  ),
  project_id: Type.Optional(
    Type.Unsafe<string>({ ...identifierOf('prj'), description: 'The project of the keys.' }),
  ),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'The model that served.' })),
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'The provider that served.' }),
  ),
  tier: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'The tier chosen by auto-routing.' }),
  ),
  endpoint: Type.Optional(Type.Enum([...endpoints], { description: 'The API, such as `messages`.' })),
  operation: Type.Optional(
    Type.Enum([...operations], { description: 'The operation; `generate`: text generation.' }),
  ),
  outcome: Type.Optional(
    Type.Enum([...outcomes], {
      description: 'The outcome. By default, figures leave out `failed`; lists and exports do not.',
    }),
  ),
}

export function calendarDay(description: string) {
  return Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description,
    'x-expected': 'a day such as `2026-03-10`',
  })
}

const usageQuerySchema = Type.Object(usageQuery)
type UsageQuery = Static<typeof usageQuerySchema>

/** The owner of the requested usage. */
export interface UsageOwner {
  /** Undefined: all accounts (operators only). */
  accountId: string | undefined
  /** Count only this member's keys; undefined: the whole account. */
  onlyOf: string | undefined
}

/** The owner whose usage the caller may see. */
export async function ownerOf(scope: UsageScope, request: FastifyRequest): Promise<UsageOwner> {
  return { accountId: await scope.accountId(request), onlyOf: scope.onlyOf(request) }
}

export interface FilterServices {
  apiKeys: Pick<ApiKeyStore, 'isOfAccount'>
  organizations: OrganizationStore
  projects: ProjectStore
  clock(): number
}

export interface UsageRange {
  days: number
  filter: UsageFilter
}

/** Reads the range and the conditions. A range consists of whole UTC days. */
export async function usageRange(
  query: UsageQuery,
  { accountId, onlyOf }: UsageOwner,
  services: FilterServices,
): Promise<UsageRange> {
  const { days, toMs } = daysOf(query, services.clock())
  if (accountId !== undefined) await requireOwn(query, { accountId, onlyOf }, services)
  const memberId = onlyOf ?? query.member_id
  const tags = query.tag === undefined ? [] : wholeTags(query.tag)
  const filter: UsageFilter = {
    fromMs: toMs - days * dayMs,
    toMs,
    ...(accountId === undefined ? {} : { accountId }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(query.key_id === undefined ? {} : { keyId: query.key_id }),
    ...(memberId === undefined ? {} : { memberId }),
    ...(query.project_id === undefined ? {} : { projectId: query.project_id }),
    ...(query.model === undefined ? {} : { model: query.model }),
    ...(query.provider === undefined ? {} : { provider: query.provider }),
    ...(query.tier === undefined ? {} : { tier: query.tier }),
    ...(query.endpoint === undefined ? {} : { endpoint: query.endpoint }),
    ...(query.operation === undefined ? {} : { operation: query.operation }),
    ...(query.outcome === undefined ? {} : { outcome: query.outcome }),
  }
  return { days, filter }
}

/**
 * Checks that the named things belong to the account, and to the member if the caller sees no more. Things
 * that were revoked, removed or archived have usage too.
 * @throws {GatewayError} 404
 */
async function requireOwn(
  query: UsageQuery,
  { accountId, onlyOf }: UsageOwner & { accountId: string },
  services: FilterServices,
): Promise<void> {
  const { key_id: keyId } = query
  if (keyId !== undefined && !(await services.apiKeys.isOfAccount(accountId, keyId, onlyOf)))
    throw notFound('Key', 'key_id')
  await ownerFilter(accountId, query, onlyOf, services)
}

/** The number of days, and when the last one ends: today, or as the query says. */
function daysOf({ days, from, to }: UsageQuery, nowMs: number): { days: number; toMs: number } {
  if (from === undefined && to === undefined) {
    return { days: days ?? defaultDays, toMs: (Math.floor(nowMs / dayMs) + 1) * dayMs }
  }
  if (days !== undefined) throw invalidRequest('days', '`days`: expected either `days`, or `from` and `to`.')
  const firstMs = startOf(from, 'from')
  const lastMs = startOf(to, 'to')
  const count = (lastMs - firstMs) / dayMs + 1
  if (count < 1 || count > maxDays)
    throw invalidRequest('to', `\`to\`: expected a day at most ${maxDays - 1} days after \`from\`.`)
  return { days: count, toMs: lastMs + dayMs }
}

function startOf(day: string | undefined, param: string): number {
  if (day !== undefined) return startOfDay(day, param)
  const other = param === 'from' ? 'to' : 'from'
  throw invalidRequest(
    param,
    `\`${param}\`: expected a day such as \`2026-03-10\`, together with \`${other}\`.`,
  )
}

/**
 * Checks the day against the calendar: 2026-02-30 has the form of a day, but does not exist.
 * @returns its first moment, UTC, in Unix epoch milliseconds
 */
export function startOfDay(day: string, param: string): number {
  const timeMs = Date.parse(day)
  if (!Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(day)) return timeMs
  throw invalidRequest(param, `\`${param}\`: expected a day such as \`2026-03-10\`.`)
}

/** Normalises tags for the search: they are stored trimmed and without duplicates. */
function wholeTags(tags: string[]): string[] {
  const trimmed = new Set(tags.map((tag) => tag.trim()))
  if (trimmed.has('')) throw invalidRequest('tag', '`tag`: expected a text of 1 to 64 characters.')
  return [...trimmed]
}
