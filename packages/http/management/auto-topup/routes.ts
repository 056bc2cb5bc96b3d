import { invalidRequest } from '@turnpike/protocol'
import type { AutoTopup, Topups } from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
import { listOf } from '../page.ts'
import { eventsOf } from '../events/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { AccountScope, TokenScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'
import { notFound } from '../not-found.ts'
import { requireAmountInBounds } from '../topups/routes.ts'
import type { TopupServices } from '../topups/services.ts'
import { identifierOf, usdAmount, requestObject } from '../validation/fields.ts'
import { autoTopupRecord, autoTopupSchema, paymentMethodRecord, paymentMethodSchema } from './record.ts'
import type { AutoTopupServices } from './services.ts'
import { tellByMail } from './tell-by-mail.ts'

const settingSchema = requestObject({
  enabled: Type.Optional(Type.Boolean({ description: 'Absent: true.' })),
  threshold_usd: usdAmount,
  amount_usd: usdAmount,
  monthly_cap_usd: usdAmount,
  payment_method_id: identifierOf('pmt'),
})

/**
 * Automatic top-ups of an account, and the payment methods that they are charged to.
 * @param path the path above `/auto-topup` and `/payment-methods`
 */
export const registerAutoTopup: ScopedRoutes<
  AccountScope & Partial<Pick<TokenScope, 'signedInAccount'>>,
  Pick<ManagementServices, 'callerAddress' | 'checkout' | 'clock' | 'eventTargets' | 'notifications'>
> = (app, path, scope, services) => {
  const { checkout } = services
  if (checkout?.auto === undefined) return
  const { store } = checkout.auto
  const params = Type.Object(scope.params)
  const toRecord = async (accountId: string, setting: AutoTopup | undefined) =>
    autoTopupRecord(setting, {
      chargedPico: await store.chargedPico(accountId, services.clock()),
      action: await actionOf(checkout.topups, setting),
    })

  app.get(
    `${path}/auto-topup`,
    { schema: { params, response: { 200: autoTopupSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      return toRecord(id, await store.find(id))
    },
  )

  app.put(
    `${path}/auto-topup`,
    { schema: { params, body: settingSchema, response: { 200: autoTopupSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const before = await store.find(id)
      const setting = await store.set(id, settingsOf(request.body, checkout.bounds), services.clock())
      if (setting === undefined) throw notFound('Payment method', 'payment_method_id')
      if (setting.enabled && before?.enabled !== true)
        await tellByMail(services, await eventsOf(scope, services).owner(request))
      return toRecord(id, setting)
    },
  )

  app.delete(
    `${path}/auto-topup`,
    { schema: { params, response: { 200: autoTopupSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      await store.disable(id, services.clock())
      return toRecord(id, await store.find(id))
    },
  )
  registerPaymentMethods(app, `${path}/payment-methods`, scope, checkout.auto)
}

const registerPaymentMethods: ScopedRoutes<AccountScope, AutoTopupServices> = (
  app,
  path,
  scope,
  { store, autoTopups },
) => {
  const params = Type.Object(scope.params)
  const ofMethod = Type.Object({ ...scope.params, payment_method_id: identifierOf('pmt') })

  app.get(path, { schema: { params, response: { 200: listOf(paymentMethodSchema) } } }, async (request) => {
    const { id } = await scope.account(request)
    const data = (await store.methods(id)).map(paymentMethodRecord)
    return { object: 'list' as const, data, has_more: false, next_cursor: null }
  })

  app.delete(
    `${path}/:payment_method_id`,
    { schema: { params: ofMethod, response: { 200: paymentMethodSchema } } },
    async (request) => {
      const { id } = await scope.account(request)
      const method = await store.findMethod(id, request.params.payment_method_id)
      if (method === undefined) throw notFound('Payment method')
      await autoTopups.removeMethod(method)
      return paymentMethodRecord(method)
    },
  )
}

function settingsOf(body: Static<typeof settingSchema>, bounds: TopupServices['bounds']) {
  const amountPico = requireAmountInBounds(body.amount_usd, bounds)
  const monthlyCapPico = positiveAmountOf(body.monthly_cap_usd, 'monthly_cap_usd')
  if (monthlyCapPico < amountPico)
    throw invalidRequest('monthly_cap_usd', '`monthly_cap_usd`: expected at least `amount_usd`.')
  return {
    enabled: body.enabled ?? true,
    thresholdPico: positiveAmountOf(body.threshold_usd, 'threshold_usd'),
    amountPico,
    monthlyCapPico,
    paymentMethodId: body.payment_method_id,
  }
}

async function actionOf(topups: Topups, setting: AutoTopup | undefined) {
  if (setting?.state !== 'needs_action' || setting.actionTopupId === null) return undefined
  return topups.find(setting.accountId, setting.actionTopupId)
}
