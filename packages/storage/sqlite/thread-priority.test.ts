import { once } from 'node:events'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'

const module = new URL('./thread-priority.ts', import.meta.url).href

/** The priority of a thread of this process: the 19th field of `proc_pid_stat(5)`. */
function priorityOf(thread: string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

describe.skipIf(process.platform !== 'linux')("a thread's priority", () => {
  it('is lowered for that thread only', async () => {
    const own = basename(readlinkSync('/proc/thread-self'))
    const before = priorityOf(own)
    const worker = new Worker(
      `import(${JSON.stringify(module)}).then(({ stepBehindRequests }) => {
        const { parentPort } = require('node:worker_threads')
        const could = stepBehindRequests()
        parentPort.postMessage([could, require('node:fs').readlinkSync('/proc/thread-self')])
        parentPort.on('message', () => process.exit())
      })`,
      { eval: true },
    )
    const [[could, path]] = (await once(worker, 'message')) as [[boolean, string]]
    expect(could).toBe(true)
    expect(priorityOf(basename(path))).toBe(before + 5)
    expect(priorityOf(own)).toBe(before)
    await worker.terminate()
  })
})
