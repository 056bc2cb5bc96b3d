import type { LeaseStore } from './lease-store.ts'

/** Credit set aside for one request; it ends by `settle`, whatever becomes of the request. */
export interface Hold {
  readonly keyId: string
  amountPico: bigint
}

/** Why a hold was refused, and what a caller may be told of it. */
export interface HoldRefusal {
  /** True where requests in flight hold the missing credit, so that waiting helps. */
  waitingHelps: boolean
  /** The key's credit, held and leased included. */
  creditPico: bigint
}

export type HoldResult = { hold: Hold } | { refused: HoldRefusal }

/** A lease is taken for so many requests like the one that needs it: the database is asked rarely. */
const leaseForRequests = 32n
/**
 * A key in so much use that its lease lasts less than this takes twice as much the next time, up to a bound.
 */
const shortLeaseMs = 1_000
const maxLeaseForRequests = 2_048n

/** This node's part of a key's credit. */
interface KeyCredit {
  /** In the lease, neither held nor charged. Below zero where charges exceeded their holds. */
  availablePico: bigint
  heldPico: bigint
  /** Charged here, not yet taken off the lease in the database. */
  unflushedPico: bigint
  /** A refill under way; others that are short of credit wait for the same one. */
  refill: Promise<boolean> | undefined
  /** What the database said last. */
  freePico: bigint
  leasedElsewherePico: bigint
  usedAtMs: number
  /** For how many requests the last refill asked, and when. */
  leaseForRequests: bigint
  refilledAtMs: number
}

/**
 * The node's leases and the holds placed on them. `tryHold` is plain arithmetic in memory: no database
 * on the request path, and no overspending, since what is in a lease is in no other.
 */
export class LeaseBook {
  readonly #store: LeaseStore
  readonly #nodeId: string
  readonly #keys = new Map<string, KeyCredit>()

  constructor(store: LeaseStore, nodeId: string) {
    this.#store = store
    this.#nodeId = nodeId
  }

  /** A hold from what the lease has, or undefined where it has too little: then `hold` asks for more. */
  tryHold(keyId: string, amountPico: bigint): Hold | undefined {
    const credit = amountPico === 0n ? this.#creditOf(keyId) : this.#keys.get(keyId)
    if (credit === undefined) return undefined
    // What costs nothing needs no credit.
    if (credit.availablePico < amountPico && amountPico > 0n) return undefined
    credit.availablePico -= amountPico
    credit.heldPico += amountPico
    return { keyId, amountPico }
  }

