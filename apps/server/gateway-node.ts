import { mkdirSync } from 'node:fs'
import { secretsInUse, type Gateway, type GatewayLog, type UndiciUpstreamClient } from '@turnpike/gateway'
import { DeferredManagementApi, type ManagementServices } from '@turnpike/http'
import { sandboxModels } from '@turnpike/simulators'
import { keepRequests, type Storage } from '@turnpike/storage'
import { applyPrices, buildGateway, openUpstreamClient } from './build-gateway.ts'
import type { Configuration, ModelOverride } from './configuration/configuration.ts'
import { openCredentials, type OpenCredentials } from './credentials/open-credentials.ts'
import { openDashboard } from './dashboard.ts'
import { watchDeployments } from './deployments/watch-deployments.ts'
import { openDeviceSignIns } from './identity/device-sign-ins.ts'
import { openIdentity, type Identity } from './identity/identity.ts'
import { openLimitedStores } from './limits/open-limits.ts'
import { accessOf, hooksOf, modelServices } from './management-services.ts'
import { openNotify, type OpenNotify } from './notify/open-notify.ts'
import { startUpkeep } from './nodes/start-upkeep.ts'
import { openMetering } from './nodes/node-metering.ts'
import { setAsideRows } from './nodes/set-aside-rows.ts'
import { SharedPrices } from './nodes/shared-prices.ts'
import { verifyingAll } from './nodes/verify-books.ts'
import { hostRulesOf, openServer } from './open-server.ts'
import { keepPriceHistory } from './prices/keep-history.ts'
import { openOwnKeys } from './own-keys/open-own-keys.ts'
import { PriceBook } from './prices/price-book.ts'
import { logDaysOf } from './prompt-log/open-prompt-log.ts'
import { redactingLog, type NodeLog, type RedactingLog } from './telemetry/redacting-log.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import { openTopups } from './topups/open-topups.ts'
import type { WorkerChannel } from './workers/worker.ts'

/** Unix epoch milliseconds. */
const clock = (): number => Date.now()

/** One running gateway: its stores, its pipeline and its server. */
export interface GatewayNode {
  storage: Storage
  /** Resolves with the port. */
  listen(): Promise<number>
  /** The provider's callable model with the lowest output price; undefined if there is none. */
  cheapestModelOf(provider: string): string | undefined
  /** Reads the configuration's models and the price file again; a failure is logged. */
  refreshPrices(): Promise<void>
  /** Shuts down in order: accepts no new requests, finishes streams, empties the outbox, returns leases. */
  stop(): Promise<void>
}

/**
 * Opens the stores, flushes what an earlier run left in the outbox, and builds the services.
 * @param internalSecret absent: the admin paths return 404
 * @param readModels reads the configuration's models at a refresh; absent: they stay the same
 * @param channel connects to the other workers; absent: there are none
 */
export async function openGatewayNode(
  configuration: Configuration,
  internalSecret: string | undefined,
  ownLog: NodeLog,
  readModels?: () => ModelOverride[],
  channel?: WorkerChannel,
): Promise<GatewayNode> {
  const log = redactingLog(ownLog, configuration)
  mkdirSync(configuration.dataDir, { recursive: true, mode: 0o700 })
  const credentials = credentialsOf(configuration, log)
  const { storage, limits } = await openLimitedStores(configuration, log)
  const metering = await openMetering(configuration, storage, log)
  const { nodeId, leases, outbox } = metering
  const http = await openUpstreamClient(configuration)
  const { book, prices, history } = openPrices({ configuration, http, readModels, storage, nodeId, log })
  const telemetry = await openTelemetry(configuration, { ...metering, limits, channel, log })
  const byok = openOwnKeys(configuration, { storage, log })
  const stores = { storage, limits, http, book, credentials, prices, byok }
  const parts = { ...stores, metering, log, ...metering, ...telemetry }
  const address = addressOf(configuration)
  const own = { storage, log, clock, publicUrl: address.publicUrl }
  const notify = openNotify(configuration, { ...own, nodeId })
  const gateway = buildGateway(configuration, { ...parts, notify }, log)
  const deployments = keepUpToDate(gateway, { book, configuration, http, log })
  const hooks = hooksOf(gateway, leases, outbox, storage)
  const identity = identityOf(configuration, { ...own, http, ...hooks, sendLogin: notify.sendLogin })
  const topups = await openTopups(configuration, { ...own, ...hooks })
  gateway.payLinks = topups.payLinks
  const common = { metrics: telemetry.all, clock, nodeId, logger: log }
  const services: ManagementServices = {
    ...verifyingAll(storage, configuration.dataDir),
    ...identity.services,
    ...hooks,
    ...modelServices(gateway, configuration),
    ...accessOf(configuration, internalSecret, address.publicUrl),
    ...notify.services,
    ...byok?.services,
    checkout: topups.services,
    prices,
    setAside: setAsideRows({ storage, rows: metering.rows, dataDir: configuration.dataDir }),
    ...common,
    health: () => health.report(),
  }
  const management = new DeferredManagementApi(services, (api) => openDashboard(api, identity.services))
  const { server, mcp } = openServer(configuration, { ...own, gateway, identity, management })
  const retention = retentionOf(configuration, storage, log)
  const { upkeep, health, books } = await startUpkeep({ ...parts, configuration, gateway, notify, server })

  return {
    storage,
    async listen() {
      address.port = await server.listen(configuration.server.host, configuration.server.port)
      await telemetry.listen(hostRulesOf(configuration, address.publicUrl))
      return address.port
    },
    cheapestModelOf: (provider) => cheapestModel(gateway, provider),
    refreshPrices: () => refreshPrices(prices, log),
    async stop() {
      for (const part of [deployments, book, gateway.backgroundReads]) part.close()
      await Promise.all([server.drain(), notify.stop()])
      await mcp.close()
      for (const part of [byok?.upkeep, topups, retention, books, upkeep]) await part?.stop()
      for (const part of [outbox, gateway.kept, gateway.promptLog]) await part?.close()
      await Promise.all([history.settled(), storage.leases.giveBackAll(nodeId), identity.close()])
      for (const part of [limits, credentials, telemetry, management, gateway.tokens]) await part.close()
      for (const part of [http, storage, metering.rows]) await part.close()
    },
  }
}

