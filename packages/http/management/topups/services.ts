import type { LinkCheckouts, PayLinks, Topups } from '@turnpike/billing'
import type { AutoTopupServices } from '../auto-topup/services.ts'
import type { ReceiptIssuer } from './receipt.ts'

/** What the links of 402s need. */
export interface PayLinkServices {
  links: PayLinks
  checkouts: LinkCheckouts
}

/** What buying credit needs; built by the composition root. */
export interface TopupServices {
  topups: Topups
  /** Of one top-up. */
  bounds: { minPico: bigint; maxPico: bigint }
  /**
   * Books what Stripe sent: resolves once it is committed, rejects with 400 where the signature does not
   * hold. Absent: Stripe is not the processor, and its webhook is 404.
   */
  receiveStripeEvent?: (body: Buffer, signature: string | undefined) => Promise<void>
  /** Whether the checkout page is ours, and takes no money. */
  servesSandboxCheckout: boolean
  /** Charging saved payment methods. Absent: none are saved, and its paths are 404. */
  auto?: AutoTopupServices | undefined
  /** The links of 402s. Absent: there are none. */
  payLinks?: PayLinkServices
  /** Absent: the operator configured none. */
  receiptIssuer?: ReceiptIssuer
}
