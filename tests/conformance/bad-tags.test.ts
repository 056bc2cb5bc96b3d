import { describe, expect, test } from 'vitest'
import { goodBody, startRefusingNode } from './refusing-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

const world = await suiteWorld(startRefusingNode())

const emoji = '🙂'
const family = '👨‍👩‍👧‍👦'
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag-${index}`)

/** A header's bytes are UTF-8; `fetch` takes one character for each byte. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

function post(tags: unknown, header?: string): Promise<Response> {
  const metadata = tags === undefined ? {} : { metadata: { tags } }
  return world.post({ ...goodBody, ...metadata }, header === undefined ? {} : { 'x-turnpike-tags': header })
}

async function recordedTags(response: Response): Promise<string[]> {
  const id = response.headers.get('x-request-id')!
  const path = `/accounts/${world.key.accountId}/usage/requests/${id}`
  return (await world.node.admin<{ tags: string[] }>(path)).tags.toSorted()
}

describe('refused tags', () => {
  test.each([
    ['21 in the body', many(21), undefined, 'metadata.tags', many(20)],
    ['21 in the header', undefined, many(21).join(','), 'x-turnpike-tags', many(20)],
    [
      '21 in both',
      many(11),
      many(21).slice(11).join(','),
      'metadata.tags',
      [...many(21).slice(11), ...many(10)],
    ],
    ['65 letters', ['x'.repeat(65), 'ok'], undefined, 'metadata.tags', ['ok']],
    ['65 letters in the header', undefined, `ok, ${'x'.repeat(65)}`, 'x-turnpike-tags', ['ok']],
    ['65 letters in one of the two', ['ok'], 'x'.repeat(65), 'x-turnpike-tags', ['ok']],
    ['65 emoji', [emoji.repeat(65)], undefined, 'metadata.tags', []],
    ['65 emoji in the header', undefined, bytes(emoji.repeat(65)), 'x-turnpike-tags', []],
    ['10 families, of 7 characters each', [family.repeat(10)], undefined, 'metadata.tags', []],
    ['a NUL', ['a\0b', 'ok'], undefined, 'metadata.tags', ['ok']],
    ['of 1 MB', ['x'.repeat(1_000_000)], undefined, 'metadata.tags', []],
    ['a text', 'a,b', undefined, 'metadata.tags', []],
    ['an object', { a: 'b' }, undefined, 'metadata.tags', []],
    ['a number among them', ['ok', 1], undefined, 'metadata.tags[1]', ['ok']],
    ['null among them', [null, 'ok'], undefined, 'metadata.tags[0]', ['ok']],
    ['a list among them', ['ok', ['a']], undefined, 'metadata.tags[1]', ['ok']],
    ['a header that is not UTF-8', undefined, 'ok,\xe9', 'x-turnpike-tags', ['ok']],
    [
      'a header that is cut within a character',
      undefined,
      bytes('ok,🙂').slice(0, -1),
      'x-turnpike-tags',
      ['ok'],
    ],
  ] as [string, unknown, string | undefined, string, string[]][])(
    '%s',
    async (_what, tags, header, param, kept) => {
      await world.expectRefused(await post(tags, header), { status: 400, param, tags: kept })
      await world.expectUnharmed()
    },
  )
})

describe('accepted tags', () => {
  test.each([
    ['20 in the body', many(20), undefined, many(20)],
    ['20 in both', many(10), many(20).slice(10).join(','), many(20)],
    ['21, two of them equal', [...many(20), 'tag-0'], undefined, many(20)],
    ['21, one of them in both', many(20), 'tag-3', many(20)],
    ['21, one of them empty', [...many(20), ' '], undefined, many(20)],
    ['64 letters', ['x'.repeat(64)], undefined, ['x'.repeat(64)]],
    ['64 letters and spaces around them', [`\t ${'x'.repeat(64)} \u00a0`], undefined, ['x'.repeat(64)]],
    ['64 emoji', [emoji.repeat(64)], undefined, [emoji.repeat(64)]],
    ['64 emoji in the header', undefined, bytes(emoji.repeat(64)), [emoji.repeat(64)]],
    ['letters of other alphabets in the header', undefined, bytes('größe, 世界'), ['größe', '世界']],
    ['empties in the header', undefined, ' , a,, b ,', ['a', 'b']],
    ['an empty header', undefined, '', []],
    ['none', [], undefined, []],
    ['null', null, undefined, []],
    ['a comma in the body', ['a,b'], undefined, ['a,b']],
    ['inner spaces and cases', ['a b', 'A b', 'a  b'], undefined, ['A b', 'a  b', 'a b']],
    ['what looks like SQL', ["'; DROP TABLE requests; --"], undefined, ["'; DROP TABLE requests; --"]],
    [
      'names of built-in object members',
      ['__proto__', 'constructor'],
      undefined,
      ['__proto__', 'constructor'],
    ],
  ] as [string, unknown, string | undefined, string[]][])('%s', async (_what, tags, header, kept) => {
    const response = await post(tags, header)
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    expect(await recordedTags(response)).toEqual(kept.toSorted())
    expect(world.lastRequest().json).not.toHaveProperty('metadata')
  })

  test('the usage is reported separately for each tag', async () => {
    for (const tags of [
      ['one', 'both'],
      ['two', 'both'],
    ])
      await (await post(tags)).arrayBuffer()
    const usage = `/accounts/${world.key.accountId}/usage`
    const total = async (query: string): Promise<number> =>
      (await world.node.admin<{ total_requests: number }>(`${usage}?days=1${query}`)).total_requests
    expect(await total('&tag=one')).toBe(1)
    expect(await total('&tag=both')).toBe(2)
    expect(await total('&tag=one&tag=both')).toBe(1)
    expect(await total('&tag=one&tag=two')).toBe(0)
  })
})
