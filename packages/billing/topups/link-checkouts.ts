import type { PayLink } from './pay-links.ts'
import { isWholeCents, picoOfCents } from './cents.ts'
import type { Topups } from './topups.ts'
import { topupStatusOf, type Topup } from './topup.ts'

/** A checkout that was opened this recently is not queried again. */
const newMs = 3_000

export interface LinkCheckoutOptions {
  topups: Topups
  bounds: { minPico: bigint; maxPico: bigint }
  /** Unix epoch milliseconds. */
  clock: () => number
}

/** The state of a link; `open` even if nobody has opened it yet. */
export type PayLinkStatus = 'open' | 'paid' | 'expired'

/** The checkouts that links in 402s open: one at a time per account and key, however many links there are. */
export class LinkCheckouts {
  readonly #topups: Topups
  readonly #bounds: LinkCheckoutOptions['bounds']
  readonly #clock: () => number

  constructor({ topups, bounds, clock }: LinkCheckoutOptions) {
    this.#topups = topups
    this.#bounds = bounds
    this.#clock = clock
  }

  /**
   * Returns the open checkout of a link. If the existing one is for less than is lacking now, it is closed
   * and a new one opened; if it was paid meanwhile, it is returned.
   * @param balancePico the current credit of the paying key
   */
  async open(link: PayLink, balancePico: bigint): Promise<Topup> {
    const amountPico = this.#amountOf(link.neededPico - balancePico)
    const topup = await this.#openTopup(link, amountPico)
    if (topup.amountPico >= amountPico || topupStatusOf(topup) !== 'open') return topup
    const closed = await this.#topups.endCheckout(topup)
    return topupStatusOf(closed) === 'paid' ? closed : this.#openTopup(link, amountPico)
  }

  async statusOf(link: PayLink): Promise<PayLinkStatus> {
    const topup = await this.#topups.findLink(link.accountId, link.keyId)
    const now = topup === undefined ? undefined : await this.#topups.upToDate(topup)
    if (now?.paidAtMs !== undefined && now.paidAtMs !== null && now.paidAtMs >= link.issuedAtMs) return 'paid'
    if (this.#clock() < link.expiresAtMs) return 'open'
    return now !== undefined && topupStatusOf(now) === 'open' ? 'open' : 'expired'
  }

  async #openTopup({ accountId, keyId }: PayLink, amountPico: bigint): Promise<Topup> {
    const topup = await this.#topups.openLink({ accountId, keyId, amountPico })
    if (this.#clock() - topup.createdAtMs < newMs) return topup
    // It may have been paid or ended, with its event still to come.
    const now = await this.#topups.upToDate(topup)
    const isOver = topup.checkout !== null && topup.checkout.expiresAtMs <= this.#clock()
    if (topupStatusOf(now) === 'paid' || (topupStatusOf(now) === 'open' && !isOver)) return now
    if (topupStatusOf(now) === 'open') await this.#topups.endCheckout(now)
    return this.#topups.openLink({ accountId, keyId, amountPico })
  }

  /** In whole cents, rounded up, within the limits of one top-up. */
  #amountOf(lackingPico: bigint): bigint {
    const { minPico, maxPico } = this.#bounds
    const cent = picoOfCents(1)
    const whole = isWholeCents(lackingPico) ? lackingPico : (lackingPico / cent + 1n) * cent
    if (whole < minPico) return minPico
    return whole > maxPico ? maxPico : whole
  }
}
