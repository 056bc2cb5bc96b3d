import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../child.ts'
import type { Target } from '../client/load.ts'
import type { Shape } from '../client/request-bytes.ts'
import { processUse, type ProcessUse } from '../process-table.ts'

/** Something under test in front of the load server. */
export interface Subject {
  name: string
  /** For the table's legend. */
  description: string
  /** Absent: the full load. */
  load?: Load
  /** Starts it with the data of earlier starts; resolves once it responds. */
  start(): Promise<RunningSubject>
  /** Deletes its data, if it keeps any. */
  remove?(): void
}

/** Concurrent load on a subject. The cost of an event or a stream hardly depends on their number. */
export interface Load {
  /** With 20 events a second each. */
  steadyStreams: number
  silentStreams: number
  /** False if it cannot serve 500 requests a second, which would only measure its queue. */
  isPaced: boolean
}

export const fullLoad: Load = { steadyStreams: 500, silentStreams: 1_000, isPaced: true }

export interface RunningSubject {
  pid: number
  port: number
  /** From the process's start to its first successful response. */
  startUpMs: number
  target: (shape: Shape) => Target
  use: () => ProcessUse
  /** Makes a JavaScript engine release unused memory; does nothing for other subjects. */
  settle(): Promise<void>
  /**
   * Bytes that minor collections move to the old generation during this work; undefined for other subjects
   * than those in Node.
   */
  promotedBytes(work: () => Promise<void>): Promise<number | undefined>
  stop(): Promise<void>
}

const pollMs = 5
const startTimeoutMs = 30_000
/** Time for two collections, since the second may collect what the first leaves, and to return pages. */
const settleMs = 400

/**
 * Preloaded before the subject's own module: collects garbage, and watches collections, on signals. It is
 * JavaScript, because for TypeScript Node loads a compiler, 15 MB, which the gateway's bundle does not need.
 */
const collector = new URL('../peers/collect-on-signal.js', import.meta.url).href

/** Node's arguments for a subject: its defaults, and a way to settle its memory. */
export const nodeArguments = ['--expose-gc', '--import', collector]

export async function runningSubject(options: {
  child: Child
  port: number
  /** A path that responds as soon as the subject can serve. */
  readyPath: string
  isNode: boolean
  target: (shape: Shape) => Target
}): Promise<RunningSubject> {
  const { child, port, readyPath, isNode, target } = options
  let promotions = 0
  const startUpMs = (await readyAtMs(child, `http://127.0.0.1:${port}${readyPath}`)) - child.startedAtMs
  return {
    pid: child.pid,
    port,
    startUpMs,
    target,
    use: () => processUse(child.pid),
    async settle() {
      if (!isNode) return
      for (let round = 0; round < 2; round++) {
        child.signal('SIGUSR2')
        await delay(settleMs)
      }
    },
    async promotedBytes(work) {
      if (!isNode) return undefined
      child.signal('SIGWINCH')
      await work()
      child.signal('SIGWINCH')
      const line = await child.line(new RegExp(`^promoted ${++promotions}: `, 'u'))
      return Number(/ (\d+) bytes/u.exec(line)![1])
    },
    stop: () => child.stop(),
  }
}

/** Time of the first response below 500, on the clock of `performance.now()`. */
async function readyAtMs(child: Child, url: string): Promise<number> {
  for (;;) {
    try {
      const answer = await fetch(url, { headers: { connection: 'close' } })
      await answer.arrayBuffer()
      if (answer.status < 500) return performance.now()
    } catch (error) {
      // It does not listen yet.
      if (!child.running()) throw new Error(`it ended: ${child.output()}`, { cause: error })
    }
    if (performance.now() - child.startedAtMs > startTimeoutMs)
      throw new Error(`it is not ready after ${startTimeoutMs} ms: ${child.output()}`)
    await delay(pollMs)
  }
}
