import { describe, expect, test } from 'vitest'
import { goodBody, openedBody, startRefusingNode } from './refusing-node.ts'
import { suiteWorld } from '../nodes/suite.ts'

/** Fields that the gateway does not know reach the vendor byte for byte, and the vendor validates them. */

const world = await suiteWorld(startRefusingNode())

/** The body that the vendor must get: unchanged, except for its own name of the model. */
function forVendor(body: string): string {
  return body.replace('openai/gpt-4o-mini', 'gpt-4o-mini')
}

describe('unknown fields reach the vendor as they were written', () => {
  test.each([
    ['a number of 20 digits', '"x":12345678901234567890'],
    ['a long fraction', '"x":0.1000000000000000055511151231257827'],
    ['numbers beyond any float', '"x":[1e400,-1e400,1e-400,-0,-0.0,1E+5]'],
    ['a number of 1,000 digits', `"x":${'9'.repeat(1000)}`],
    ['escapes', '"x":"\\u00e9\\ud83d\\ude42\\/\\u0000"'],
    ['letters of other alphabets', '"größe":"世界 🙂"'],
    ['white space', '"x" :\t[ 1 ,\r\n 2 ]'],
    ['an empty key', '"":1'],
    [
      'keys of built-in object members',
      '"__proto__":{"stream_options":{"a":1}},"constructor":1,"toString":null',
    ],
    ['200 levels of nesting', `"x":${'['.repeat(199)}${']'.repeat(199)}`],
    ['a seed of 20 digits', '"seed":12345678901234567890'],
    ['metadata with a number of 20 digits', '"metadata":{"a":12345678901234567890, "b":"c"}'],
    ['metadata that is empty', '"metadata":{}'],
    ['metadata that is null', '"metadata":null'],
    ['a tool with unknown fields', '"tools":[{"type":"custom","depth":12345678901234567890}]'],
    [
      'fields of a provider',
      '"reasoning":{"effort":"high"},"transforms":["middle-out"],"thinking":{"type":"enabled"}',
    ],
  ])('%s', async (_what, members) => {
    const body = `${openedBody},${members}}`
    expect(await world.received(body)).toBe(forVendor(body))
  })

  test('even almost a thousand of them, before and after the known ones', async () => {
    const many = (name: string): string =>
      Array.from({ length: 495 }, (_, index) => `"${name}${index}":${index}`).join(',')
    const body = `{${many('a')},${openedBody.slice(1)},${many('b')}}`
    expect(await world.received(body)).toBe(forVendor(body))
  })

  test('even a text of 8 MB', async () => {
    const body = `${openedBody},"x":"${'quote \\" and slash \\\\ '.repeat(400_000)}"}`
    const sent = await world.received(body)
    expect(sent.length).toBe(forVendor(body).length)
    expect(sent === forVendor(body)).toBe(true)
  })
})

describe('our own fields do not reach the vendor', () => {
  test.each([
    [
      'tags beside others',
      '{"tags":["a"],"b":12345678901234567890}',
      '"metadata":{"b":12345678901234567890}',
    ],
    ['tags between others', '{"a": 1.0, "tags":["a"], "b":[ ]}', '"metadata":{"a": 1.0,"b":[ ]}'],
    ['no tags', '{"a":"b","tags":[]}', '"metadata":{"a":"b"}'],
    ['null', '{"tags":null,"a":"b"}', '"metadata":{"a":"b"}'],
    ['tags with an escape in the key', '{"t\\u0061gs":["a"],"a":"b"}', '"metadata":{"a":"b"}'],
    ['tags alone', '{"tags":["a"]}', undefined],
  ])('metadata.tags: %s', async (_what, metadata, left) => {
    const sent = await world.received(`${openedBody},"metadata":${metadata}}`)
    expect(sent).toBe(forVendor(left === undefined ? `${openedBody}}` : `${openedBody},${left}}`))
  })

  test('models: null', async () => {
    expect(await world.received(`${openedBody},"models":null}`)).toBe(forVendor(`${openedBody}}`))
  })

  test('a second model, however it is spelt', async () => {
    const sent = await world.received(`{"model":"evil","mod\\u0065l":"worse",${openedBody.slice(1)}}`)
    expect(sent).not.toMatch(/evil|worse/u)
    expect(JSON.parse(sent)).toEqual({ ...goodBody, model: 'gpt-4o-mini' })
  })
})
