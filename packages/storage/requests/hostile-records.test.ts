import type { RequestRecord } from '@turnpike/gateway'
import { lineRecordToRecord, recordsFromLines, recordToLine } from '@turnpike/gateway/record-line'
import { recordToPayload } from '@turnpike/gateway/record-payload'
import type { ApiKey } from '@turnpike/identity'
import { newIdentifier } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import { fundedKey, newRecord, noonMs } from '../testing/fixtures.ts'
import { randomFrom, randomSeed } from '../testing/random.ts'
import { onEachEngine } from '../testing/test-database.ts'

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

/** Values that no field should hold, but that a vendor, a clock or an earlier version may produce. */
const hostileValues: unknown[] = [
  null,
  undefined,
  true,
  '',
  'a\0b',
  '\uD800',
  '\uDC00\uD800',
  '"\\{},\n\u2028',
  'x'.repeat(20_000),
  '9'.repeat(400),
  'req_1',
  -1,
  -0,
  0.1,
  9e15,
  2 ** 53 + 2,
  9.3e18,
  1e19,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -(2n ** 63n) - 1n,
  -1n,
  2n ** 63n - 1n,
  2n ** 63n,
  10n ** 40n,
  [],
  [1, 'a\0b', null],
  ['t\0', '\uDC00', 'ok'],
  {},
  { __proto__: null, constructor: 'x', '\0': '\uD800', toString: 1 },
  { inputTokens: 1e308, outputTokens: -5, raw: { a: 9.3e18, b: '\0', c: '\uD800' } },
  { inputTokens: 5, raw: nested(200) },
]

