import { budgetScopes, type BudgetChanges, type BudgetScope, type NewBudget } from '@turnpike/billing'
import { invalidRequest, spendLimitPeriods } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { amountOf } from '../amount.ts'
import type { ManagementServices } from '../services.ts'
import { identifierPattern, nullable, usdAmount, requestObject } from '../validation/fields.ts'

const maxPercent = 1_000
const maxNotices = 10
const maxSubject = 256
const maxTagCodePoints = 64
/** Counts code points. U+FFFD replaces what cannot be stored, and could match a different tag. */
const storableTag = new RegExp(`^[^\\0\\uFFFD]{1,${maxTagCodePoints}}$`, 'u')

const name = Type.String({ minLength: 1, maxLength: 100 })
const notify = Type.Array(Type.Integer({ minimum: 1, maximum: maxPercent }), {
  maxItems: maxNotices,
  'x-expected': `up to ${maxNotices} percentages from 1 to ${maxPercent}`,
})
const usualNotify = [50, 80, 100]

export const creationSchema = requestObject({
  name,
  scope: Type.Enum([...budgetScopes]),
  subject: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: maxSubject }))),
  period: Type.Enum([...spendLimitPeriods]),
  limit_usd: usdAmount,
  hard: Type.Optional(Type.Boolean({ default: true })),
  notify: Type.Optional(notify),
})

export const changesSchema = requestObject({
  name: Type.Optional(name),
  limit_usd: Type.Optional(usdAmount),
  hard: Type.Optional(Type.Boolean()),
  notify: Type.Optional(notify),
})

/** @throws {GatewayError} 400 that names the field */
export function budgetOf(
  accountId: string,
  body: Static<typeof creationSchema>,
  { routing }: Pick<ManagementServices, 'routing'>,
): NewBudget {
  const { scope } = body
  return {
    accountId,
    name: body.name,
    scope,
    subject: subjectOf(scope, body.subject ?? undefined, routing),
    period: body.period,
    limitPico: limitOf(body.limit_usd),
    isHard: body.hard ?? true,
    notifyPercents: percentsOf(body.notify ?? usualNotify),
  }
}

/** The changes in a request: only the fields that it names. */
export function budgetChanges(body: Static<typeof changesSchema>): BudgetChanges {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.limit_usd !== undefined && { limitPico: limitOf(body.limit_usd) }),
    ...(body.hard !== undefined && { isHard: body.hard }),
    ...(body.notify !== undefined && { notifyPercents: percentsOf(body.notify) }),
  }
}

/** A hard budget of 0 lets only free requests through. */
function limitOf(usd: string | number): bigint {
  const limitPico = amountOf(usd, 'limit_usd')
  if (limitPico >= 0n) return limitPico
  throw invalidRequest('limit_usd', '`limit_usd`: expected 0 or more.')
}

function percentsOf(percents: readonly number[]): number[] {
  return [...new Set(percents)].sort((one, other) => one - other)
}

const prefixes = { project: 'prj', member: 'mem', key: 'key' } as const

function subjectOf(
  scope: BudgetScope,
  subject: string | undefined,
  routing: ManagementServices['routing'],
): string {
  if (scope === 'organization') {
    if (subject === undefined) return ''
    throw invalidRequest('subject', '`subject`: leave it out, since the budget applies to the whole account.')
  }
  if (subject === undefined)
    throw invalidRequest('subject', `\`subject\` is missing: name the ${scope} that the budget applies to.`)
  if (scope === 'tag') return tagOf(subject)
  if (scope === 'model') return routing === undefined ? subject : routing.requireModel(subject, 'subject')
  const prefix = prefixes[scope]
  if (new RegExp(identifierPattern(prefix)).test(subject)) return subject
  throw invalidRequest('subject', `\`subject\`: expected an identifier beginning with \`${prefix}_\`.`)
}

/** Normalises a tag as requests do; a tag that no request can have would never count anything. */
function tagOf(subject: string): string {
  const tag = subject.trim()
  if (tag.isWellFormed() && storableTag.test(tag)) return tag
  throw invalidRequest(
    'subject',
    `\`subject\`: expected a tag of 1 to ${maxTagCodePoints} characters, such as \`team:search\`.`,
  )
}
