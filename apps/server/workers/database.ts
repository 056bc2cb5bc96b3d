import { DatabaseServer } from '@turnpike/storage/database-server'
import type { FromDatabase, ToDatabase } from './messages.ts'

/**
 * The process that has the embedded database for all workers. It ends when the primary stops it or is gone.
 * It ignores signals, because a service manager may signal all processes at once, and the workers still
 * have to write their rows.
 */

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

let server: DatabaseServer | undefined

process.on('message', (message: ToDatabase) => {
  if (message.kind === 'stop') void end()
  else void open(message.options)
})
process.once('disconnect', () => void end())

async function open(options: Extract<ToDatabase, { kind: 'open' }>['options']): Promise<void> {
  try {
    server = await DatabaseServer.start(options)
    tell({ kind: 'listening' })
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException
    tell({ kind: 'failed', message, code, syscall }, () => process.exit(1))
  }
}

async function end(): Promise<void> {
  await server?.close()
  process.exit(0)
}

/** If the primary is gone, this process ends as well. */
function tell(message: FromDatabase, onTold?: () => void): void {
  if (process.connected) process.send?.(message, undefined, undefined, onTold)
}
