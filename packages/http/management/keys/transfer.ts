import { newIdentifier } from '@turnpike/protocol'
import { Type } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
import { idempotencyKeyOf } from '../idempotency/replay.ts'
import { ledgerEntry, ledgerEntrySchema } from '../ledger/record.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, usdAmount, requestObject } from '../validation/fields.ts'
import { moveCredit } from './move-credit.ts'

const transferSchema = requestObject({ to_key_id: identifierOf('key'), amount_usd: usdAmount })

/** Moves credit between two active keys of one account. */
export const registerKeyTransfer: ScopedRoutes<
  AccountScope,
  Pick<ManagementServices, 'apiKeys' | 'ledger' | 'clock' | 'releaseShared'>
> = (app, path, scope, services) => {
  const params = Type.Object({ ...scope.params, key_id: identifierOf('key') })
  app.post(
    `${path}/:key_id/transfer`,
    { schema: { params, body: transferSchema, response: { 201: ledgerEntrySchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const { key_id: fromKeyId } = request.params
      const { to_key_id: toKeyId } = request.body
      const transfer = await moveCredit(services, {
        accountId,
        from: { keyId: fromKeyId, param: 'key_id' },
        to: { keyId: toKeyId, param: 'to_key_id' },
        amount: { pico: positiveAmountOf(request.body.amount_usd, 'amount_usd'), param: 'amount_usd' },
        movement: idempotencyKeyOf(request) ?? newIdentifier('led', services.clock()),
      })
      return reply.code(201).send(ledgerEntry(transfer))
    },
  )
}
