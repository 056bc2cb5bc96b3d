import { formatUsd } from '@turnpike/billing'
import type { Account } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { defaultIdentityProvider } from '../accounts/defaults.ts'
import { displayName, meRecord, meSchema, type MeRecord } from '../accounts/record.ts'
import type { ManagementApp } from '../management-app.ts'
import { requireLogAllowed } from '../prompt-log/routes.ts'
import type { AccountScope, TokenScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import { nullable, usd, requestObject } from '../validation/fields.ts'
import { notFound } from '../not-found.ts'

const changesSchema = requestObject({
  display_name: Type.Optional(displayName),
  baseline_model: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "The model that auto-routing savings are compared with; null: the gateway's choice.",
      }),
    ),
  ),
  log_prompts: Type.Optional(
    Type.Boolean({
      description: 'Whether prompts and answers of the keys are stored, unless a key overrides it.',
    }),
  ),
  log_days: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: "For how many days; null: the gateway's default. Older entries are deleted.",
      }),
    ),
  ),
  keys_may_top_up: Type.Optional(
    Type.Boolean({
      description: 'Whether 402 errors of the keys include a payment link, unless a key overrides it.',
    }),
  ),
})

const balanceSchema = Type.Object({
  balance_usd: usd,
  currency: Type.Literal('USD'),
  unassigned_usd: usd,
})

/** The user's own account. */
export const registerMe: ScopedRoutes<TokenScope> = (app, path, scope, services) => {
  const identityProvider = services.identityProvider ?? defaultIdentityProvider
  const record = meSchema(identityProvider)
  const mine = (request: FastifyRequest, account: Account): MeRecord =>
    meRecord(account, scope.acting(request)!, identityProvider)

  app.get(path, { schema: { response: { 200: record } } }, async (request) =>
    mine(request, await scope.account(request)),
  )

  app.patch(path, { schema: { body: changesSchema, response: { 200: record } } }, async (request) => {
    const { id } = await scope.account(request)
    const { display_name: name, baseline_model: baseline } = request.body
    const { log_prompts: logPrompts, log_days: logDays, keys_may_top_up: keysMayTopUp } = request.body
    requireLogAllowed(request.body, services)
    if (typeof baseline === 'string') services.routing?.requireModel(baseline, 'baseline_model')
    const account = await services.accounts.update(id, {
      ...(name !== undefined && { displayName: name }),
      ...(baseline !== undefined && { baselineModel: baseline }),
      ...(logPrompts !== undefined && { logPrompts }),
      ...(logDays !== undefined && { logDays }),
      ...(keysMayTopUp !== undefined && { keysMayTopUp }),
    })
    if ([baseline, logPrompts, keysMayTopUp].some((change) => change !== undefined))
      services.onAccountChanged(id)
    if (account === undefined) throw notFound('Account')
    return mine(request, account)
  })
}

/** What the user's keys can spend, and the credit that waits for the next key. */
export function registerBalance(app: ManagementApp, path: string, scope: AccountScope): void {
  app.get(path, { schema: { response: { 200: balanceSchema } } }, async (request) => {
    const { balancePico, unassignedPico } = await scope.account(request)
    return {
      balance_usd: formatUsd(balancePico),
      currency: 'USD' as const,
      unassigned_usd: formatUsd(unassignedPico),
    }
  })
}
