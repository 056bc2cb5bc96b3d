import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findPaidValue, type FreeValues } from './paid-field.ts'
import { paidFieldNames, paidFieldsOf, vendorAt } from './paid-fields.ts'
import { findVendor, vendors } from '../registry.ts'

describe('the costly part of a value', () => {
  const mode: FreeValues = { where: { mode: ['off'] } }
  const members: FreeValues = { members: { sort: ['price'], max_price: 'any' } }
  const tools: FreeValues = { each: { where: { type: ['function'] } } }
  test.each<[unknown, FreeValues | undefined, string | undefined]>([
    [null, undefined, undefined],
    [undefined, undefined, undefined],
    [[], undefined, undefined],
    [{}, undefined, 'f'],
    [false, undefined, undefined],
    ['', undefined, undefined],
    ['', { only: ['auto'] }, 'f'],
    [true, undefined, 'f'],
    [0, undefined, 'f'],
    [{}, 'empty', undefined],
    [{ a: false, b: null, c: [], d: '' }, 'empty', undefined],
    [{ a: {} }, 'empty', 'f'],
    [{ a: 1 }, 'empty', 'f'],
    [[{}], 'empty', 'f'],
    ['x', 'empty', 'f'],
    [{ mode: 'on', on: false }, { either: [mode, { where: { on: [false] } }] }, undefined],
    [{ mode: 'on', on: false, On: 1 }, { either: [mode, { where: { on: [false] } }] }, 'f.mode'],
    [{ mode: 'on' }, { either: [mode, { where: { on: [false] } }] }, 'f.mode'],
    [false, { only: [false] }, undefined],
    [0, { only: [false] }, 'f'],
    ['false', { only: [false] }, 'f'],
    [['auto'], { only: ['auto'] }, 'f'],
    [{ mode: 'off', sources: [1] }, mode, undefined],
    [{ mode: 'on' }, mode, 'f.mode'],
    [{}, mode, 'f.mode'],
    ['off', mode, 'f'],
    [[{ mode: 'off' }], mode, 'f'],
    [{}, members, undefined],
    [{ sort: 'price', max_price: { prompt: 1 } }, members, undefined],
    [{ sort: null, order: null }, members, undefined],
    [{ max_price: 1, sort: 'latency' }, members, 'f.sort'],
    [{ order: ['a'] }, members, 'f.order'],
    [{ order: [] }, members, undefined],
    [JSON.parse('{"__proto__": 1}'), members, 'f.__proto__'],
    [{ toString: 'x' }, members, 'f.toString'],
    [[{ type: 'function' }, { type: 'web_search' }], tools, 'f[1].type'],
    [[{ type: 'function' }, 'web_search'], tools, 'f[1]'],
    [{ type: 'function' }, tools, 'f'],
  ])('%j: %j is %s', (value, free, dear) => expect(findPaidValue(value, free, 'f')).toBe(dear))
})

describe('a paid field', () => {
  test.each(vendors.map((vendor) => [vendor.name, vendor] as const))(
    'at %s has a page that says so',
    (_name, vendor) => {
      const fields = paidFieldsOf(vendor)
      for (const { page } of fields) expect(new URL(page).protocol).toBe('https:')
      if (vendor.paidFields === 'none') expect(fields).toEqual([])
      else
        for (const field of ['service_tier', 'tools', 'web_search_options'])
          expect(fields.some((one) => one.field === field)).toBe(true)
    },
  )

  test('of another vendor is known at every vendor, but only priced at its own', () => {
    const ofOpenai = paidFieldsOf(findVendor('openai'))
    const ofXai = paidFieldsOf(findVendor('xai'))
    expect(ofXai.find(({ field }) => field === 'search_parameters')?.chargedBy).toBe('web_search')
    expect(ofOpenai.find(({ field }) => field === 'search_parameters')?.chargedBy).toBeUndefined()
    expect(ofOpenai.some(({ field }) => field === 'messages.file')).toBe(false)
    const named = new Set(paidFieldsOf(undefined).map(({ field }) => field))
    expect(paidFieldNames().filter((name) => !named.has(name) && !name.startsWith('messages.'))).toEqual([])
  })

  test('is listed in docs/vendors.md', () => {
    const guide = readFileSync(new URL('../../../docs/vendors.md', import.meta.url), 'utf8')
    for (const name of paidFieldNames()) expect(guide).toContain(`\`${name}\``)
  })

  test.each([
    ['https://openrouter.ai/api/v1', 'openrouter'],
    ['https://OPENROUTER.ai./api/v1', 'openrouter'],
    ['https://api.x.ai/v1', 'xai'],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1', 'alibaba'],
    ['https://dashscope-us.aliyuncs.com/compatible-mode/v1', 'alibaba'],
    ['https://house.openai.azure.com/openai/v1', 'azure'],
    ['https://notopenrouter.ai/api/v1', undefined],
    ['http://127.0.0.1:11434/v1', undefined],
  ])('at %s is one that %s bills', (address, name) => expect(vendorAt(address)?.name).toBe(name))
})
