import pino from 'pino'
import type { Configuration, ModelOverride } from '../configuration/configuration.ts'
import { print, printError } from '../print.ts'
import { start } from '../start.ts'
import { stopWithLauncher } from '../stop-with-launcher.ts'
import { refusalOfWorkers, workerVariable } from './numbers.ts'

/**
 * Serves as one process, or as the primary of several, or as one of these; resolves with the exit code, of a
 * process that serves itself once it does.
 */
export async function serve(
  configuration: Configuration,
  readModels: () => ModelOverride[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const refusal = refusalOfWorkers(configuration)
  if (refusal !== undefined) {
    printError(`turnpike: ${refusal}\n`)
    return 1
  }
  const several = configuration.server.workers > 1
  const worker = environment[workerVariable]
  if (several && worker !== undefined)
    return serveAsWorker({ ...configuration, worker: Number(worker) }, readModels)
  stopWithLauncher(environment)
  if (several) return serveAsPrimary(configuration)
  // Threads of a database that was opened would keep a process that serves nothing.
  return (await start(configuration, readModels)) ? 0 : process.exit(1)
}

async function serveAsWorker(
  configuration: Configuration,
  readModels: () => ModelOverride[],
): Promise<number> {
  const { WorkerChannel } = await import('./worker.ts')
  const started = await start(configuration, readModels, new WorkerChannel())
  // The channel to the primary would keep the process.
  return started ? 0 : process.exit(1)
}

async function serveAsPrimary(configuration: Configuration): Promise<number> {
  const { Primary } = await import('./primary.ts')
  const log = pino({ base: { worker: 0 } }, pino.destination(2))
  const primary = new Primary({ count: configuration.server.workers, log, onReady: print })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => primary.stop())
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) primary.stop()
    else primary.refreshPrices()
  })
  return primary.run()
}
