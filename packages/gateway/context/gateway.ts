import type { PayLinks, PriceTable, SpendBook } from '@turnpike/billing'
import type { KnownKeys } from '@turnpike/identity'
import type { Limiter } from '@turnpike/limits'
import type { Catalog } from '@turnpike/vendors'
import type { AutoRouter } from '../auto/auto-router.ts'
import type { CandidateBook } from '../candidates/candidate-book.ts'
import type { CandidateOrder } from '../candidates/candidate-order.ts'
import type { HealthBook } from '../candidates/health/health-book.ts'
import type { OwnKeys } from '../candidates/own-keys.ts'
import type { KeptAnswers } from '../kept/kept-answers.ts'
import type { PromptLog } from '../prompt-log/prompt-log.ts'
import type { Outbox } from '../records/outbox.ts'
import type { GatewayLog } from '../services/log.ts'
import type { BackgroundReads } from '../services/background-reads.ts'
import type { Ticker } from '../services/ticker.ts'
import type { TokenCounter } from '../services/token-counter.ts'
import type { UpstreamClient } from '../upstream/client.ts'
import type { Credentials } from '../upstream/credentials/key-credentials.ts'
import type { MediaReader } from '../upstream/media/media-reader.ts'
import type { RequestObserver } from './request-observer.ts'

/** The services that the steps of the pipeline use. The composition root builds them once, at start. */
export interface Gateway {
  keys: KnownKeys
  catalog: Catalog
  /** By model id; a model without an entry cannot be called. */
  prices: ReadonlyMap<string, PriceTable>
  /** Identifiers of the models that cost nothing. */
  freeModels: readonly string[]
  candidates: CandidateBook
  /** The order in which to try the candidates of a model. */
  order: CandidateOrder
  health: HealthBook
  /** Absent if accounts cannot bring their own keys. */
  ownKeys?: OwnKeys | undefined
  /** By provider. Made once, since minted tokens outlive catalogs and prices. */
  credentials: Credentials
  /** Chooses the model if the caller requests `auto`. */
  auto: AutoRouter
  /** The HTTP client of each provider, by the provider's name. */
  clients: ReadonlyMap<string, UpstreamClient>
  limiter: Limiter
  leases: SpendBook
  outbox: Outbox
  /** Links to a checkout, for 402 errors. Absent if nothing can be bought here. */
  payLinks?: Pick<PayLinks, 'of'> | undefined
  /** Called each time that a budget rejects a request; must not wait. */
  onBudgetRefused?: ((budgetId: string, neededPico: bigint) => void) | undefined
  /** Absent if no answers are kept. */
  kept?: KeptAnswers | undefined
  /** Absent if no prompts are kept, whatever the caller wants. */
  promptLog?: PromptLog | undefined
  observer: RequestObserver
  tokens: TokenCounter
  ticker: Ticker
  /** Answers that are read to their end after their clients have left. */
  backgroundReads: BackgroundReads
  /** Limits how much media is fetched from callers' addresses at a time, and which addresses are allowed. */
  media: Pick<MediaReader, 'places' | 'rules'>
  log: GatewayLog
  settings: GatewaySettings
}

export interface GatewaySettings {
  maxBodyBytes: number
  /** The operator's factor on every price, as a decimal string. */
  markup: string
}
