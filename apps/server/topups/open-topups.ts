import {
  AutoTopups,
  type AutoTopupOptions,
  checkoutResultPath,
  LinkCheckouts,
  PayLinks,
  sandboxProcessor,
  Topups,
  type PaymentEvent,
  type PaymentProcessor,
} from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'
import type { TopupServices } from '@turnpike/http'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { watchAutoTopups } from './auto-topup-watch.ts'
import { startSweep } from './sweep.ts'

export interface TopupParts {
  storage: Pick<Storage, 'topups' | 'autoTopups' | 'secrets'>
  log: GatewayLog
  clock: () => number
  /** The address at which callers reach the gateway, without a trailing slash. */
  publicUrl: () => string
  /** Returns the leases of all nodes on a key's credit, its own and those of keys that draw on it. */
  releaseShared: (keyId: string) => Promise<void>
  /** Drops what is cached of the account. */
  onAccountChanged: (accountId: string) => void
}

export interface OpenTopups {
  services: TopupServices
  /** Payment links for 402 responses. Absent: credit cannot be bought here. */
  payLinks: PayLinks | undefined
  /** Resolves when the running checks have ended. */
  stop(): Promise<void>
}

/** Opens the sale of credit through the configured payment processor. */
export async function openTopups(configuration: Configuration, parts: TopupParts): Promise<OpenTopups> {
  const { storage, log, clock, publicUrl, releaseShared, onAccountChanged } = parts
  const { payments, billing, receiptIssuer } = configuration
  const { processor, receiver } = await processorOf(payments, publicUrl, clock)
  const topups = new Topups({
    store: storage.topups,
    processor,
    methods: storage.autoTopups,
    clock,
    log,
    onDebit: releaseShared,
    onChanged: onAccountChanged,
  })
  const sweep = startSweep(topups, log)
  const { autoTopup: mayCharge } = configuration
  const auto = processor && openAutoTopups({ ...parts, topups, processor, mayCharge })
  const bounds = billing.topup
  const payLinks =
    processor && new PayLinks({ secret: await storage.secrets.of('pay-links'), publicUrl, clock })
  return {
    payLinks,
    services: {
      topups,
      bounds,
      ...(auto !== undefined && mayCharge && { auto: auto.services }),
      ...(payLinks !== undefined && {
        payLinks: { links: payLinks, checkouts: new LinkCheckouts({ topups, bounds, clock }) },
      }),
      servesSandboxCheckout: payments?.processor === 'sandbox',
      ...(receiptIssuer !== null && { receiptIssuer }),
      ...(receiver !== undefined && {
        receiveStripeEvent: receiver((event) => settleEvent(event, topups, auto)),
      }),
    },
    async stop() {
      await auto?.stop()
      await sweep.stop()
      await topups.close()
    },
  }
}

type Auto = ReturnType<typeof openAutoTopups>

function openAutoTopups(
  parts: Pick<TopupParts, 'storage' | 'clock' | 'log'> &
    Pick<AutoTopupOptions, 'topups' | 'processor' | 'mayCharge'>,
) {
  const { storage, ...common } = parts
  const store = storage.autoTopups
  const autoTopups = new AutoTopups({ ...common, store })
  const watch = watchAutoTopups(autoTopups, parts.log)
  return { services: { autoTopups, store }, stop: () => watch.stop() }
}

function settleEvent(event: PaymentEvent, topups: Topups, auto: Auto | undefined): Promise<void> {
  const autoTopups = auto?.services.autoTopups
  switch (event.about) {
    case 'charge':
      return autoTopups === undefined ? Promise.resolve() : autoTopups.settle(event.charge)
    case 'attempt':
      return autoTopups === undefined ? Promise.resolve() : autoTopups.settleAttempt(event.topupId)
    default:
      return topups.settle(event)
  }
}

type Receive = NonNullable<TopupServices['receiveStripeEvent']>

interface Processing {
  processor: PaymentProcessor | undefined
  receiver?: (settle: (event: PaymentEvent) => Promise<void>) => Receive
}

async function processorOf(
  payments: Configuration['payments'],
  publicUrl: () => string,
  clock: () => number,
): Promise<Processing> {
  if (payments === null) return { processor: undefined }
  if (payments.processor === 'sandbox') return { processor: sandboxProcessor({ publicUrl, clock }) }
  // Stripe's SDK takes 40 MB and 0.1 s to load, so it is loaded only if it is used.
  const [{ stripeProcessor }, { readStripeEvent }] = await Promise.all([
    import('@turnpike/billing/stripe'),
    import('@turnpike/billing/stripe-event'),
  ])
  const { secretKey, webhookSecret, apiBase, tax } = payments
  return {
    processor: stripeProcessor({
      secretKey,
      apiBase,
      tax,
      returnUrl: ({ id }) => `${publicUrl()}${checkoutResultPath}/${id}`,
    }),
    receiver: (settle) => (body, signature) => settle(readStripeEvent(body, signature, webhookSecret)),
  }
}
