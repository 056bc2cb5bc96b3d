import pino, { type Logger } from 'pino'
import type { Configuration, ModelOverride } from '../configuration/configuration.ts'
import { databasePath } from '../open-stores.ts'
import { print, printError } from '../print.ts'
import { start } from '../start.ts'
import { stopWithLauncher } from '../stop-with-launcher.ts'
import { reasonNotOpened } from '../reason-not-opened.ts'
import type { DatabaseProcess } from './database-process.ts'
import { databaseVariable, workerVariable } from './numbers.ts'

/**
 * Serves as a single process, as the primary of several workers, or as one of the workers. Resolves with
 * the exit code; a process that serves itself resolves once it serves.
 */
export async function serve(
  configuration: Configuration,
  readModels: () => ModelOverride[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const several = configuration.server.workers > 1
  const worker = environment[workerVariable]
  if (several && worker !== undefined)
    return serveAsWorker(workerOf(configuration, Number(worker), environment[databaseVariable]), readModels)
  stopWithLauncher(environment)
  if (several) return serveAsPrimary(configuration)
  // After a failed start, the threads of an opened database would keep the process alive.
  return (await start(configuration, readModels)) ? 0 : process.exit(1)
}

function workerOf(
  configuration: Configuration,
  worker: number,
  databaseSocket: string | undefined,
): Configuration {
  return { ...configuration, worker, ...(databaseSocket !== undefined && { databaseSocket }) }
}

async function serveAsWorker(
  configuration: Configuration,
  readModels: () => ModelOverride[],
): Promise<number> {
  const { WorkerChannel } = await import('./worker.ts')
  const started = await start(configuration, readModels, new WorkerChannel())
  // After a failed start, the channel to the primary would keep the process alive.
  return started ? 0 : process.exit(1)
}

async function serveAsPrimary(configuration: Configuration): Promise<number> {
  const { Primary } = await import('./primary.ts')
  const log = pino({ base: { worker: 0 } }, pino.destination(2))
  const database = await databaseOf(configuration, log)
  if (typeof database === 'string') {
    printError(`turnpike: ${database}\n`)
    return 1
  }
  const primary = new Primary({
    count: configuration.server.workers,
    log,
    environment: database === undefined ? {} : { [databaseVariable]: database.socketPath },
    onReady: print,
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => primary.stop())
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) primary.stop()
    else primary.refreshPrices()
  })
  const code = await primary.run()
  // After the last worker has written its rows.
  await database?.stop()
  return code
}

/** The process with the embedded database, or the reason why it does not start; undefined on PostgreSQL. */
async function databaseOf(
  configuration: Configuration,
  log: Logger,
): Promise<DatabaseProcess | string | undefined> {
  if (configuration.databaseUrl !== null) return undefined
  try {
    const { DatabaseProcess } = await import('./database-process.ts')
    const { dataDir, billing } = configuration
    const options = { path: databasePath(configuration), durability: billing.durability }
    return await DatabaseProcess.start({ dataDir, options, log })
  } catch (error) {
    return reasonNotOpened(error, configuration)
  }
}
