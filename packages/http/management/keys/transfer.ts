import { formatUsd } from '@turnpike/billing'
import type { ApiKey } from '@turnpike/identity'
import { GatewayError, invalidRequest, newIdentifier } from '@turnpike/protocol'
import { Type } from 'typebox'
import { positiveAmountOf } from '../amount.ts'
import { idempotencyKeyOf } from '../idempotency/replay.ts'
import { ledgerEntry, ledgerEntrySchema } from '../ledger/record.ts'
import { posted } from '../ledger/refusal.ts'
import type { ManagementApp } from '../management-app.ts'
import type { AccountScope } from '../scope.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, usdAmount } from '../validation/fields.ts'
import { existing, inactive } from './refusal.ts'

const transferSchema = Type.Object(
  { to_key_id: identifierOf('key'), amount_usd: usdAmount },
  { additionalProperties: false },
)

/** Credit moved between two active keys of one account. */
export function registerKeyTransfer(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  services: Pick<ManagementServices, 'apiKeys' | 'ledger' | 'clock' | 'releaseCredit'>,
): void {
  const params = Type.Object({ ...scope.params, key_id: identifierOf('key') })
  app.post(
    `${path}/:key_id/transfer`,
    { schema: { params, body: transferSchema, response: { 201: ledgerEntrySchema } } },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const { key_id: fromKeyId } = request.params
      const { to_key_id: toKeyId } = request.body
      const amountPico = positiveAmountOf(request.body.amount_usd, 'amount_usd')
      const source = active(existing(await services.apiKeys.find(accountId, fromKeyId)), 'key_id')
      if (fromKeyId === toKeyId) throw invalidRequest('to_key_id', '`to_key_id`: expected another key.')
      const target = await services.apiKeys.find(accountId, toKeyId)
      if (target === undefined) {
        throw new GatewayError('not_found_error', 'The account has no such key.', { param: 'to_key_id' })
      }
      active(target, 'to_key_id')
      // What this node has leased and does not use would be missing from the credit that can move.
      await services.releaseCredit(fromKeyId)
      const movement = idempotencyKeyOf(request) ?? newIdentifier('led', services.clock())
      const reference = `transfer:${fromKeyId}:${movement}`
      const result = await services.ledger.transferBetweenKeys(
        { accountId, fromKeyId, toKeyId, amountPico, reference },
        services.clock(),
      )
      if ('refused' in result && result.refused === 'insufficient-credit') throw tooLittle(source, amountPico)
      return reply.code(201).send(ledgerEntry(posted(result, 'to_key_id')))
    },
  )
}

function active(key: ApiKey, param: string): ApiKey {
  if (key.status === 'active' && key.replacedBy === null) return key
  throw inactive(param)
}

function tooLittle(source: ApiKey, amountPico: bigint): GatewayError {
  const has = `The key has ${formatUsd(source.balancePico)} USD, of which running requests may hold a part`
  return new GatewayError('insufficient_quota', `${has}; ${formatUsd(amountPico)} USD were asked for.`, {
    param: 'amount_usd',
  })
}
