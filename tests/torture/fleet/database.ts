import { setTimeout as delay } from 'node:timers/promises'
import type { TestCluster } from '../../../packages/storage/testing/postgres.ts'
import { begin, type Period } from '../periods.ts'

/** A killed server's shared memory may outlive it briefly, and until then a start is refused. */
const startAgainMs = 300
const startAttempts = 100

/** The PostgreSQL of a run, which can be killed, shut down and halted. */
export class Database {
  readonly cluster: TestCluster
  /** The periods in which it did not answer. */
  readonly away: Period[] = []
  /** The run is over, so it is not started again. */
  #over = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(cluster: TestCluster) {
    this.cluster = cluster
  }

  /** `kill -9` of all its processes; starts it after a pause, and it recovers from its log. */
  kill(pauseMs: number): Promise<void> {
    return this.#away(async () => {
      await this.cluster.kill()
      await delay(pauseMs)
      await this.#startAgain()
    })
  }

  /** A fast shutdown, then a start. */
  restart(pauseMs: number): Promise<void> {
    return this.#away(async () => {
      await this.cluster.stop()
      await delay(pauseMs)
      await this.#startAgain()
    })
  }

  /** Halts all its processes: connections stay open, but nothing answers. */
  halt(forMs: number): Promise<void> {
    return this.#away(async () => {
      this.cluster.pause()
      await delay(forMs)
      this.cluster.resume()
    })
  }

  async idle(): Promise<void> {
    await this.#turn
  }

  async end(keep: boolean): Promise<void> {
    this.#over = true
    if (keep) await this.cluster.kill()
    else await this.cluster.remove()
  }

  async #startAgain(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      if (this.#over) throw new Error('PostgreSQL is not to be started any more')
      try {
        return await this.cluster.start()
      } catch (error) {
        if (attempt === startAttempts) throw error
        await delay(startAgainMs)
      }
    }
  }

  #away(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(async () => {
      const period = begin(this.away)
      await work()
      period.end()
    })
    this.#turn = done.catch(() => undefined)
    return done
  }
}
