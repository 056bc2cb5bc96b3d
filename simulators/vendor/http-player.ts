import type { ServerResponse } from 'node:http'
import type { Performance } from './journal.ts'
import type { ScriptStep } from './script.ts'

/** Plays a script on a socket; resolves once nothing more will happen for this request. */
export async function playOverHttp(performance: Performance, response: ServerResponse): Promise<void> {
  const { script, watcher } = performance
  const closed = new Promise<'closed'>((resolve) => response.once('close', () => resolve('closed')))
  response.socket?.setNoDelay(true)
  for (const step of script.steps) {
    if (response.destroyed) break
    switch (step.type) {
      case 'head':
        response.writeHead(script.status, script.headers)
        response.flushHeaders()
        watcher?.headSent()
        break
      case 'delay':
        await wait(step.delayMs, closed)
        break
      case 'bytes':
        await Promise.race([write(response, step), closed])
        if (!response.destroyed) watcher?.recordSent(step.bytes.length, step.tokens)
        break
      case 'hang':
        await closed
        break
      case 'reset':
        // Waits a turn of the event loop, so that the RST does not overtake what was written.
        await wait(0, closed)
        response.socket?.resetAndDestroy()
        watcher?.recordClosed('reset')
        return
      case 'end':
        await end(response, closed)
        watcher?.recordClosed(response.writableFinished || !response.headersSent ? 'ended' : 'client-closed')
        return
    }
  }
  watcher?.recordClosed('client-closed')
}

/** Without a head there is no response to end, so it closes the connection. */
async function end(response: ServerResponse, closed: Promise<unknown>): Promise<void> {
  if (response.headersSent) response.end()
  else response.socket?.end()
  await closed
}

/** Resolves when the kernel has taken the bytes, so a client that stops reading stops the vendor too. */
async function write(response: ServerResponse, step: ScriptStep & { type: 'bytes' }): Promise<void> {
  await new Promise<void>((resolve) => response.write(step.bytes, () => resolve()))
}

async function wait(delayMs: number, closed: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | NodeJS.Immediate
  const elapsed = new Promise<void>((resolve) => {
    timer = delayMs === 0 ? setImmediate(resolve) : setTimeout(resolve, delayMs)
  })
  await Promise.race([elapsed, closed])
  if (delayMs > 0) clearTimeout(timer! as NodeJS.Timeout)
}
