import { worstCase, type SpendBook, type PriceTable } from '@turnpike/billing'
import { vendorFormats } from '@turnpike/dialects'
import {
  AutoRouter,
  CandidateBook,
  CandidateOrder,
  HealthBook,
  KeptAnswers,
  BackgroundReads,
  Ticker,
  TokenCounter,
  UndiciUpstreamClient,
  UpstreamFailure,
  mediaSlots,
  type Gateway,
  type GatewayLog,
  type Outbox,
  type RequestObserver,
  type UpstreamClient,
} from '@turnpike/gateway'
import { KnownKeys } from '@turnpike/identity'
import { sandboxClient } from '@turnpike/simulators'
import type { Storage } from '@turnpike/storage'
import type { Provider } from '@turnpike/vendors'
import type { PricedCatalog } from './build-catalog.ts'
import type { Configuration } from './configuration/configuration.ts'
import type { OpenCredentials } from './credentials/open-credentials.ts'
import type { OpenLimits } from './limits/open-limits.ts'
import type { OpenOwnKeys } from './own-keys/open-own-keys.ts'
import { keyRefusals } from './notify/key-refusals.ts'
import type { OpenNotify } from './notify/open-notify.ts'
import type { PriceBook } from './prices/price-book.ts'
import { promptLogOf } from './prompt-log/open-prompt-log.ts'

/** Builds the `Gateway` that the pipeline's steps receive. */
export function buildGateway(
  configuration: Configuration,
  {
    storage,
    limits,
    leases,
    outbox,
    http,
    book,
    credentials: { byProvider: credentials },
    observer,
    notify,
    byok,
  }: {
    storage: Storage
    limits: OpenLimits
    leases: SpendBook
    outbox: Outbox
    http: UndiciUpstreamClient
    book: PriceBook
    credentials: Pick<OpenCredentials, 'byProvider'>
    observer: RequestObserver
    notify: Pick<OpenNotify, 'watch'>
    byok: Pick<OpenOwnKeys, 'ownKeys'> | undefined
  },
  log: GatewayLog,
): Gateway {
  const health = new HealthBook(configuration.routing.breaker ?? undefined, keyRefusals(notify.watch))
  const auto = new AutoRouter(configuration.routing.auto, (candidates, accountId) =>
    candidates.some((candidate) => candidate.health.state(performance.now(), accountId) !== 'open'),
  )
  const logFailure = (message: string) => (error: unknown) => log.warn({ error: String(error) }, message)
  const ownKeys = byok?.ownKeys
  return {
    keys: new KnownKeys(storage.apiKeys, logFailure('a known key could not be refreshed')),
    ...applyPrices(book.current, configuration, { auto, health, credentials, ownKeys }),
    credentials,
    ownKeys,
    auto,
    health,
    order: new CandidateOrder(configuration.routing.order),
    clients: clientsOf(configuration.providers, http),
    limiter: limits.limiter,
    leases,
    outbox,
    onBudgetRefused: (budgetId, neededPico) => notify.watch.noteRefusal(budgetId, neededPico),
    kept: openKeptAnswers(configuration, storage, log),
    promptLog: promptLogOf(configuration, storage, log),
    observer,
    tokens: new TokenCounter(logFailure('the token counter failed')),
    ticker: new Ticker(),
    backgroundReads: new BackgroundReads(configuration.billing.readOnMs),
    media: { places: mediaSlots() },
    log,
    settings: { maxBodyBytes: configuration.server.maxBodyBytes, markup: configuration.billing.markup },
  }
}

/** Undefined if no answers are kept. */
function openKeptAnswers(
  { responses, databaseUrl, worker }: Configuration,
  storage: Storage,
  log: GatewayLog,
): KeptAnswers | undefined {
  if (responses === null) return undefined
  const isShared = databaseUrl !== null || worker !== undefined
  return new KeptAnswers(storage.keptAnswers, { ...responses, isShared }, log)
}

/** What requests see of models and prices. It is replaced as a whole, never in part. */
export function applyPrices(
  { catalog, prices }: PricedCatalog,
  configuration: Configuration,
  { auto, health, credentials, ownKeys }: Pick<Gateway, 'auto' | 'health' | 'credentials' | 'ownKeys'>,
): Pick<Gateway, 'catalog' | 'prices' | 'freeModels' | 'candidates'> {
  const providers = new Map(configuration.providers.map((provider) => [provider.name, provider]))
  const { markup } = configuration.billing
  const candidates = new CandidateBook({ prices, providers, credentials, markup, health, ownKeys })
  auto.use(catalog, candidates)
  return { catalog, prices, freeModels: freeOf(prices), candidates }
}

/** Tokens of a sample request; a model is free if a request of this size costs nothing. */
const someTokens = 1_000

function freeOf(prices: ReadonlyMap<string, PriceTable>): string[] {
  const free = Array.from(prices).filter(([, table]) => worstCase(table, someTokens, someTokens) === 0n)
  return free.map(([id]) => id)
}

/** Loads what the formats of these providers need at run time. No other installation pays for it at start. */
async function loadFormats(providers: readonly Provider[]): Promise<void> {
  const formats = new Set(
    providers.flatMap(({ format, providersByFormat }) => [
      format,
      ...Object.values(providersByFormat ?? {}).map((one) => one.format),
    ]),
  )
  for (const format of formats) await vendorFormats[format].load?.()
}

/** All vendors that are reached over HTTP share one client and its connection pools. */
function clientsOf(providers: readonly Provider[], http: UndiciUpstreamClient): Map<string, UpstreamClient> {
  const sandbox = sandboxClient({ Failure: UpstreamFailure })
  return new Map(providers.map(({ name, style }) => [name, style === 'sandbox' ? sandbox : http]))
}

/** Opens the client that all vendors share, after loading what their formats need. */
export async function openUpstreamClient(configuration: Configuration): Promise<UndiciUpstreamClient> {
  await loadFormats(configuration.providers)
  return upstreamClientOf(configuration)
}

export function upstreamClientOf({ overload }: Configuration): UndiciUpstreamClient {
  return new UndiciUpstreamClient(undefined, {
    connectionsPerOrigin: overload.maxUpstreamConnections,
    waitingPerOrigin: overload.maxUpstreamWaiting,
  })
}
