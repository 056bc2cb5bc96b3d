import type { SpendBook } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'
import type { KnownKeys } from '@turnpike/identity'
import type { Notice, NoticeListener, Storage } from '@turnpike/storage'

/** How often a lease is renewed within its term. */
const heartbeatsPerLease = 4
/** The pause after a failed heartbeat. */
const retryMs = 1_000
/** Keys are refused as soon as their grace period ends. Their revocation may follow this much later. */
const revokeEveryMs = 5_000
/** Credit left in holds of a revoked key moves to the default key this soon after those requests end. */
const recalledEveryMs = 1_000

export interface CreditUpkeepOptions {
  storage: Pick<Storage, 'leases' | 'apiKeys' | 'organizations' | 'listen'>
  leases: SpendBook
  keys: KnownKeys
  nodeId: string
  leaseMs: number
  log: GatewayLog
  /** Called with notices that concern neither keys nor credit. */
  onOther?: (notice: Notice) => void
}

/** Work that is repeated at this interval, or sooner after a failure. */
interface Task {
  everyMs: number
  work: () => Promise<void>
}

/**
 * Keeps this node's credit and keys up to date in the background: sends heartbeats, returns leases of dead
 * nodes and unused leases, revokes and hands over keys that are due, and handles other nodes' notices.
 */
export class CreditUpkeep {
  readonly #options: CreditUpkeepOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  /** Receives other nodes' notices; set once the upkeep has started. */
  notices!: NoticeListener
  #running: Promise<unknown>[] = []
  #stopped = false

  private constructor(options: CreditUpkeepOptions) {
    this.#options = options
  }

  /** Resolves when this node has its first lease term and receives other nodes' notices. */
  static async start(options: CreditUpkeepOptions): Promise<CreditUpkeep> {
    const upkeep = new CreditUpkeep(options)
    const { storage, leases, leaseMs, log } = options
    upkeep.notices = await storage.listen(
      (notice) => upkeep.#hear(notice),
      (error) =>
        log.warn({ error: error.message }, 'notifications from other nodes arrive late, or not at all'),
    )
    await leases.renew()
    const everyMs = leaseMs / heartbeatsPerLease
    upkeep.#runIn(everyMs, { everyMs, work: () => leases.renew() })
    upkeep.#runIn(everyMs, { everyMs, work: () => upkeep.#giveBack() })
    upkeep.#runIn(recalledEveryMs, { everyMs: recalledEveryMs, work: () => leases.giveBackRecalled() })
    upkeep.#runIn(0, { everyMs: revokeEveryMs, work: () => upkeep.#revokeDue() })
    return upkeep
  }

  /** Resolves when it no longer uses the storage. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.allSettled(this.#running)
    await this.notices.close()
  }

  #runIn(delayMs: number, task: Task): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#repeat(task)
    }, delayMs)
    this.#timers.add(timer.unref())
  }

  async #repeat(task: Task): Promise<void> {
    const done = await this.#run(task.work)
    this.#runIn(done ? task.everyMs : Math.min(task.everyMs, retryMs), task)
  }

  /** Returns whether the work succeeded; a failure is logged. */
  async #run(work: () => Promise<void>): Promise<boolean> {
    const running = work().then(
      () => true,
      (error: unknown) => {
        this.#options.log.warn({ error: String(error) }, 'maintenance of leases and keys failed')
        return false
      },
    )
    this.#running.push(running)
    const done = await running
    this.#running = this.#running.filter((one) => one !== running)
    return done
  }

  /** May take long, so heartbeats do not wait for it. */
  async #giveBack(): Promise<void> {
    const { storage, leases, leaseMs, log } = this.#options
    // Renew first: a node that was cut off must not treat its own leases as a dead node's.
    await leases.renew()
    for (const nodeId of await storage.leases.giveBackExpired())
      log.warn({ node: nodeId }, 'a node is gone: its leases were returned')
    await leases.giveBackIdle(Date.now() - leaseMs)
  }

  async #revokeDue(): Promise<void> {
    const { apiKeys, organizations } = this.#options.storage
    for (const keyId of await apiKeys.revokeDue(Date.now())) this.#forget(keyId)
    for (const keyId of await organizations.finishRemovals(Date.now())) this.#forget(keyId)
  }

  #hear(notice: Notice): void {
    const { leases, keys, nodeId } = this.#options
    switch (notice.about) {
      case 'key':
        return this.#forget(notice.keyId)
      case 'overdrawn':
        return void this.#run(() => leases.limitsChanged(notice.keyId))
      case 'budget':
        return void this.#run(() => leases.budgetChanged(notice.budgetId))
      case 'account':
        return keys.forgetAccount(notice.accountId)
      case 'wanted':
        if (notice.nodeId === nodeId) return
        void this.#run(() => leases.answer(notice.keyId, BigInt(notice.amountPico)))
        return
      case 'answered':
        leases.recordAnswer(notice.keyId, notice.nodeId, BigInt(notice.givenPico), BigInt(notice.heldPico))
        return
      case 'missed':
        keys.forgetAll()
        void this.#run(() => leases.allChanged())
        return this.#options.onOther?.(notice)
      default:
        this.#options.onOther?.(notice)
    }
  }

  /** Has the key read again at its next use, and updates its lease if its credit may have moved. */
  #forget(keyId: string): void {
    const { leases, keys } = this.#options
    keys.forget(keyId)
    void this.#run(() => leases.limitsChanged(keyId))
  }
}