/** Also creates values of the wrong type: numbers for amounts, amounts for numbers. */
function payloadOf(record: object): string {
  return JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** The row of a record in the outbox, with another value at this place of its list. */
function lineWith(record: RequestRecord, index: number, value: unknown): string {
  const [list, ...others] = recordToLine(record).split('\t')
  return [payloadOf((JSON.parse(list!) as unknown[]).with(index, value)), ...others].join('\t')
}

onEachEngine((opened) => {
  const write = (payloads: readonly string[]) =>
    opened().storage.requests.writeLines('node_h', new TextEncoder().encode(payloads.join('\n')))

  const isStored = async (key: ApiKey, id: string): Promise<boolean> =>
    (await opened().storage.usage.request(key.accountId, id)) !== undefined

  /** Good rows before, between and after the bad ones are all stored, and nothing else is charged. */
  async function expectOthersIn(key: ApiKey, bad: readonly string[], about: string): Promise<number> {
    const good = [newRecord(key, { chargePico: 3n }), newRecord(key, { chargePico: 4n })]
    const [first, last] = good.map(recordToPayload)
    const written = await write([first!, ...bad, last!])
    for (const { id } of good) expect(await isStored(key, id), about).toBe(true)
    for (const { payload, message } of written.refused) {
      expect(payload.length, about).toBeGreaterThan(0)
      expect(message, about).not.toBe('')
    }
    // Sent again as after a failure: the same rows are refused, and nothing is charged twice.
    const again = await write([first!, ...bad, last!])
    expect(again.refused, about).toHaveLength(written.refused.length)
    return written.refused.length
  }

  describe('a record with arbitrary content', () => {
    it('never keeps others out, whichever field is invalid', { timeout: 120_000 }, async () => {
      const key = await fundedKey(opened().storage, 1_000_000n)
      const fields = [...Object.keys(newRecord(key)), 'modelTried'] as (keyof RequestRecord)[]
      for (const field of fields) {
        const bad = hostileValues.map((value) =>
          payloadOf({ ...newRecord(key, { chargePico: 1n }), [field]: value }),
        )
        await expectOthersIn(key, bad, field)
      }
      expect(await opened().storage.ledger.verify()).toMatchObject({ differences: [] })
    })

    it('never keeps others out, whichever place of its line is invalid', { timeout: 120_000 }, async () => {
      const key = await fundedKey(opened().storage, 1_000_000n)
      const { length } = JSON.parse(recordToLine(newRecord(key)).split('\t')[0]!) as unknown[]
      for (let index = 0; index < length; index++) {
        const bad = hostileValues.map((value) => lineWith(newRecord(key, { chargePico: 1n }), index, value))
        await expectOthersIn(key, bad, `value ${index}`)
      }
      expect(await opened().storage.ledger.verify()).toMatchObject({ differences: [] })
    })

    it('never keeps others out, whatever follows its list', { timeout: 120_000 }, async () => {
      const key = await fundedKey(opened().storage, 1_000_000n)
      const texts = [
        '',
        'null',
        '{}',
        '{',
        '5',
        '"',
        'a\0b',
        '\uD800',
        '{"cacheReadTokens":9',
        '\t',
        'x'.repeat(90_000),
      ]
      const bad = texts.flatMap((text) => {
        const [list, usage, pricing] = recordToLine(newRecord(key, { chargePico: 1n })).split('\t')
        const other = recordToLine(
          newRecord(key, { chargePico: 1n, priceVersion: `p_${text.length}` }),
        ).split('\t')
        return [`${list}\t${text}\t${pricing}`, `${other[0]}\t${usage}\t${text}`]
      })
      await expectOthersIn(key, bad, 'after the list')
      expect(await opened().storage.ledger.verify()).toMatchObject({ differences: [] })
    })

    it('is refused if its identifier is a list', async () => {
      const key = await fundedKey(opened().storage, 1_000_000n)
      const record = newRecord(key, { chargePico: 1n })
      expect(await expectOthersIn(key, [lineWith(record, 1, [record.id])], 'list')).toBe(1)
    })

    it('never keeps others out, even if it is not an object', { timeout: 120_000 }, async () => {
      const seed = randomSeed()
      const random = randomFrom(seed)
      const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
      const key = await fundedKey(opened().storage, 1_000_000n)
      for (let batch = 0; batch < 25; batch++) {
        const bad = Array.from({ length: 6 }, () => {
          const record: Record<string, unknown> = { ...newRecord(key, { chargePico: 1n }) }
          const fields = Object.keys(record)
          for (let change = 0; change <= random() * 4; change++) record[any(fields)] = any(hostileValues)
          return any([
            payloadOf(record),
            payloadOf(record).slice(0, -any([1, 7, 200])),
            payloadOf(Object.values(record)),
            lineWith(newRecord(key, { chargePico: 1n }), 1 + Math.floor(random() * 34), any(hostileValues)),
            any(['', '{', '[]', 'null', '5']),
          ])
        })
        await expectOthersIn(
          key,
          bad.filter((line) => line !== ''),
          `seed ${seed}`,
        )
      }
      expect(await opened().storage.ledger.verify(), `seed ${seed}`).toMatchObject({ differences: [] })
    })

    it('is still charged if only descriptive fields are invalid', async () => {
      const { storage } = opened()
      const key = await fundedKey(storage, 1_000n)
      const records = [
        { tokensIn: 1e308, tokensOut: 9.3e18 },
        { tokensIn: Number.NaN, durationMs: Number.POSITIVE_INFINITY, firstTokenMs: -5 },
        { holdPico: 2n ** 64n, vendorCostPico: 2n ** 63n, baselinePico: -1n },
        { modelServed: 'a\0b', provider: '\uD800', tier: '\0', errorType: '\uDC00' as never },
        { modelAsked: 'x'.repeat(1_000_000) },
      ].map((changes) => newRecord(key, { ...changes, chargePico: 10n }))
      const written = await storage.requests.write('node_h', records)
      expect(written.refused).toEqual([])
      expect(await storage.apiKeys.find(key.accountId, key.id)).toMatchObject({ balancePico: 950n })
      // Totals have room for the highest possible number.
      const more = Array.from({ length: 500 }, () => newRecord(key, { tokensIn: 1e308, chargePico: 0n }))
      expect((await storage.requests.write('node_h', more)).refused).toEqual([])
      const filter = { accountId: key.accountId, fromMs: noonMs - 1, toMs: noonMs + 1 }
      expect((await storage.usage.summary(filter)).totalTokensIn).toBeGreaterThan(1e14)
      expect(await storage.ledger.verify()).toMatchObject({ differences: [] })
    })

    it('is refused if its amount cannot be posted, without affecting its neighbours', async () => {
      const key = await fundedKey(opened().storage, 1_000_000n)
      for (const chargePico of [2n ** 63n, 10n ** 40n, -1n]) {
        const bad = newRecord(key, { chargePico })
        expect(await expectOthersIn(key, [payloadOf(bad)], String(chargePico))).toBe(1)
        expect(await isStored(key, bad.id)).toBe(false)
      }
      // Each fits on its own, but two exceed the balance's column.
      const most = (2n ** 63n - 1n) / 2n
      const heavy = Array.from({ length: 3 }, () => payloadOf(newRecord(key, { chargePico: most })))
      expect(await expectOthersIn(key, heavy, 'balance')).toBe(1)
    })
  })
})

describe('a line of the outbox', () => {
  const key = { id: newIdentifier('key'), accountId: newIdentifier('acct') }
  const readLines = (lines: readonly string[]) => {
    const { records, unreadable } = recordsFromLines(new TextEncoder().encode(lines.join('\n')))
    return { records: records.map(lineRecordToRecord), unreadable }
  }

  it('has every field of the record', () => {
    const usual = newRecord(key)
    const records = [
      { ...usual, modelTried: undefined, errorParam: undefined, budgetLeases: undefined },
      newRecord(key, { vendorCostPico: null, baselinePico: 5n, tier: 'small', tags: ['a', 'b "c"'] }),
      newRecord(key, { isByok: true, ownCostPico: 7n, modelTried: 'a/b', errorParam: 'messages[0].content' }),
      newRecord(key, { isByok: true, ownCostPico: null, dropped: ['seed'], firstTokenMs: null, usage: null }),
      newRecord(key, { budgetLeases: 'bud_a@t', modelServed: null, provider: null, pricing: null }),
      newRecord(key, {
        chargePico: 2n ** 63n - 1n,
        holdPico: 0n,
        status: 499,
        errorType: 'upstream_timeout',
      }),
    ]
    const { records: read, unreadable } = readLines(records.map(recordToLine))
    expect(unreadable).toEqual([])
    expect(read).toEqual(records)
    // A field that is added to records must be added to lines too.
    const named = readLines(records.map(recordToPayload)).records
    expect(read).toEqual(named)
  })

  it('is read beside rows of earlier versions, which have names', () => {
    const records = [newRecord(key), newRecord(key), newRecord(key)]
    const rows = records.map((record, index) =>
      index === 1 ? recordToPayload(record) : recordToLine(record),
    )
    expect(readLines(rows)).toEqual({ records, unreadable: [] })
  })

  it('is read beside a list of an earlier version, which has the usage and the pricing in it', () => {
    const record = newRecord(key)
    const none = newRecord(key, { usage: null, pricing: null })
    const lists = [record, none].map((one) => {
      const list = JSON.parse(recordToLine(one).split('\t')[0]!) as unknown[]
      return JSON.stringify(list.with(0, 1).with(22, one.usage).with(26, one.pricing))
    })
    expect(readLines([...lists, recordToLine(record)])).toEqual({
      records: [record, none, record],
      unreadable: [],
    })
  })

  it('is not read if it has an unknown format, or not three parts', () => {
    const line = recordToLine(newRecord(key))
    const lines = [
      line.replace('[2,', '[3,'),
      line.split('\t')[0]!,
      `${line}\t{}`,
      line.slice(0, line.lastIndexOf('\t')),
    ]
    const { records, unreadable } = readLines(lines)
    expect(records).toEqual([])
    expect(unreadable.map(({ payload }) => payload)).toEqual(lines)
    expect(unreadable.map(({ message }) => message)).toMatchObject(
      ['format 3', 'format 2', '4 parts', '2 parts'].map((text) => expect.stringContaining(text) as string),
    )
  })

  it('has no part but these three, whatever its texts contain', () => {
    const record = newRecord(key, {
      tags: ['a\tb\nc'],
      usage: { inputTokens: 1, outputTokens: 2, raw: { '\t': '\t\n\u2028' } },
      pricing: { prompt: '\t', completion: '\n' },
    })
    expect(recordToLine(record).split(/[\t\n]/)).toHaveLength(3)
    expect(readLines([recordToLine(record)]).records).toEqual([record])
  })

  it('is written for any vendor usage, without it if necessary', () => {
    for (const raw of [nested(100_000), { big: 2n ** 70n }, 'x'.repeat(10_000_000)]) {
      const line = recordToLine(newRecord(key, { usage: { inputTokens: 10, outputTokens: 5, raw } }))
      expect(line.length).toBeLessThan(70_000)
      expect(readLines([line]).records).toMatchObject([{ usage: { inputTokens: 10 } }])
    }
  })
})

describe('a payload', () => {
  const key = { id: newIdentifier('key'), accountId: newIdentifier('acct') }

  it('is written for any vendor usage, without it if necessary', () => {
    for (const raw of [nested(100_000), { big: 2n ** 70n }, 'x'.repeat(10_000_000), { a: nested(5_000) }]) {
      const payload = recordToPayload(newRecord(key, { usage: { inputTokens: 10, outputTokens: 5, raw } }))
      expect(payload.length).toBeLessThan(70_000)
      const { records, unreadable } = recordsFromLines(new TextEncoder().encode(payload))
      expect(unreadable).toEqual([])
      expect(lineRecordToRecord(records[0]!)).toMatchObject({
        chargePico: 12_500_000n,
        usage: { inputTokens: 10, outputTokens: 5 },
      })
    }
  })

  it('names budget leases, also as lists, as an earlier version did', () => {
    const payload = recordToPayload(newRecord(key, { budgetLeases: 'bud_a@t bud_b@m2026-11' }))
    const earlier = payload.replace(
      '"budgetLeases":"bud_a@t bud_b@m2026-11"',
      '"limits":["bud_a@t","bud_c@t"]',
    )
    expect(earlier).toContain('"limits":')
    const { records } = recordsFromLines(new TextEncoder().encode(`${payload}\n${earlier}`))
    const leases = records.map(({ budgetLeases }) => budgetLeases)
    expect(leases).toEqual(['bud_a@t bud_b@m2026-11', 'bud_a@t bud_c@t'])
  })

  it('is reported separately if it is not a record', () => {
    const good = recordToPayload(newRecord(key))
    const lines = [good, '{"id":"req_1","chargePico":"x"}', 'null', good.slice(0, 50), good]
    const { records, unreadable } = recordsFromLines(new TextEncoder().encode(lines.join('\n')))
    expect(records).toHaveLength(2)
    expect(unreadable.map(({ payload }) => payload)).toEqual(lines.slice(1, 4))
  })
})
