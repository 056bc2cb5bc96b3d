import { relative } from 'node:path'
import pino from 'pino'
import packageManifest from '../../package.json' with { type: 'json' }
import type { Configuration, ModelOverride } from './configuration/configuration.ts'
import { banner } from './first-run/banner.ts'
import { ensureDemoAccount, findActiveDemo, type Demo } from './first-run/demo.ts'
import { internalSecretOf, isExposed, refusalToExpose } from './first-run/exposure.ts'
import { openGatewayNode, type GatewayNode } from './gateway-node.ts'
import { print, printError } from './print.ts'
import { reasonNotOpened } from './reason-not-opened.ts'
import { releaseStartMemory } from './release-start-memory.ts'
import { redactingLog, type NodeLog } from './telemetry/redacting-log.ts'
import type { WorkerChannel } from './workers/worker.ts'

/**
 * Builds the services, listens, and prints the banner. Resolves once the server listens; a signal ends the
 * process.
 * @param readModels reads the configuration's models again when prices are refreshed
 * @param channel a worker's channel to the primary, which then prints the banner
 * @returns false if the gateway must not or cannot serve; the reason has been printed
 */
export async function start(
  configuration: Configuration,
  readModels: () => ModelOverride[],
  channel?: WorkerChannel,
): Promise<boolean> {
  const early = refusalToExpose(configuration, undefined)
  if (early !== undefined) return refuse(early)
  const { worker } = configuration
  const ownLog = pino({ base: worker === undefined ? null : { worker } }, pino.destination(2))
  const log = redactingLog(ownLog, configuration)
  endOnUnexpectedErrors(log)
  const node = await tryOpenNode(configuration, ownLog, readModels, channel)
  if (typeof node === 'string') return refuse(node)
  const demo = await demoOf(configuration, node)
  const refusal = refusalToExpose(configuration, demo)
  if (refusal !== undefined) {
    await node.stop()
    return refuse(refusal)
  }
  const port = await listening(node, configuration)
  if (typeof port === 'string') {
    await node.stop()
    return refuse(port)
  }
  stopOnSignals(node, log)
  const text = bannerOf(configuration, port, node, demo)
  if (channel === undefined) print(text)
  else channel.ready(text)
  releaseStartMemory(log)
  return true
}

/** The node, or the reason why it could not be opened. */
async function tryOpenNode(
  configuration: Configuration,
  log: NodeLog,
  readModels: () => ModelOverride[],
  channel: WorkerChannel | undefined,
): Promise<GatewayNode | string> {
  try {
    return await openGatewayNode(configuration, internalSecretOf(configuration), log, readModels, channel)
  } catch (error) {
    return reasonNotOpened(error, configuration)
  }
}

/** The port, or the reason why it cannot listen on its address. */
async function listening(node: GatewayNode, { server }: Configuration): Promise<number | string> {
  try {
    return await node.listen()
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    const address = `${server.host}:${server.port}`
    if (code === 'EADDRINUSE') return `${address} is in use by another program: set server.port to a free one`
    return `cannot listen on ${address}: ${message}`
  }
}

function refuse(reason: string): false {
  printError(`turnpike: ${reason}\n`)
  return false
}

/**
 * On one's own machine, creates the demo account. If the gateway is exposed, only looks for an earlier one,
 * so that the start can be refused.
 */
function demoOf(configuration: Configuration, { storage }: GatewayNode): Promise<Demo | undefined> {
  if (isExposed(configuration)) return findActiveDemo(storage.apiKeys, configuration.dataDir)
  return ensureDemoAccount(storage, configuration.dataDir, Date.now())
}

function bannerOf(
  configuration: Configuration,
  port: number,
  node: GatewayNode,
  demo: Demo | undefined,
): string {
  const providers = configuration.providers.map((provider) => provider.name)
  const vendor = configuration.providers.find((provider) => provider.style !== 'sandbox')
  return banner({
    version: packageManifest.version,
    // With port 0, the address is known only now.
    publicUrl: configuration.server.publicUrl.replace(/:0$/, `:${port}`),
    dataDir: relative(process.cwd(), configuration.dataDir) || '.',
    database: configuration.databaseUrl === null ? 'SQLite' : 'PostgreSQL',
    workers: configuration.server.workers,
    file: configuration.file,
    providers,
    demoKey: demo?.raw,
    hasSandbox: providers.includes('sandbox'),
    vendorModel: vendor === undefined ? undefined : node.cheapestModelOf(vendor.name),
    internalSecretFile:
      configuration.admin.internalSecret === null
        ? relative(process.cwd(), `${configuration.dataDir}/internal_secret`)
        : undefined,
    warnings: configuration.warnings,
  })
}

/**
 * The first signal stops the gateway gracefully. Further ones, as a terminal and npm may send, do nothing.
 */
function stopOnSignals(node: GatewayNode, log: NodeLog): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping: waiting for requests in progress')
    node.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: String(error) }, 'stopped uncleanly: the rest is flushed on the next start')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A terminal sends it when it is closed. For a service it means: read the configuration again.
  process.on('SIGHUP', (signal) => {
    if (process.stdin.isTTY) stop(signal)
    else void node.refreshPrices()
  })
}

/** After an unexpected error the process ends, because the outbox holds charges that must not be lost. */
function endOnUnexpectedErrors(log: NodeLog): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ error: error.stack ?? String(error) }, 'unexpected error')
    process.exit(1)
  })
}
