import { formatUsd } from '@turnpike/billing'
import { alertKinds, usualRules, type AlertKind, type AlertRule } from '@turnpike/notify'
import { invalidRequest } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
import { listAnswer, listOf } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { nullable, usd, usdAmount, requestObject } from '../validation/fields.ts'

const mostDays = 90

const ruleSchema = Type.Object(
  {
    object: Type.Literal('alert_rule'),
    kind: Type.Enum([...alertKinds]),
    enabled: Type.Boolean(),
    threshold_usd: nullable(
      Type.Unsafe<string>({ ...usd, description: 'For `balance`: notify below this amount.' }),
    ),
    days: nullable(
      Type.Integer({
        description:
          'For `runway`: notify when the credit lasts for fewer days. For `key_expiry`: this many ' +
          'days before.',
      }),
    ),
    raised: Type.Boolean({
      description:
        'The account was notified and the condition still holds. It is notified again after the ' +
        'condition has ended.',
    }),
  },
  { title: 'AlertRule' },
)

const changeSchema = requestObject({
  enabled: Type.Boolean(),
  threshold_usd: Type.Optional(usdAmount),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: mostDays })),
})

/** The alerts that an account receives. */
export const registerAlerts: ScopedRoutes<
  AccountScope,
  Pick<ManagementServices, 'alerts' | 'clock' | 'notifications'>
> = (app, path, scope, { alerts, clock, notifications }) => {
  if (notifications === undefined) return
  const params = Type.Object(scope.params)
  const ofKind = Type.Object({ ...scope.params, kind: Type.Enum([...alertKinds]) })

  app.get(path, { schema: { params, response: { 200: listOf(ruleSchema) } } }, async (request) => {
    const { id } = await scope.account(request)
    const known = await alerts.list(id)
    const rows = alertKinds.map((kind) => ruleOf(known, kind))
    return listAnswer({ rows, nextCursor: null }, ruleRecord)
  })

  app.put(
    `${path}/:kind`,
    { schema: { params: ofKind, body: changeSchema, response: { 200: ruleSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const { kind } = request.params
      const before = ruleOf(await alerts.list(id), kind)
      await alerts.set(id, applyChange(before, request.body), clock())
      return ruleRecord(ruleOf(await alerts.list(id), kind))
    },
  )
}

function ruleOf(known: readonly AlertRule[], kind: AlertKind): AlertRule {
  return known.find((rule) => rule.kind === kind) ?? { kind, ...usualRules[kind] }
}

/** @throws {GatewayError} 400 if alerts of this kind do not have the field */
function applyChange(
  rule: AlertRule,
  { enabled, threshold_usd: threshold, days }: Static<typeof changeSchema>,
): AlertRule {
  if (threshold !== undefined && rule.kind !== 'balance')
    throw invalidRequest('threshold_usd', `\`threshold_usd\`: not available for \`${rule.kind}\`.`)
  if (days !== undefined && usualRules[rule.kind].days === null)
    throw invalidRequest('days', `\`days\`: not available for \`${rule.kind}\`.`)
  return {
    ...rule,
    enabled,
    ...(threshold !== undefined && { thresholdPico: positiveAmountOf(threshold, 'threshold_usd') }),
    ...(days !== undefined && { days }),
  }
}

export function ruleRecord(rule: AlertRule): Static<typeof ruleSchema> {
  return {
    object: 'alert_rule',
    kind: rule.kind,
    enabled: rule.enabled,
    threshold_usd: rule.thresholdPico === null ? null : formatUsd(rule.thresholdPico),
    days: rule.days,
    raised: rule.enabled && rule.isRaised,
  }
}
