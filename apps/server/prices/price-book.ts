import { createHash } from 'node:crypto'
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PriceList } from '@turnpike/billing'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { GatewayLog, UpstreamClient } from '@turnpike/gateway'
import type { PriceReport, PriceService } from '@turnpike/http'
import { PriceFileError, type CatalogModel } from '@turnpike/vendors'
import { buildCatalog, type ModelSources, type PricedCatalog } from '../build-catalog.ts'
import type { Configuration, ModelOverride } from '../configuration/configuration.ts'
import type { Deployment } from '../deployments/list-deployments.ts'
import { withDeployments } from '../deployments/with-deployments.ts'
import { changesBetween, type Changes } from './changes.ts'
import { download } from './download.ts'
import { priceListOf, sourceOf } from './price-list.ts'
import { gatherSources, parsePriceFile, type GatheredSources } from './model-sources.ts'

/** In `data_dir`, unless the configuration names another file. */
const standardFile = 'prices.json'
/** A timer cannot run longer than 24 days, and clocks get adjusted: prices are checked at least so often. */
const longestWaitMs = 3_600_000

export interface PriceBookOptions {
  configuration: Pick<Configuration, 'providers' | 'models' | 'prices' | 'dataDir' | 'billing'>
  /** Models that need no vendor, such as the sandbox's. Those of providers that do not exist are left out. */
  builtIn: readonly CatalogModel[]
  client: UpstreamClient
  log: GatewayLog
  /** Unix epoch milliseconds. */
  clock: () => number
  /**
   * Reads the configuration's models again; absent: they stay as at the start.
   * @throws {GatewayError} 400 with the mistakes in the configuration
   */
  readModels?: (() => ModelOverride[]) | undefined
}

/**
 * The models and prices in force. They change as a whole: at a refresh, and when a time-limited price
 * begins or ends. A catalog that was handed out never changes, so a request keeps the prices with which it
 * started.
 */
export class PriceBook implements PriceService {
  readonly #options: PriceBookOptions
  readonly #priceFile: string
  /** Called with each new catalog, in the turn of the event loop in which it takes effect. */
  onChange: (current: PricedCatalog) => void = () => undefined
  /** Called after each refresh, and after each change of prices by the clock. */
  onTaken: () => void = () => undefined
  #gathered: GatheredSources
  readonly #deployed = new Map<string, readonly Deployment[]>()
  #current: PricedCatalog
  #changes: Changes = { changedModels: 0, noticeable: [] }
  #refreshing: Promise<PriceReport> | undefined
  #updatedAtMs: number
  #scheduled: NodeJS.Timeout | undefined
  readonly #downloads: NodeJS.Timeout | undefined

  /** @throws {PriceFileError} the existing price file cannot be used */
  constructor(options: PriceBookOptions) {
    this.#options = options
    const { prices, dataDir } = options.configuration
    this.#priceFile = prices.file ?? join(dataDir, standardFile)
    this.#gathered = this.#gather(options.configuration.models)
    this.#updatedAtMs = options.clock()
    this.#current = buildCatalog(this.#sources, this.#updatedAtMs)
    this.#tellProblems()
    this.#schedule()
    if (prices.url !== null) this.#downloads = this.#scheduleDownloads(prices.refreshMs)
  }

  get current(): PricedCatalog {
    return this.#current
  }

