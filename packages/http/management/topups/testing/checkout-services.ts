import {
  AutoTopups,
  LinkCheckouts,
  parseUsd,
  PayLinks,
  sandboxProcessor,
  Topups,
  type PaymentProcessor,
} from '@turnpike/billing'
import type { Storage } from '@turnpike/storage'
import type { TopupServices } from '../services.ts'

/** Services that sell credit, at the sandbox checkout or another processor; nothing runs on a timer. */
export function checkoutServices(
  { storage, clock, publicUrl }: { storage: Storage; clock: () => number; publicUrl: string },
  processor: PaymentProcessor = sandboxProcessor({ publicUrl: () => publicUrl, clock }),
): TopupServices & { auto: { autoTopups: AutoTopups }; payLinks: { links: PayLinks } } {
  const log = { warn: () => undefined, error: () => undefined }
  const store = storage.autoTopups
  const common = { processor, clock, log }
  const topups = new Topups({
    ...common,
    store: storage.topups,
    methods: store,
    onDebit: async () => undefined,
  })
  const bounds = { minPico: parseUsd('5'), maxPico: parseUsd('10000') }
  return {
    topups,
    bounds,
    auto: { store, autoTopups: new AutoTopups({ ...common, store, topups }) },
    payLinks: {
      links: new PayLinks({ secret: 'of a test', publicUrl: () => publicUrl, clock }),
      checkouts: new LinkCheckouts({ topups, bounds, clock }),
    },
    servesSandboxCheckout: true,
  }
}