/** Starts minting credentials while the stores are opened, and hides them from the log. */
function credentialsOf({ providers }: Configuration, log: RedactingLog): OpenCredentials {
  const credentials = openCredentials(providers, log)
  log.hide(() => secretsInUse(credentials.byProvider))
  return credentials
}

/**
 * Applies price changes, and the deployments of the providers.
 * @returns a function that stops it
 */
function keepUpToDate(
  gateway: Gateway,
  {
    book,
    configuration,
    http: client,
    log,
  }: { book: PriceBook; configuration: Configuration; http: UndiciUpstreamClient; log: GatewayLog },
): { close(): void } {
  // Assigned together in one turn of the event loop: no request sees a catalog with the prices of another
  // one.
  book.onChange = (current) => Object.assign(gateway, applyPrices(current, configuration, gateway))
  return watchDeployments(configuration.providers, {
    client,
    log,
    onChange: (provider, found) => book.takeDeployments(provider, found),
  })
}

/** With port 0, the address is known only once the server listens. */
function addressOf({ server }: Configuration): { port: number; publicUrl: () => string } {
  const address = {
    port: server.port,
    publicUrl: () => server.publicUrl.replace(/:0$/, `:${address.port}`),
  }
  return address
}

/** Opens the prices in force, their exchange with other nodes, and the history of their changes. */
function openPrices({
  configuration,
  http: client,
  readModels,
  storage,
  nodeId,
  log,
}: {
  configuration: Configuration
  http: UndiciUpstreamClient
  readModels: (() => ModelOverride[]) | undefined
  storage: Storage
  nodeId: string
  log: GatewayLog
}) {
  const book = new PriceBook({ configuration, builtIn: sandboxModels, client, log, clock, readModels })
  const prices = new SharedPrices({ book, storage, nodeId, log })
  const history = keepPriceHistory(book, { history: storage.priceHistory, nodeId, log, clock })
  return { book, prices, history }
}

function retentionOf(configuration: Configuration, storage: Storage, log: GatewayLog) {
  return keepRequests(storage, {
    days: configuration.usage.retentionDays,
    logDays: logDaysOf(configuration),
    clock: () => Date.now(),
    onFailure: (error) => log.warn({ error: String(error) }, 'expired data could not be deleted'),
  })
}

function identityOf(
  configuration: Configuration,
  parts: {
    storage: Storage
    http: UndiciUpstreamClient
    log: GatewayLog
    clock: () => number
    publicUrl: () => string
    onKeyChanged: (keyId: string) => void
    onAccountChanged: (accountId: string) => void
    sendLogin: OpenNotify['sendLogin']
  },
): Identity {
  const { storage, http: client, ...common } = parts
  const devices = openDeviceSignIns(storage.signIns, common)
  const { accounts, organizations } = storage
  const stores = { accounts, organizations, stores: storage.identity }
  const identity = openIdentity(configuration, { ...common, ...stores, client })
  return {
    ...identity,
    services: { ...identity.services, deviceSignIns: devices.services },
    async close() {
      devices.close()
      await identity.close()
    },
  }
}

function cheapestModel({ catalog, prices }: Gateway, provider: string): string | undefined {
  const models = catalog.models.filter(
    (model) => model.upstreams[0]?.provider === provider && prices.has(model.id),
  )
  const price = (id: string): number => Number(prices.get(id)?.pricing.completion)
  return models.toSorted((a, b) => price(a.id) - price(b.id))[0]?.id
}

async function refreshPrices(prices: SharedPrices, log: GatewayLog): Promise<void> {
  try {
    await prices.refresh()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.error({ error: reason }, 'the prices could not be refreshed: the old ones stay in use')
  }
}
