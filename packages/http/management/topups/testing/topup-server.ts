import type { PaymentProcessor } from '@turnpike/billing'
import { startManagementServer, type Answer, type ManagementServer } from '../../testing/management-server.ts'
import type { TopupServices } from '../services.ts'
import { checkoutServices } from './checkout-services.ts'

export const publicUrl = 'http://gateway.test'

export interface TopupServer extends ManagementServer {
  /** Creates an account with one key. */
  newAccount(): Promise<{ subject: string; accountId: string; keyId: string }>
  /** Sends POST /api/v1/topup as a user. */
  buy(subject: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** The management API with top-ups at the sandbox checkout, or at another processor. */
export async function startTopupServer(
  changes: Partial<TopupServices> & { processor?: PaymentProcessor } = {},
): Promise<TopupServer> {
  const { processor, ...services } = changes
  const server = await startManagementServer(({ storage, clock }) => ({
    checkout: { ...checkoutServices({ storage, clock, publicUrl }, processor), ...services },
  }))
  return {
    ...server,
    async newAccount() {
      const subject = crypto.randomUUID()
      const { json: account } = await server.call('GET', '/api/v1/me', { as: subject })
      const { json: key } = await server.call('POST', '/api/v1/me/keys', { as: subject, body: { name: 'n' } })
      return { subject, accountId: account.id, keyId: key.id }
    },
    buy: (as, body, headers = {}) => server.call('POST', '/api/v1/topup', { as, body, headers }),
  }
}

/** A processor whose every call fails. */
export function failingProcessor(error: Error): PaymentProcessor {
  const fail = async (): Promise<never> => {
    throw error
  }
  return {
    name: 'stripe',
    open: fail,
    sessionOf: fail,
    sessionOfPayment: fail,
    close: fail,
    savedBy: fail,
    charge: fail,
    findCharge: fail,
    chargeOf: fail,
    cancelCharge: fail,
    abandonCharge: fail,
    forget: fail,
    findRefunded: fail,
    listReversals: fail,
  }
}
