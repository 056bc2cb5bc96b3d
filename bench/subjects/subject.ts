import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../child.ts'
import type { Target } from '../client/load.ts'
import type { Shape } from '../client/request-bytes.ts'
import { processUse, type ProcessUse } from '../process-table.ts'

/** Something that stands before the load server and is measured. */
export interface Subject {
  name: string
  /** What it is, for the table's legend. */
  description: string
  /** Absent: the full one. */
  load?: Load
  /** Starts it, on what an earlier start has left behind; resolves once it answers. */
  start(): Promise<RunningSubject>
  /** Deletes its data, where it keeps any. */
  remove?(): void
}

/** What a subject is asked for at a time. An event or a stream hardly costs more where there are many. */
export interface Load {
  /** Of 20 events a second each. */
  steadyStreams: number
  silentStreams: number
  /** False where 500 requests a second are more than it can serve: its answers would only wait. */
  isPaced: boolean
}

export const fullLoad: Load = { steadyStreams: 500, silentStreams: 1_000, isPaced: true }

export interface RunningSubject {
  pid: number
  port: number
  /** From the process's start to its first good answer. */
  startUpMs: number
  target: (shape: Shape) => Target
  use: () => ProcessUse
  /** Makes a JavaScript engine give back what it no longer needs; nothing where there is none. */
  settle(): Promise<void>
  stop(): Promise<void>
}

const pollMs = 5
const startTimeoutMs = 30_000
/** Two collections, since the first may leave what the second can take, and time for the pages to go back. */
const settleMs = 400

/** Run before the subject's own module: collects garbage whenever it is signalled. */
const collector = new URL('../peers/collect-on-signal.ts', import.meta.url).href

/** How Node runs a subject: with its defaults, and a way to settle its memory. */
export const nodeArguments = ['--expose-gc', '--import', collector]

export async function runningSubject(options: {
  child: Child
  port: number
  /** A path that is answered as soon as it can serve. */
  readyPath: string
  isNode: boolean
  target: (shape: Shape) => Target
}): Promise<RunningSubject> {
  const { child, port, readyPath, isNode, target } = options
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
    stop: () => child.stop(),
  }
}

/** When the first answer below 500 came, on the clock of `performance.now()`. */
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
