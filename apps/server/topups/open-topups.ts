import { checkoutResultPath, sandboxProcessor, Topups, type PaymentProcessor } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'
import type { TopupServices } from '@turnpike/http'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { startSweep } from './sweep.ts'

export interface TopupParts {
  storage: Pick<Storage, 'topups'>
  log: GatewayLog
  clock: () => number
  /** Where callers reach the gateway, without a slash at the end. */
  publicUrl: () => string
  /** Gives back what any node has leased of a key's credit, for itself and for keys that draw on it. */
  releaseShared: (keyId: string) => Promise<void>
  /** What is known of the account is out of date. */
  onAccountChanged: (accountId: string) => void
}

export interface OpenTopups {
  services: TopupServices
  /** Resolves when what is being asked has ended. */
  stop(): Promise<void>
}

/** Buying credit, at the processor that the configuration names. */
export async function openTopups(configuration: Configuration, parts: TopupParts): Promise<OpenTopups> {
  const { storage, log, clock, publicUrl, releaseShared, onAccountChanged } = parts
  const { payments, billing, receiptIssuer } = configuration
  const { processor, receiver } = await processorOf(payments, publicUrl, clock)
  const topups = new Topups({
    store: storage.topups,
    processor,
    clock,
    log,
    onDebit: releaseShared,
    onChanged: onAccountChanged,
  })
  const sweep = startSweep(topups, log)
  return {
    services: {
      topups,
      bounds: billing.topup,
      servesSandboxCheckout: payments?.processor === 'sandbox',
      ...(receiptIssuer !== null && { receiptIssuer }),
      ...(receiver !== undefined && { receiveStripeEvent: receiver(topups) }),
    },
    async stop() {
      await sweep.stop()
      await topups.close()
    },
  }
}

type Receive = NonNullable<TopupServices['receiveStripeEvent']>

interface Processing {
  processor: PaymentProcessor | undefined
  receiver?: (topups: Topups) => Receive
}

async function processorOf(
  payments: Configuration['payments'],
  publicUrl: () => string,
  clock: () => number,
): Promise<Processing> {
  if (payments === null) return { processor: undefined }
  if (payments.processor === 'sandbox') return { processor: sandboxProcessor({ publicUrl, clock }) }
  // Stripe's SDK takes 40 MB and 0.1 s to load: only who uses it pays for it.
  const [{ stripeProcessor }, { readStripeEvent }] = await Promise.all([
    import('@turnpike/billing/stripe'),
    import('@turnpike/billing/stripe-event'),
  ])
  const { secretKey, webhookSecret, apiBase } = payments
  return {
    processor: stripeProcessor({
      secretKey,
      apiBase,
      returnUrl: ({ id }) => `${publicUrl()}${checkoutResultPath}/${id}`,
    }),
    receiver: (topups) => (body, signature) => topups.settle(readStripeEvent(body, signature, webhookSecret)),
  }
}
