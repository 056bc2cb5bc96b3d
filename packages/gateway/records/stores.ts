import type { LeaseState } from '@turnpike/billing'
import type { Endpoint, Operation, Outcome } from '@turnpike/protocol'
import type { RequestRecord } from './request-record.ts'

/** Stores finished requests; implemented by `packages/storage` on both engines. */
export interface RequestStore {
  /** How many rows the outbox should pass at once; absent: as many as fit a database with other writers. */
  readonly batchRows?: number
  /**
   * Writes request rows, their tags and prices, and the `usage` transfer of each charge above zero, and takes
   * the charge off the node's lease of the key: all in one transaction. Ignores request ids that are already
   * stored, so a batch may be sent again after any failure. Posts the charge to the credit account of the key
   * that pays. If that key was revoked meanwhile, its leases pay, and the difference moves on to where its
   * credit went (docs/contract.md, 4.3).
   * @throws if the store is unavailable; then nothing was written, or everything
   */
  write(nodeId: string, records: readonly RequestRecord[]): Promise<WrittenRequests>
  /** The same for rows of the outbox, one per line in UTF-8. May transfer the bytes to another thread. */
  writeLines(nodeId: string, lines: Uint8Array<ArrayBuffer>): Promise<WrittenRequests>
}

export interface WrittenRequests {
  /** Records that the database rejects for good; all others of the batch are stored. */
  refused: RefusedRecord[]
  /** By key, and by budget lease: the charges of the batch, including records that were already stored. */
  chargedPico: Map<string, bigint>
  /** By key: how far new charges exceeded this node's lease; the key itself has paid the difference. */
  uncoveredPico: Map<string, bigint>
  /** Keys with leases whose accounts now have less than is leased. Nodes must return idle parts of them. */
  overdrawn: string[]
  /** By charged key or budget lease: this node's lease afterwards. */
  leases: Map<string, LeaseState>
  /** Budgets that new requests counted against. */
  countedBudgets: string[]
  /** Accounts that new requests were charged to. */
  chargedAccounts: string[]
}

export interface RefusedRecord {
  /** Of the outbox. */
  payload: string
  /** Null if the payload cannot be read. */
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
 * What usage is broken down by. `tag:team` is a dimension that callers define by tags `team:…`. A request has
 * at most one value of it, so that the groups add up to the total; of several such tags, the first in text
 * order counts.
 */
export type UsageDimension = (typeof usageDimensions)[number] | `tag:${string}`

const tagPrefix = 'tag:'

/** `team` of `tag:team`; undefined for another dimension. */
export function tagKeyOf(dimension: UsageDimension): string | undefined {
  return dimension.startsWith(tagPrefix) ? dimension.slice(tagPrefix.length) : undefined
}

/** Which requests a usage query covers. All given conditions must hold. */
export interface UsageFilter {
  /** Absent: all accounts (operators only). */
  accountId?: string
  /** Unix epoch milliseconds, inclusive. */
  fromMs: number
  /** Unix epoch milliseconds, exclusive. */
  toMs: number
  /** The request must have all of them. */
  tags?: string[]
  keyId?: string
  /** The member of an organization whose keys were used. */
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
  /** The same, but with the baseline model's price for requests that auto-routing routed. */
  totalBaselinePico: bigint
  /** What vendors are owed for requests whose vendor cost is known. */
  totalVendorCostPico: bigint
  /** What those requests were charged; for the rest the vendor cost is unknown. */
  totalCostedPico: bigint
}

/** One row of a breakdown; `groups` has one entry per dimension, null for none (an untagged request). */
export interface UsageGroup extends UsageTotals {
  groups: (string | null)[]
}

export interface UsageBreakdown extends PageOf<UsageGroup> {
  /** The total of all groups after the page; null if there are none. */
  others: UsageTotals | null
}

/** Groups per page: tags are callers' own, and there may be as many as requests. */
export const maxUsageGroups = 10_000

export interface Page {
  limit: number
  /** Opaque, from the previous page. */
  cursor?: string
}

export interface PageOf<Row> {
  rows: Row[]
  nextCursor: string | null
}

/**
 * Reads usage. Summaries and breakdowns count every outcome but `failed` (docs/contract.md, 4.7), or the one
 * that the filter names, and whole UTC hours: the hours in which the range begins and ends count in full. If
 * single requests are no longer kept, whole days do.
 */
export interface UsageStore {
  summary(filter: UsageFilter): Promise<UsageTotals>
  /**
   * The most expensive groups first, page by page; on a page by day, the days in order. A request with three
   * tags is in three `tag` groups, and in one of each `tag:…`. A group whose cost grows between two pages may
   * be on neither, or on both.
   * @param page by default the first `maxUsageGroups`
   */
  breakdown(filter: UsageFilter, by: readonly UsageDimension[], page?: Page): Promise<UsageBreakdown>
  /** Newest first, including failed ones. */
  requests(filter: UsageFilter, page: Page): Promise<PageOf<RequestRecord>>
  /**
   * `accountId` undefined: of any account (operators only).
   * @param memberId only if one of this member's keys was used
   */
  request(
    accountId: string | undefined,
    requestId: string,
    memberId?: string,
  ): Promise<RequestRecord | undefined>
  /** All rows, oldest first, including failed ones; read in pages, so that only one page is in memory. */
  export(filter: UsageFilter): AsyncIterable<RequestRecord>
}
