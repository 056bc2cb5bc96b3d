import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { processesOf } from '../../../apps/server/workers/testing/processes.ts'
import { GatewayProcess } from '../../nodes/gateway-process.ts'
import { begin, type Period } from '../periods.ts'

/** Retry interval of a start, as of a supervisor: a start fails while its database is down. */
const startAgainMs = 300
const startDeadlineMs = 90_000
const processPollMs = 100

/** The file with the output of all lives of a gateway, including the last one after its end. */
export function logOf({ directory }: GatewayProcess): string {
  return join(directory, 'stderr.log')
}

/** A gateway that can be killed, stopped and halted, and records when that happened. */
export class Node {
  readonly index: number
  readonly gateway: GatewayProcess
  /** From each `kill -9` until it was ready again. */
  readonly killed: Period[] = []
  /** From each SIGTERM until it was ready again. */
  readonly restarted: Period[] = []
  readonly halted: Period[] = []
  /** How it ended by itself, which must never happen. */
  readonly crashes: string[] = []
  #wanted = true
  /** The run is over, so it is not started again. */
  #over = false
  /** Disturbances of a node run one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(index: number, gateway: GatewayProcess) {
    this.index = index
    this.gateway = gateway
  }

  static async start(
    index: number,
    input: ConfigurationInput,
    environment: NodeJS.ProcessEnv = {},
  ): Promise<Node> {
    return new Node(index, await GatewayProcess.create(input, [], environment))
  }

  /** Whether it is up and no disturbance is in progress. */
  get isServing(): boolean {
    return this.#wanted && this.gateway.isRunning
  }

  /** `kill -9`; starts it again on its data after a pause. */
  kill(pauseMs: number): Promise<void> {
    return this.killWhile(() => delay(pauseMs))
  }

  /** Like `kill`, but the pause lasts until the work is done. */
  killWhile(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const period = begin(this.killed)
      this.#wanted = false
      await this.gateway.end('SIGKILL')
      await work()
      await this.#startAgain()
      period.end()
    })
  }

  /** SIGTERM; starts it again once it has ended by itself. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      const period = begin(this.restarted)
      this.#wanted = false
      const code = await this.gateway.end('SIGTERM')
      if (code !== 0 && code !== 1) this.crashes.push(`SIGTERM: exit code ${code}`)
      await this.#startAgain()
      period.end()
    })
  }

  halt(forMs: number): Promise<void> {
    return this.#inTurn(() => this.#haltProcess(this.gateway.pid, forMs))
  }

  /** The same for one of its workers. @param which selects the worker; in [0, 1) */
  haltWorker(which: number, forMs: number): Promise<void> {
    return this.#inTurn(async () => {
      const { workers } = processesOf(this.gateway)
      await this.#haltProcess(workers[Math.floor(which * workers.length)]!, forMs)
    })
  }

  async #haltProcess(pid: number, forMs: number): Promise<void> {
    const period = begin(this.halted)
    process.kill(pid, 'SIGSTOP')
    await delay(forMs)
    process.kill(pid, 'SIGCONT')
    period.end()
  }

  /** `kill -9` of one of its workers; resolves once the worker is replaced. @param which in [0, 1) */
  killWorker(which: number): Promise<void> {
    return this.#inTurn(async () => {
      const { workers } = processesOf(this.gateway)
      await this.#killProcess(workers[Math.floor(which * workers.length)]!, this.killed)
    })
  }

  /** The same for the process that has the workers' database: the workers live on, but cannot reach it. */
  killDatabase(): Promise<void> {
    return this.#inTurn(() => this.#killProcess(processesOf(this.gateway).database!, this.halted))
  }

  async #killProcess(pid: number, periods: Period[]): Promise<void> {
    const period = begin(periods)
    const count = countProcesses(this.gateway)
    process.kill(pid, 'SIGKILL')
    const givenUpAtMs = Date.now() + startDeadlineMs
    do await delay(processPollMs)
    while (countProcesses(this.gateway) < count && Date.now() < givenUpAtMs)
    period.end()
  }

  /** Restarts it if it ends by itself, and records that. */
  watch(): void {
    if (!this.#wanted || this.gateway.isRunning) return
    this.crashes.push(this.gateway.stderr.trim().split('\n').at(-1) ?? 'without a word')
    void this.kill(0)
  }

  /** Stops it for good; its folder stays. */
  stop(): Promise<number | null> {
    return this.#inTurn(async () => {
      this.#wanted = false
      const code = await this.gateway.end('SIGTERM')
      this.#keepLog()
      return code
    })
  }

  /** Kills it, whatever disturbance is in progress. @param keep leaves its folder */
  async remove(keep: boolean): Promise<void> {
    this.#over = true
    this.#wanted = false
    if (this.gateway.isRunning) await this.gateway.end('SIGKILL')
    if (keep) this.#keepLog()
    else await this.gateway.remove()
  }

  /** Resolves once no disturbance is in progress. */
  async idle(): Promise<void> {
    await this.#turn
  }

  async #startAgain(): Promise<void> {
    this.#keepLog()
    const givenUpAtMs = Date.now() + startDeadlineMs
    for (;;) {
      if (this.#over) throw new Error(`node ${this.index} is not to be started any more`)
      try {
        await this.gateway.start()
        this.#wanted = true
        return
      } catch (error) {
        if (Date.now() > givenUpAtMs) throw error
        await delay(startAgainMs)
      }
    }
  }

  /** Keeps the output of its previous life. */
  #keepLog(): void {
    const { gateway } = this
    appendFileSync(logOf(gateway), gateway.stderr)
    gateway.stderr = ''
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

/** The number of living processes that its primary has started. */
function countProcesses(gateway: GatewayProcess): number {
  const { workers, database } = processesOf(gateway)
  return workers.length + (database === undefined ? 0 : 1)
}
