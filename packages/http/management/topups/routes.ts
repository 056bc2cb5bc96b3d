import { formatUsd, isWholeCents, type Topup } from '@turnpike/billing'
import type { ApiKeyStore } from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import { Type } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
import { idempotencyKeyOf } from '../idempotency/replay.ts'
import { inactive } from '../keys/refusal.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, usdAmount, requestObject } from '../validation/fields.ts'
import { receiptOf, receiptSchema } from './receipt.ts'
import { topupRecord, topupSchema } from './record.ts'
import { timeQuery, timeRange } from '../time-range.ts'
import type { TopupServices } from './services.ts'
import { requireFound } from '../not-found.ts'

const newTopupSchema = requestObject({
  amount_usd: usdAmount,
  key_id: Type.Optional(identifierOf('key')),
  save_payment_method: Type.Optional(
    Type.Boolean({
      description: 'Whether to save the payment method for automatic top-ups.',
    }),
  ),
})

/** Lets an account buy credit: its top-up sessions. @param path the path above `/topup` and `/topups` */
export const registerTopups: ScopedRoutes<AccountScope, Pick<ManagementServices, 'checkout' | 'apiKeys'>> = (
  app,
  path,
  scope,
  { checkout, apiKeys },
) => {
  if (checkout === undefined) return
  const { topups, bounds, receiptIssuer } = checkout
  const params = Type.Object(scope.params)
  const ofTopup = Type.Object({ ...scope.params, session_id: identifierOf('top') })

  app.post(
    `${path}/topup`,
    { schema: { params, body: newTopupSchema, response: { 201: topupSchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const {
        amount_usd: amount,
        key_id: keyId = null,
        save_payment_method: savesMethod = false,
      } = request.body
      const amountPico = requireAmountInBounds(amount, bounds)
      if (keyId !== null) await checkKey(apiKeys, accountId, keyId)
      if (savesMethod && checkout.auto === undefined)
        throw invalidRequest(
          'save_payment_method',
          '`save_payment_method`: this gateway does not save payment methods.',
        )
      const idempotencyKey = idempotencyKeyOf(request) ?? null
      const topup = await topups.open({ accountId, keyId, amountPico, idempotencyKey, savesMethod })
      return reply.code(201).send(topupRecord(topup))
    },
  )

  app.get(
    `${path}/topup/:session_id`,
    { schema: { params: ofTopup, response: { 200: topupSchema } } },
    async (request) => {
      const { id: accountId } = await scope.account(request)
      const topup = existingTopup(await topups.find(accountId, request.params.session_id))
      return topupRecord(await topups.upToDate(topup))
    },
  )

  app.get(
    `${path}/topup/:session_id/receipt`,
    { schema: { params: ofTopup, response: { 200: receiptSchema } } },
    async (request) => {
      const account = await scope.account(request)
      const topup = existingTopup(await topups.find(account.id, request.params.session_id))
      return receiptOf(topup, account, receiptIssuer)
    },
  )

  app.get(
    `${path}/topups`,
    {
      schema: {
        params,
        querystring: requestObject({ ...timeQuery, ...pageQuery }),
        response: { 200: listOf(topupSchema) },
      },
    },
    async (request) => {
      const { id: accountId } = await scope.account(request)
      const { query } = request
      return listAnswer(await topups.list(accountId, pageOf(query), timeRange(query)), topupRecord)
    },
  )
}

export function requireAmountInBounds(
  amount: string | number,
  { minPico, maxPico }: TopupServices['bounds'],
): bigint {
  const amountPico = positiveAmountOf(amount, 'amount_usd')
  if (amountPico < minPico || amountPico > maxPico) {
    const range = `from ${formatUsd(minPico)} to ${formatUsd(maxPico)} USD`
    throw invalidRequest('amount_usd', `\`amount_usd\`: expected ${range}.`)
  }
  if (!isWholeCents(amountPico)) throw invalidRequest('amount_usd', '`amount_usd`: expected whole cents.')
  return amountPico
}

async function checkKey(apiKeys: ApiKeyStore, accountId: string, keyId: string): Promise<void> {
  const key = requireFound(await apiKeys.find(accountId, keyId), 'Key', 'key_id')
  if (key.status !== 'active' || key.replacedBy !== null) throw inactive('key_id')
}

export function existingTopup(topup: Topup | undefined): Topup {
  return requireFound(topup, 'Top-up session')
}
