import { ledgerAccountId } from '@turnpike/billing'
import { invalidRequest, newIdentifier } from '@turnpike/protocol'
import { Type } from 'typebox'
import { amountOf, positiveAmountOf } from '../amount.ts'
import { idempotencyKeyOf } from '../idempotency/replay.ts'
import { ledgerEntry, ledgerEntrySchema } from '../ledger/record.ts'
import { requirePosted } from '../ledger/refusal.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ScopedRoutes } from '../scoped-routes.ts'
import type { ManagementServices } from '../services.ts'
import { identifierOf, usdAmount, requestObject } from '../validation/fields.ts'

const creditKinds = ['grant', 'refund', 'adjustment'] as const

const creditSchema = requestObject({
  amount_usd: usdAmount,
  key_id: Type.Optional(identifierOf('key')),
  kind: Type.Enum([...creditKinds], {
    description:
      'A grant adds credit. A refund removes it, because money was returned to the customer. ' +
      'An adjustment does either, depending on its sign, and may name the entry that it `corrects`.',
  }),
  corrects: Type.Optional(identifierOf('led')),
  reason: Type.String({ minLength: 1, maxLength: 500 }),
})

/** Lets the operator give and take credit. */
export const registerCredits: ScopedRoutes<
  AccountScope,
  Pick<ManagementServices, 'ledger' | 'clock' | 'logger' | 'releaseShared'>
> = (app, path, scope, services) => {
  app.post(
    path,
    {
      schema: {
        params: Type.Object(scope.params),
        body: creditSchema,
        response: { 201: ledgerEntrySchema },
      },
    },
    async (request, reply) => {
      const { id: accountId } = await scope.account(request)
      const { kind, amount_usd: amount, key_id: keyId, corrects, reason } = request.body
      if (corrects !== undefined && kind !== 'adjustment')
        throw invalidRequest('corrects', '`corrects`: only an `adjustment` can correct another entry.')
      const idempotencyKey = idempotencyKeyOf(request)
      const movement = {
        accountId,
        kind,
        amountPico: signedAmount(kind, amount),
        // The ledger posts a reference once, so a retry moves nothing twice, even after a restart.
        reference: `credit:${accountId}:${idempotencyKey ?? newIdentifier('led', services.clock())}`,
        reason,
        ...(keyId === undefined ? {} : { keyId }),
        ...(corrects === undefined ? {} : { corrects }),
      }
      const transfer = requirePosted(await services.ledger.move(movement, services.clock()), 'key_id')
      await takeBackLeases(transfer.debitAccount, services)
      return reply.code(201).send(ledgerEntry(transfer))
    },
  )
}

/** Returns leased credit, which must not be spent any more. The movement stands even if that fails. */
async function takeBackLeases(
  debitAccount: string,
  { releaseShared, logger }: Pick<ManagementServices, 'releaseShared' | 'logger'>,
): Promise<void> {
  const prefix = ledgerAccountId.key('')
  if (!debitAccount.startsWith(prefix)) return
  try {
    await releaseShared(debitAccount.slice(prefix.length))
  } catch (error) {
    logger.error({ error: String(error), account: debitAccount }, 'Leases could not be reclaimed.')
  }
}

function signedAmount(kind: (typeof creditKinds)[number], amount: string | number): bigint {
  if (kind === 'grant') return positiveAmountOf(amount, 'amount_usd')
  if (kind === 'refund') return -positiveAmountOf(amount, 'amount_usd')
  const amountPico = amountOf(amount, 'amount_usd')
  if (amountPico === 0n) throw invalidRequest('amount_usd', '`amount_usd`: expected an amount other than 0.')
  return amountPico
}
