/** What a vendor does instead of answering, in the order in which it is drawn. */
export const faultKinds = ['429', '500', '503', 'reset', 'hang', 'cut', 'malformed'] as const

export type FaultKind = (typeof faultKinds)[number]

/** How many of a thousand calls fail like this. */
export type FaultShares = Record<FaultKind, number>

/**
 * A bad day, but no outage: a 429 puts its upstream in cooldown for a second, so a few in a thousand make it
 * unavailable for much of the time, and the fallback model is used often.
 */
export const usualShares: FaultShares = {
  '429': 2,
  '500': 10,
  '503': 5,
  reset: 5,
  hang: 2,
  cut: 10,
  malformed: 5,
}

export const noShares = sharesOf(() => 0)

/** Two per mille of the rate at which the usual shares were chosen: 90 requests a second with streams. */
const bearableLimitsPerSecond = 0.18
/** Timeouts are noticed a few times a second, and five noticed at once count as five failures in a row. */
const bearableHangsPerSecond = 0.6

/**
 * The same bad day at a higher rate, if the shares of 429s and hangs are the usual ones. Each 429 puts its
 * upstream in cooldown for a second, however many requests would come meanwhile: two per mille of 300
 * requests a second make all three vendors unavailable for 3 % of the time, which is an outage.
 */
export function sharesAt(requestsPerSecond: number, shares: FaultShares): FaultShares {
  if (shares['429'] !== usualShares['429']) return shares
  const most = (perSecond: number): number => Math.round((perSecond / requestsPerSecond) * 100_000) / 100
  return {
    ...shares,
    '429': Math.min(shares['429'], most(bearableLimitsPerSecond)),
    hang: Math.min(shares.hang, most(bearableHangsPerSecond)),
  }
}

/** Parses `429=2,hang=1`: shares in per mille; the others keep their defaults. */
export function parseShares(text: string): FaultShares {
  const shares = { ...usualShares }
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [name, value = ''] = part.split('=')
    const kind = faultKinds.find((one) => one === name)
    if (kind === undefined) throw new RangeError(`no fault '${name}': ${faultKinds.join(', ')}`)
    const share = Number(value)
    if (value === '' || !(share >= 0)) throw new RangeError(`${kind} is 0 to 1000 per mille, not '${value}'`)
    shares[kind] = share
  }
  const total = totalOf(shares)
  if (total > 1_000) throw new RangeError(`the shares are ${total} per mille together: 1000 at most`)
  return shares
}

export function formatShares(shares: FaultShares): string {
  return faultKinds.map((kind) => `${kind}=${shares[kind]}`).join(',')
}

function totalOf(shares: FaultShares): number {
  return faultKinds.reduce((sum, kind) => sum + shares[kind], 0)
}

export function sharesOf(share: (kind: FaultKind) => number): FaultShares {
  return Object.fromEntries(faultKinds.map((kind) => [kind, share(kind)])) as FaultShares
}

/** Decides how each call of a vendor fails. With the same seed, its nth call always fails in the same way. */
export class FaultSchedule {
  readonly #shares: FaultShares
  #state: number

  constructor(seed: number, shares: FaultShares) {
    this.#state = seed >>> 0
    this.#shares = shares
  }

  /** The fault of the next call; undefined: none. */
  next(): FaultKind | undefined {
    let drawn = this.#random() * 1_000
    return faultKinds.find((kind) => (drawn -= this.#shares[kind]) < 0)
  }

  /** In [0, 1): mulberry32, whose whole state is 32 bits. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