  /**
   * Reads the configuration's models and the price file again, after downloading the file if it has an
   * address. On an error, everything stays as it was.
   * @throws {GatewayError} 400 for a mistake in the configuration or the file, 502 for a failed download
   */
  refresh(): Promise<PriceReport> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined))
    return this.#refreshing
  }

  report(): PriceReport {
    const { catalog, prices } = this.#current
    const { name, problems } = this.#gathered
    const notCharged = this.#sources.offers.flatMap(({ provider, models }) =>
      models
        .filter((model) => (model.notCharged?.length ?? 0) > 0)
        .map((model) => ({ model: `${provider.name}/${model.id}`, prices: model.notCharged! })),
    )
    return {
      version: this.#version(),
      source: name,
      updated_at: Math.floor(this.#updatedAtMs / 1000),
      models: catalog.models.length,
      changed_models: this.#changes.changedModels,
      changes: this.#changes.noticeable,
      unpriced: catalog.models.filter(({ id }) => !prices.has(id)).map(({ id }) => id),
      problems,
      not_charged: notCharged,
    }
  }

  /** All prices in force, and where they come from. */
  list(): { version: string; prices: PriceList; sourceOf: (model: string) => string } {
    const sources = this.#sources
    const prices = priceListOf(sources, this.#options.clock())
    return { version: this.#version(), prices, sourceOf: sourceOf(sources, this.#gathered.name) }
  }

  /** Applies the list of a provider's deployments, with the prices in force. */
  takeDeployments(provider: string, deployments: readonly Deployment[]): void {
    this.#deployed.set(provider, deployments)
    this.#bringIntoForce(buildCatalog(this.#sources, this.#options.clock()))
  }

  get #sources(): ModelSources {
    return withDeployments(this.#gathered.sources, this.#deployed)
  }

  close(): void {
    clearTimeout(this.#scheduled)
    clearInterval(this.#downloads)
  }

  async #refresh(): Promise<PriceReport> {
    const { configuration, readModels, clock, log } = this.#options
    if (configuration.prices.url !== null) await this.#download(configuration.prices.url)
    const gathered = this.#gatherAgain(readModels?.() ?? configuration.models)
    const nowMs = clock()
    // Both at the same time, so that a change by the clock does not count as a change of the price data.
    const before = buildCatalog(this.#sources, nowMs)
    this.#gathered = gathered
    const after = buildCatalog(this.#sources, nowMs)
    this.#changes = changesBetween(before, after)
    this.#updatedAtMs = nowMs
    this.#bringIntoForce(after)
    this.#tellProblems()
    for (const change of this.#changes.noticeable)
      log.warn({ ...change }, 'a price changed by more than 20 %')
    return this.report()
  }

  #bringIntoForce(current: PricedCatalog): void {
    this.#current = current
    this.onChange(current)
    this.onTaken()
    this.#schedule()
  }

  #gather(overrides: readonly ModelOverride[]): GatheredSources {
    const { configuration, builtIn } = this.#options
    const { file, url } = configuration.prices
    if (file !== null && url === null && !existsSync(file))
      throw new PriceFileError(`prices.file names ${file}, which does not exist`)
    const names = new Set(configuration.providers.map(({ name }) => name))
    return gatherSources(configuration.providers, {
      priceFile: this.#priceFile,
      builtIn: builtIn.filter((model) => model.upstreams.some(({ provider }) => names.has(provider))),
      overrides,
      markup: configuration.billing.markup,
    })
  }

  #gatherAgain(overrides: readonly ModelOverride[]): GatheredSources {
    try {
      return this.#gather(overrides)
    } catch (error) {
      if (error instanceof PriceFileError) throw invalidRequest(undefined, error.message)
      throw error
    }
  }

  /** Replaces the file only with a valid one, because a restart must not fail on it. */
  async #download(url: string): Promise<void> {
    let text: string
    try {
      text = await download(url, this.#options.client)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new GatewayError('upstream_error', `The prices could not be downloaded: ${reason}`, { cause })
    }
    try {
      parsePriceFile(text, url)
    } catch (error) {
      if (error instanceof PriceFileError) throw invalidRequest(undefined, error.message)
      throw error
    }
    // Workers of one machine share the file, and may download at the same time.
    const unfinished = `${this.#priceFile}.${process.pid}.new`
    writeFileSync(unfinished, text, { mode: 0o600 })
    renameSync(unfinished, this.#priceFile)
  }

  #schedule(): void {
    clearTimeout(this.#scheduled)
    const { nextChangeMs } = this.#current
    if (nextChangeMs === Infinity) return
    const waitMs = Math.max(0, nextChangeMs - this.#options.clock())
    this.#scheduled = setTimeout(
      () => this.#bringIntoForce(buildCatalog(this.#sources, this.#options.clock())),
      Math.min(waitMs, longestWaitMs),
    )
    this.#scheduled.unref()
  }

  #scheduleDownloads(everyMs: number): NodeJS.Timeout {
    const refresh = (): void => {
      this.refresh().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        this.#options.log.error(
          { error: reason },
          'the prices could not be refreshed: the old ones stay in use',
        )
      })
    }
    const ageMs = existsSync(this.#priceFile)
      ? this.#options.clock() - statSync(this.#priceFile).mtimeMs
      : Infinity
    if (ageMs >= everyMs) setImmediate(refresh)
    return setInterval(refresh, everyMs).unref()
  }

  #tellProblems(): void {
    for (const problem of this.#gathered.problems)
      this.#options.log.warn({ problem }, 'a price could not be applied: the packaged price stays in use')
  }

  /** The version of the data, not of the moment: prices that depend on the time of day keep it. */
  #version(): string {
    const { offers, builtIn, overrides, markup } = this.#gathered.sources
    const offered = offers.map(({ provider, models }) => [
      provider.name,
      models.map((one) => [one.id, one.prices]),
    ])
    const own = [...builtIn, ...overrides].map((model) => [model.id, model.pricing ?? null])
    const hash = createHash('sha256')
      .update(JSON.stringify([offered, own, markup]))
      .digest('hex')
    return `prices_${this.#gathered.date}_${hash.slice(0, 12)}`
  }
}
