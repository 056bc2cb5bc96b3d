import {
  usageDimensions,
  type RequestRecord,
  type UsageBreakdown,
  type UsageDimension,
  type UsageFilter,
  type UsageTotals,
} from '@turnpike/gateway'
import type { ApiKey } from '@turnpike/identity'
import { endpoints, operationByEndpoint, outcomes } from '@turnpike/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { newOrganization } from '../organizations/testing/organization.ts'
import { fundedKey, newKey, newRecord, noonMs, noUsage } from '../testing/fixtures.ts'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { onEachEngine } from '../testing/test-database.ts'
import { dayMs, dayName, hourMs } from './period.ts'

const seed = randomSeed()
const random = randomFrom(seed)
const below = (count: number): number => Math.floor(random() * count)
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)]!

const models = ['openai/gpt-5', 'openai/gpt-5-mini', 'anthropic/claude', null]
const tags = ['web', 'beta', 'a\nb', 'ü', '', 'team:b', 'team:a', 'team:', 'team', 'tëam:ü:x']
/** The dimensions of figures, including existing and missing keys of tags. */
const dimensions: readonly UsageDimension[] = [...usageDimensions, 'tag:team', 'tag:tëam', "tag:no'such"]
/** The range contains two ends of months, and hours before and after its whole days. */
const rangeDays = 75
const rounds = 40

/** The expected totals, computed from the requests themselves. */
function expectedRows(
  records: readonly RequestRecord[],
  filter: UsageFilter,
  by: readonly UsageDimension[],
): Map<string, UsageTotals> {
  const rows = new Map<string, UsageTotals>()
  const counts = ({ outcome }: RequestRecord): boolean => outcome !== 'failed' || filter.outcome === 'failed'
  for (const record of records.filter((one) => counts(one) && isIn(one, filter))) {
    for (const group of groupsOf(record, by)) {
      const key = JSON.stringify(group)
      const row = rows.get(key) ?? { ...noUsage }
      row.totalRequests++
      row.totalTokensIn += record.tokensIn
      row.totalTokensOut += record.tokensOut
      row.totalCostPico += record.chargePico
      row.totalBaselinePico += record.baselinePico ?? record.chargePico
      row.totalVendorCostPico += record.vendorCostPico ?? 0n
      row.totalCostedPico += record.vendorCostPico === null ? 0n : record.chargePico
      rows.set(key, row)
    }
  }
  return rows
}

/** The owner of each key. */
const owners = new Map<string, Pick<ApiKey, 'memberId' | 'projectId'>>()
const ownerOf = ({ keyId }: RequestRecord) => owners.get(keyId)!

function isIn(record: RequestRecord, filter: UsageFilter): boolean {
  return (
    record.startedAtMs >= filter.fromMs &&
    record.startedAtMs < filter.toMs &&
    (filter.accountId ?? record.accountId) === record.accountId &&
    (filter.keyId ?? record.keyId) === record.keyId &&
    (filter.memberId ?? ownerOf(record).memberId) === ownerOf(record).memberId &&
    (filter.projectId ?? ownerOf(record).projectId) === ownerOf(record).projectId &&
    (filter.model ?? record.modelServed) === record.modelServed &&
    (filter.endpoint ?? record.endpoint) === record.endpoint &&
    (filter.operation ?? operationByEndpoint[record.endpoint]) === operationByEndpoint[record.endpoint] &&
    (filter.outcome ?? record.outcome) === record.outcome &&
    (filter.tags ?? []).every((tag) => record.tags.includes(tag))
  )
}

function groupsOf(record: RequestRecord, by: readonly UsageDimension[]): (string | null)[][] {
  const values: Partial<Record<UsageDimension, (string | null)[]>> = {
    tag: record.tags.length === 0 ? [null] : record.tags,
    model: [record.modelServed],
    key: [record.keyId],
    member: [ownerOf(record).memberId],
    project: [ownerOf(record).projectId],
    day: [dayName(record.startedAtMs)],
    hour: [`${new Date(record.startedAtMs).toISOString().slice(0, 13)}:00Z`],
    ...Object.fromEntries(
      dimensions
        .filter((dimension) => dimension.startsWith('tag:'))
        .map((dimension) => [dimension, [valueOf(record.tags, dimension.slice('tag:'.length))]]),
    ),
    provider: [record.provider],
    tier: [record.tier],
    endpoint: [record.endpoint],
    operation: [operationByEndpoint[record.endpoint]],
  }
  const [first, second] = by.map((dimension) => values[dimension]!)
  return first!.flatMap((value) => second?.map((other) => [value, other]) ?? [[value]])
}

