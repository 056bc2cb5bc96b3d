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

/** What the steps of the pipeline are given: built once, at start, by the composition root. */
export interface Gateway {
  keys: KnownKeys
  catalog: Catalog
  /** By model id; a model without an entry is not callable. */
  prices: ReadonlyMap<string, PriceTable>
  /** Identifiers of the models that cost nothing. */
  freeModels: readonly string[]
  candidates: CandidateBook
  /** In which order the candidates of one model are asked. */
  order: CandidateOrder
  health: HealthBook
  /** Absent: accounts bring no keys of their own. */
  ownKeys?: OwnKeys | undefined
  /** By provider: made once, since what was minted outlives catalogs and prices. */
  credentials: Credentials
  /** Chooses the model where the caller asks for `auto`. */
  auto: AutoRouter
  /** The client that reaches a provider, by the provider's name. */
  clients: ReadonlyMap<string, UpstreamClient>
  limiter: Limiter
  leases: SpendBook
  outbox: Outbox
  /** Links to a checkout, which 402s tell. Absent: nothing can be bought here. */
  payLinks?: Pick<PayLinks, 'of'> | undefined
  /** Told each time that a budget refuses a request; it must not wait. Absent: nobody is told. */
  onBudgetRefused?: ((budgetId: string, neededPico: bigint) => void) | undefined
  /** Absent: no answers are kept. */
  kept?: KeptAnswers | undefined
  /** Absent: no prompts are kept, whoever wants it. */
  promptLog?: PromptLog | undefined
  observer: RequestObserver
  tokens: TokenCounter
  ticker: Ticker
  /** Answers that are read though their clients have left. */
  backgroundReads: BackgroundReads
  /** Who may read media from their addresses now, and from where. */
  media: Pick<MediaReader, 'places' | 'rules'>
  log: GatewayLog
  settings: GatewaySettings
}

export interface GatewaySettings {
  maxBodyBytes: number
  /** The operator's factor on every price, a decimal string. */
  markup: string
}
