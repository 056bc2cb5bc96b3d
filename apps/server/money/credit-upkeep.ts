import type { SpendBook } from '@turnpike/billing'
import type { GatewayLog } from '@turnpike/gateway'
import type { KnownKeys } from '@turnpike/identity'
import type { Notice, NoticeListener, Storage } from '@turnpike/storage'

/** A lease's term is renewed so often within it. */
const heartbeatsPerLease = 4
/** After a heartbeat that failed, the next one comes sooner. */
const retryMs = 1_000
/** Keys whose grace has ended are refused at once by their time; their revocation may follow so late. */
const revokeEveryMs = 5_000
/**
 * What requests leave of a key that was revoked meanwhile is with the default key so soon after their end.
 */
const recalledEveryMs = 1_000

export interface CreditUpkeepOptions {
  storage: Pick<Storage, 'leases' | 'apiKeys' | 'organizations' | 'listen'>
  leases: SpendBook
  keys: KnownKeys
  nodeId: string
  leaseMs: number
  log: GatewayLog
  /** Told of notices that are about neither keys nor credit. */
  onOther?: (notice: Notice) => void
}

/** Done again so long after the last time; sooner where it failed. */
interface Task {
  everyMs: number
  work: () => Promise<void>
}

/**
 * What keeps this node's credit and keys true behind the requests' backs: heartbeats, leases of nodes that
 * are gone, leases that nobody uses, keys that are due to be revoked or handed over, and what other nodes
 * tell.
 */
export class CreditUpkeep {
  readonly #options: CreditUpkeepOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  /** How this node hears of others; there once it has started. */
  notices!: NoticeListener
  #running: Promise<unknown>[] = []
  #stopped = false

  private constructor(options: CreditUpkeepOptions) {
    this.#options = options
  }

  /** Resolves when this node has its first term and hears what others tell. */
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

  /** Resolves when nothing of it uses the storage any more. */
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

  /** Whether it succeeded; a failure is logged. */
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

  /** May take long: heartbeats do not wait for it. */
  async #giveBack(): Promise<void> {
    const { storage, leases, leaseMs, log } = this.#options
    // First: a node that was away must not take its own leases for those of one that is gone.
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

  /** The key is read again at its next use, and its lease follows where its credit may have gone. */
  #forget(keyId: string): void {
    const { leases, keys } = this.#options
    keys.forget(keyId)
    void this.#run(() => leases.limitsChanged(keyId))
  }
}