/** Of several tags `key:value`, the first in sorted order. */
function valueOf(tags: readonly string[], key: string): string | null {
  const own = tags.filter((tag) => tag.startsWith(`${key}:`) && tag.length > key.length + 1)
  return own.toSorted()[0]?.slice(key.length + 1) ?? null
}

describe(`totals, seed ${seed}`, () => {
  onEachEngine((opened) => {
    let keys: ApiKey[]
    let records: RequestRecord[]

    const randomRecord = (): RequestRecord => {
      const outcome = oneOf(outcomes)
      const modelServed = oneOf(models)
      const vendorCostPico = outcome === 'failed' ? 0n : BigInt(below(2 ** 53))
      return newRecord(oneOf(keys), {
        startedAtMs: noonMs + below(rangeDays * 24) * hourMs + below(hourMs),
        tags: tags.filter(() => below(3) === 0).toSorted(() => random() - 0.5),
        outcome,
        modelServed,
        provider: modelServed?.split('/')[0] ?? null,
        tier: oneOf([null, 'SIMPLE', 'COMPLEX']),
        endpoint: oneOf(endpoints),
        tokensIn: below(1_000_000),
        tokensOut: below(1_000),
        chargePico: outcome === 'failed' ? 0n : BigInt(below(2 ** 53)),
        vendorCostPico: below(3) === 0 ? null : vendorCostPico,
      })
    }

    const randomFilter = (): UsageFilter => {
      const fromMs = noonMs + below(rangeDays * 24) * hourMs
      const filter: UsageFilter = { fromMs, toMs: fromMs + below(rangeDays * 24) * hourMs }
      if (below(4) > 0) filter.accountId = oneOf(keys).accountId
      if (below(4) === 0) filter.keyId = oneOf(keys).id
      if (below(6) === 0) filter.memberId = oneOf(keys).memberId ?? 'mem_none'
      if (below(6) === 0) filter.projectId = oneOf(keys).projectId ?? 'prj_none'
      if (below(4) === 0) filter.model = oneOf(models) ?? 'none/such'
      if (below(4) === 0) filter.outcome = oneOf(outcomes)
      if (below(4) === 0) filter.endpoint = oneOf(endpoints)
      if (below(8) === 0) filter.operation = oneOf(['generate', 'embed'])
      if (below(2) === 0) filter.tags = tags.filter(() => below(3) === 0)
      return filter
    }

    beforeAll(async () => {
      const { storage } = opened()
      const first = await fundedKey(storage, 10n ** 18n)
      keys = [first, await newKey(storage, first.accountId), await fundedKey(storage, 10n ** 18n)]
      const organization = await newOrganization(storage)
      const { id, founder } = organization
      const other = await organization.join('developer')
      const project = await storage.projects.create({ accountId: id, name: 'p', most: 9 }, Date.now())
      for (const memberId of [founder.memberId, other.memberId, null]) {
        keys.push(await organization.key(memberId, { projectId: project.id }))
        keys.push(await organization.key(memberId))
      }
      for (const key of keys) owners.set(key.id, key)
      records = []
      // Batches of two nodes at once, with new rows and repeated ones.
      for (let round = 0; round < 10; round++) {
        const batches = ['node_a', 'node_b'].map((node) => {
          const fresh = Array.from({ length: 1 + below(60) }, randomRecord)
          const again = [...records, ...fresh].filter(() => below(10) === 0)
          return { node, fresh, given: [...fresh, ...again] }
        })
        await Promise.all(batches.map(({ node, given }) => storage.requests.write(node, given)))
        for (const { fresh } of batches) records.push(...fresh)
      }
    })

    it('agree with the requests', async () => {
      const { usage } = opened().storage
      for (let round = 0; round < rounds; round++) {
        const filter = randomFilter()
        const summaries = expectedRows(
          records.map((record) => ({ ...record, tier: null })),
          filter,
          ['tier'],
        )
        expect(await usage.summary(filter), label(filter)).toEqual(summaries.get('[null]') ?? noUsage)
        const by = dimensions.toSorted(() => random() - 0.5).slice(0, 1 + below(2))
        const { rows, nextCursor, others } = await usage.breakdown(filter, by)
        const found = new Map(rows.map(({ groups, ...totals }) => [JSON.stringify(groups), totals]))
        expect(found, `${label(filter)} by ${by.join()}`).toEqual(expectedRows(records, filter, by))
        expect([found.size, nextCursor, others]).toEqual([rows.length, null, null])
      }
    })

    it('are paged with each group once, and with the sum of all following groups', async () => {
      const { usage } = opened().storage
      for (let round = 0; round < rounds / 4; round++) {
        const filter = randomFilter()
        const by = dimensions.toSorted(() => random() - 0.5).slice(0, 1 + below(2))
        const whole = expectedRows(records, filter, by)
        const found = new Map<string, UsageTotals>()
        const costs: bigint[] = []
        const limit = 1 + below(7)
        let cursor: string | null = null
        do {
          const page: UsageBreakdown = await usage.breakdown(filter, by, {
            limit,
            ...(cursor !== null && { cursor }),
          })
          for (const { groups, ...totals } of page.rows) found.set(JSON.stringify(groups), totals)
          costs.push(...page.rows.map((row) => row.totalCostPico).toSorted(descending))
          const behind = [...whole].filter(([group]) => !found.has(group)).map(([, totals]) => totals)
          const sum = (field: keyof UsageTotals): bigint =>
            behind.reduce((all, totals) => all + BigInt(totals[field]), 0n)
          const others =
            page.others && Object.entries(page.others).map(([field, value]) => [field, BigInt(value)])
          const expected = fields.map((field) => [field, sum(field)])
          expect(others, `${label(filter)} by ${by.join()}`).toEqual(behind.length === 0 ? null : expected)
          cursor = page.nextCursor
        } while (cursor !== null)
        expect(found, `${label(filter)} by ${by.join()}`).toEqual(whole)
        expect(costs).toEqual(costs.toSorted(descending))
      }
    })

    it('add up to the total in each dimension that does not overlap', async () => {
      const { usage } = opened().storage
      const range = { fromMs: noonMs - dayMs, toMs: noonMs + (rangeDays + 1) * dayMs }
      const { totalCostPico } = await usage.summary(range)
      for (const by of dimensions.filter((dimension) => dimension !== 'tag')) {
        const { rows } = await usage.breakdown(range, [by])
        expect(
          rows.reduce((all, row) => all + row.totalCostPico, 0n),
          by,
        ).toBe(totalCostPico)
      }
    })

    it('are the same by day, by model and in total', async () => {
      const { usage } = opened().storage
      const range = { fromMs: noonMs - dayMs, toMs: noonMs + (rangeDays + 1) * dayMs }
      const { totalCostPico, totalVendorCostPico, totalCostedPico } = await usage.summary(range)
      for (const by of [['day'], ['model'], ['day', 'model']] as const) {
        const { rows } = await usage.breakdown(range, by)
        const sum = (field: 'totalCostPico' | 'totalVendorCostPico' | 'totalCostedPico'): bigint =>
          rows.reduce((all, row) => all + row[field], 0n)
        expect([sum('totalCostPico'), sum('totalVendorCostPico'), sum('totalCostedPico')]).toEqual([
          totalCostPico,
          totalVendorCostPico,
          totalCostedPico,
        ])
      }
    })

    it('find the same requests for lists and exports', async () => {
      const { usage } = opened().storage
      for (let round = 0; round < rounds; round++) {
        const filter = randomFilter()
        const expected = records.filter((record) => isIn(record, filter)).map((record) => record.id)
        const exported: string[] = []
        for await (const record of usage.export(filter)) exported.push(record.id)
        expect(exported, label(filter)).toEqual(expected.toSorted())
        const listed = await usage.requests(filter, { limit: 10 })
        expect(listed.rows.map((row) => row.id)).toEqual(expected.toSorted().toReversed().slice(0, 10))
      }
    })

    it('count exactly the requested days, even at the ends of months', async () => {
      const { usage } = opened().storage
      const midnightMs = noonMs + dayMs / 2
      for (let days = 0; days < rangeDays; days += 3) {
        const filter = { accountId: keys[0]!.accountId, fromMs: midnightMs, toMs: midnightMs + days * dayMs }
        const expected = records.filter(
          (record) => isIn(record, filter) && record.outcome !== 'failed',
        ).length
        expect(await usage.summary(filter)).toMatchObject({ totalRequests: expected })
      }
    })

    it('pass the verification', async () => {
      expect(await opened().storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
    })
  })
})

const descending = (left: bigint, right: bigint): number => Number(right > left) - Number(right < left)
const fields = [
  'totalRequests',
  'totalTokensIn',
  'totalTokensOut',
  'totalCostPico',
  'totalBaselinePico',
  'totalVendorCostPico',
  'totalCostedPico',
] as const

const label = (filter: UsageFilter): string => `seed ${seed}: ${JSON.stringify(filter)}`
