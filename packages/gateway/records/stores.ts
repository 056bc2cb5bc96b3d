import type { LeaseState } from '@turnpike/billing'
import type { Endpoint, Operation, Outcome } from '@turnpike/protocol'
import type { RequestRecord } from './request-record.ts'

/** Where finished requests end up; implemented by `packages/storage` on both engines. */
export interface RequestStore {
  /**
   * Writes request rows, their tags and prices, the `usage` transfer of each charge above zero, and takes
   * the charge off the node's lease of the key: all in one transaction. A request id that is already
   * stored is left as it is, so a batch may be sent again after any failure.
   *
   * The charge is posted to the credit account of the key that pays. If that was revoked meanwhile, its
   * leases pay, and what they leave above or below zero moves on to where its credit went
   * (docs/contract.md, 4.3).
   *
   * @throws where the store is out of reach; then nothing was written, or all of it
   */
  write(nodeId: string, records: readonly RequestRecord[]): Promise<WrittenRequests>
  /**
   * The same of records as the outbox keeps them: a `recordToPayload` a line, in UTF-8. The bytes may be
   * taken.
   */
  writeLines(nodeId: string, lines: Uint8Array<ArrayBuffer>): Promise<WrittenRequests>
}

export interface WrittenRequests {
  /** Records that the database refuses for good; all others of the batch are in. */
  refused: RefusedRecord[]
  /** By key, and by lease of a budget: the charges of the batch, also of records that were there already. */
  chargedPico: Map<string, bigint>
  /** By key: what newly written charges took beyond this node's lease; the key itself has paid it. */
  uncoveredPico: Map<string, bigint>
  /**
   * Keys with leases of accounts of which more is leased now than they have. Whoever holds some of it idle is
   * told to give it back.
   */
  overdrawn: string[]
  /** By key or lease of a budget that was charged: this node's lease, afterwards. */
  leases: Map<string, LeaseState>
  /** Budgets that newly written requests counted in. */
  countedBudgets: string[]
  /** Accounts that newly written requests were charged to. */
  chargedAccounts: string[]
}

export interface RefusedRecord {
  /** Of the outbox. */
  payload: string
  /** Null where the payload cannot be read. */
  requestId: string | null
  message: string
}

export const usageDimensions = [
  'tag',
  'model',
  'key',
  'member',
  'project',
  'day',
  'hour',
  'provider',
  'tier',
  'endpoint',
  'operation',
] as const

/**
 * What usage is broken down by. `tag:team` is a dimension that callers made: the values of their tags
 * `team:…`. A request has one value of it at the most, so that its groups add up to what there was; of
 * several such tags the first in the order of their texts counts.
 */
export type UsageDimension = (typeof usageDimensions)[number] | `tag:${string}`

const tagPrefix = 'tag:'

/** `team` of `tag:team`; undefined: another dimension. */
export function tagKeyOf(dimension: UsageDimension): string | undefined {
  return dimension.startsWith(tagPrefix) ? dimension.slice(tagPrefix.length) : undefined
}

/** Which requests a usage question is about. All given conditions must hold. */
export interface UsageFilter {
  /** Absent: all accounts (operators only). */
  accountId?: string
  /** Unix epoch milliseconds, inclusive. */
  fromMs: number
  /** Unix epoch milliseconds, exclusive. */
  toMs: number
  /** All of them must be on the request. */
  tags?: string[]
  keyId?: string
  /** Whose keys they came by, of an organization. */
  memberId?: string
  /** The project of those keys. */
  projectId?: string
  /** Served model. */
  model?: string
  provider?: string
  /** Of auto-routing. */
  tier?: string
  endpoint?: Endpoint
  operation?: Operation
  outcome?: Outcome
}

export interface UsageTotals {
  totalRequests: number
  totalTokensIn: number
  totalTokensOut: number
  totalCostPico: bigint
  /** The same with what auto-routing chose a model for at the price of the baseline model. */
  totalBaselinePico: bigint
  /** What vendors are owed for those of the requests of which it is known. */
  totalVendorCostPico: bigint
  /** What these were charged: the rest of the cost has a vendor cost that is unknown. */
  totalCostedPico: bigint
}

/**
 * One row of a breakdown; `groups` has one entry a dimension asked for, null for none (an untagged request).
 */
export interface UsageGroup extends UsageTotals {
  groups: (string | null)[]
}

export interface UsageBreakdown extends PageOf<UsageGroup> {
  /** All groups behind those of the page, together; null where there are none. */
  others: UsageTotals | null
}

/** Groups of one page: tags are the callers' own, and may be as many as requests. */
export const maxUsageGroups = 10_000

export interface Page {
  limit: number
  /** Opaque, from the answer before. */
  cursor?: string
}

export interface PageOf<Row> {
  rows: Row[]
  nextCursor: string | null
}

/**
 * Reads of usage. Summaries and breakdowns count every outcome but `failed` (docs/contract.md, 4.7), or the
 * one that the filter names, and whole UTC hours: those in which the range begins and ends count whole. Where
 * single requests are no longer kept, whole days are.
 */
export interface UsageStore {
  summary(filter: UsageFilter): Promise<UsageTotals>
  /**
   * The costliest groups first, page by page; on a page that is by day, the days in their order. A request
   * with three tags is in three `tag` groups, and in one of each `tag:…`. A group whose cost grows between
   * two pages may be on neither, or both.
   * @param page by default the first `maxUsageGroups`
   */
  breakdown(filter: UsageFilter, by: readonly UsageDimension[], page?: Page): Promise<UsageBreakdown>
  /** Newest first, failed ones too. */
  requests(filter: UsageFilter, page: Page): Promise<PageOf<RequestRecord>>
  /**
   * `accountId` undefined: of any account (operators only).
   * @param memberId only where it came by a key of this member's
   */
  request(
    accountId: string | undefined,
    requestId: string,
    memberId?: string,
  ): Promise<RequestRecord | undefined>
  /** All rows, oldest first, failed ones too; read in pages, so that no more than one is in memory. */
  export(filter: UsageFilter): AsyncIterable<RequestRecord>
}