  /** A hold, for which the lease grows where it must and can. Rejects where the database cannot be asked. */
  async hold(keyId: string, amountPico: bigint): Promise<HoldResult> {
    for (;;) {
      const hold = this.tryHold(keyId, amountPico)
      if (hold !== undefined) return { hold }
      const credit = this.#creditOf(keyId)
      if (credit.refill !== undefined) {
        // Another request asks already: what it gets may do for this one too.
        await credit.refill.catch(ignoredByOthers)
        continue
      }
      const granted = await this.#refill(keyId, credit, amountPico)
      if (!granted && credit.availablePico < amountPico) return { refused: this.#refusal(credit, amountPico) }
    }
  }

  /** More for a hold that its request outgrows; false where the credit is not there. */
  async extend(hold: Hold, morePico: bigint): Promise<boolean> {
    const more = this.tryHold(hold.keyId, morePico) ?? granted(await this.hold(hold.keyId, morePico))
    if (more === undefined) return false
    hold.amountPico += morePico
    return true
  }

  /** Ends a hold: its credit returns, but for the charge. */
  settle(hold: Hold, chargePico: bigint): void {
    const credit = this.#creditOf(hold.keyId)
    credit.heldPico -= hold.amountPico
    credit.availablePico += hold.amountPico - chargePico
    credit.unflushedPico += chargePico
    credit.usedAtMs = Date.now()
  }

  /** Tells that a charge is now in the database, taken off this node's lease. */
  flushed(keyId: string, chargePico: bigint): void {
    const credit = this.#keys.get(keyId)
    if (credit !== undefined) credit.unflushedPico -= chargePico
  }

  /**
   * Tells that charges took more than the lease had: the key itself has paid the rest, so what stands below
   * zero here is settled by so much.
   */
  uncovered(keyId: string, pico: bigint): void {
    const credit = this.#keys.get(keyId)
    if (credit !== undefined) credit.availablePico += pico
  }

  /** Returns what is not held of the lease of one key: it was revoked, or its credit is wanted elsewhere. */
  async giveBack(keyId: string): Promise<void> {
    const credit = this.#keys.get(keyId)
    if (credit === undefined) return
    await credit.refill?.catch(ignoredByOthers)
    const idle = credit.availablePico
    if (idle <= 0n) return
    credit.availablePico = 0n
    try {
      await this.#store.giveBack(this.#nodeId, keyId, idle)
    } catch (error) {
      credit.availablePico += idle
      throw error
    }
    if (credit.heldPico === 0n && credit.unflushedPico === 0n && credit.availablePico === 0n)
      this.#keys.delete(keyId)
  }

  /** Returns leases that nobody used since `beforeMs`, so that idle credit is free for other nodes. */
  async giveBackIdle(beforeMs: number): Promise<void> {
    for (const [keyId, credit] of this.#keys) {
      if (credit.heldPico === 0n && credit.usedAtMs < beforeMs) await this.giveBack(keyId)
    }
  }

  #creditOf(keyId: string): KeyCredit {
    let credit = this.#keys.get(keyId)
    if (credit === undefined) {
      credit = {
        availablePico: 0n,
        heldPico: 0n,
        unflushedPico: 0n,
        refill: undefined,
        freePico: 0n,
        leasedElsewherePico: 0n,
        usedAtMs: Date.now(),
        leaseForRequests,
        refilledAtMs: 0,
      }
      this.#keys.set(keyId, credit)
    }
    return credit
  }

  #refill(keyId: string, credit: KeyCredit, amountPico: bigint): Promise<boolean> {
    const refill = this.#take(keyId, credit, amountPico).finally(() => {
      credit.refill = undefined
    })
    credit.refill = refill
    return refill
  }

  /** True where the database granted at least what the amount lacks. */
  async #take(keyId: string, credit: KeyCredit, amountPico: bigint): Promise<boolean> {
    const needed = amountPico - credit.availablePico
    const wanted = needed + wantedBeyond(credit, amountPico)
    const taken = await this.#store.take(this.#nodeId, keyId, needed, wanted)
    credit.availablePico += taken.takenPico
    credit.freePico = taken.freePico
    const here = credit.availablePico + credit.heldPico + credit.unflushedPico
    credit.leasedElsewherePico = taken.leasedPico > here ? taken.leasedPico - here : 0n
    return taken.takenPico > 0n
  }

  #refusal(credit: KeyCredit, amountPico: bigint): HoldRefusal {
    const creditPico = credit.freePico + credit.availablePico + credit.heldPico + credit.leasedElsewherePico
    return { waitingHelps: creditPico >= amountPico, creditPico }
  }
}

/** More for a key in heavy use, but no more than half of what the key had free: other nodes serve it too. */
function wantedBeyond(credit: KeyCredit, amountPico: bigint): bigint {
  const nowMs = Date.now()
  const short = nowMs - credit.refilledAtMs < shortLeaseMs
  const doubled = credit.leaseForRequests * 2n
  credit.leaseForRequests = short
    ? doubled < maxLeaseForRequests
      ? doubled
      : maxLeaseForRequests
    : leaseForRequests
  credit.refilledAtMs = nowMs
  const usual = amountPico * leaseForRequests
  const more = amountPico * credit.leaseForRequests
  const half = credit.freePico / 2n
  const bounded = more < half ? more : half
  return bounded > usual ? bounded : usual
}

function granted(result: HoldResult): Hold | undefined {
  return 'hold' in result ? result.hold : undefined
}

/** The refill's own request reports its failure; those that waited for it ask again themselves. */
function ignoredByOthers(): boolean {
  return false
}
