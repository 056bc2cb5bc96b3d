import type { LinkCheckouts, PayLinks, Topups } from '@turnpike/billing'
import type { AutoTopupServices } from '../auto-topup/services.ts'
import type { ReceiptIssuer } from './receipt.ts'

/** The services for the payment links in 402 responses. */
export interface PayLinkServices {
  links: PayLinks
  checkouts: LinkCheckouts
}

/** The services for buying credit; built by the composition root. */
export interface TopupServices {
  topups: Topups
  /** The bounds of one top-up. */
  bounds: { minPico: bigint; maxPico: bigint }
  /**
   * Books an event that Stripe sent: resolves once it is committed, rejects with 400 if the signature is
   * invalid. Absent: Stripe is not the processor, and its webhook is 404.
   */
  receiveStripeEvent?: (body: Buffer, signature: string | undefined) => Promise<void>
  /** Whether the checkout is our own page, which takes no money. */
  servesSandboxCheckout: boolean
  /** Charges saved payment methods. Absent: none are saved, and the paths are 404. */
  auto?: AutoTopupServices | undefined
  /** The payment links in 402 responses. Absent: there are none. */
  payLinks?: PayLinkServices
  /** Absent: the operator has configured none. */
  receiptIssuer?: ReceiptIssuer
}
