import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'

const module = new URL('./thread-priority.ts', import.meta.url).href

/** Priorities of this process's threads, by thread: the 19th field of `proc_pid_stat(5)`. */
function priorities(): Map<string, number> {
  const found = new Map<string, number>()
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    found.set(thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
  }
  return found
}

describe.skipIf(process.platform !== 'linux')("a thread's priority", () => {
  it('is lowered for that thread alone', async () => {
    const before = priorities()
    const worker = new Worker(
      `import(${JSON.stringify(module)}).then(({ stepBehindRequests }) => {
        const { parentPort } = require('node:worker_threads')
        parentPort.postMessage(stepBehindRequests())
        parentPort.on('message', () => process.exit())
      })`,
      { eval: true },
    )
    expect(await once(worker, 'message')).toEqual([true])
    const lowered = [...priorities()].filter(([, priority]) => priority === getPriority() + 5)
    expect(lowered).toHaveLength(1)
    expect(before.has(lowered[0]![0])).toBe(false)
    await worker.terminate()
  })
})
