import { describe, expect, test } from 'vitest'
import { goodBody, refusingNode } from './refusing-node.ts'

const world = await refusingNode()

const good = JSON.stringify(goodBody)
const opened = good.slice(0, -1)
const tagged = { 'x-turnpike-tags': 'bad-body' }
const tags = ['bad-body']

describe('a body that is not a JSON object is refused', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \r\n\t '],
    ['words', 'hello'],
    ['half a body', good.slice(0, 40)],
    ['a body and a half', `${good}{"model"`],
    ['two bodies', `${good}\n${good}`],
    ['single quotes', "{'model': 'openai/gpt-4o-mini'}"],
    ['an extra comma', `${opened},}`],
    ['a comment', `/* chat */ ${good}`],
    ['a byte order mark', `\uFEFF${good}`],
    ['NaN', `${opened},"seed":NaN}`],
    ['Infinity', `${opened},"seed":-Infinity}`],
    ['a hexadecimal number', `${opened},"seed":0x10}`],
    ['a leading zero', `${opened},"seed":01}`],
    ['a raw NUL within a text', good.replace('Hello', 'He\0llo')],
    ['a raw NUL before the body', `\0${good}`],
    ['a raw line feed within a text', good.replace('Hello', 'He\nllo')],
    ['half an escape', good.replace('Hello', 'He\\u12')],
    ['an array', `[${good}]`],
    ['an empty array', '[]'],
    ['a number', '42'],
    ['a text', '"hello"'],
    ['null', 'null'],
    ['true', 'true'],
    ['a form', 'model=openai%2Fgpt-4o-mini'],
    ['100,000 open brackets', '['.repeat(100_000)],
    ['100,000 open objects', '{"a":'.repeat(100_000)],
  ])('%s', async (_what, body) => {
    await world.expectRefused(await world.post(body, tagged), {
      status: 400,
      param: null,
      message: /body/u,
      tags,
    })
  })

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a cut character', [0xe2, 0x82]],
    ['latin1', [0xe9]],
  ])('invalid UTF-8: %s', async (_what, bytes) => {
    const [before, after] = good.split('Hello')
    const body = Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)])
    await world.expectRefused(await world.post(body, tagged), {
      status: 400,
      param: null,
      message: /UTF-8/u,
      tags,
    })
  })

  test.each([
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${good}`, 'utf16le')],
    ['zeros', Buffer.alloc(1024)],
  ])('%s', async (_what, body) => {
    await world.expectRefused(await world.post(body, tagged), { status: 400, param: null, tags })
  })
})

describe('an empty object or message', () => {
  test.each([
    ['{}', 'model'],
    ['{"model": "openai/gpt-4o-mini"}', 'messages'],
    ['{"model": "openai/gpt-4o-mini", "messages": [{}]}', 'messages[0].role'],
    ['{"model": "openai/gpt-4o-mini", "messages": [[]]}', 'messages[0]'],
  ])('%s', async (body, param) => {
    await world.expectRefused(await world.post(body, tagged), { status: 400, param, tags })
  })
})

describe('nesting of 500 levels', () => {
  const arrays = `${'['.repeat(500)}${']'.repeat(500)}`
  const objects = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`

  test.each([
    ['arrays in an unknown field', `${opened},"deep":${arrays}}`, 'deep'],
    ['objects in an unknown field', `${opened},"deep":${objects}}`, 'deep'],
    ['arrays in metadata', `${opened},"metadata":{"a":${arrays}}}`, 'metadata'],
    ['objects in metadata', `${opened},"metadata":${objects}}`, 'metadata'],
    ['arrays in messages', `{"model":"openai/gpt-4o-mini","messages":${arrays}}`, 'messages'],
    ['objects in a message', `{"model":"openai/gpt-4o-mini","messages":[${objects}]}`, 'messages'],
    [
      'a tool schema',
      `${opened},"tools":[{"type":"function","function":{"name":"f","parameters":${objects}}}]}`,
      'tools',
    ],
    ['a field with another alphabet', `${opened},"größe 🙂":${arrays}}`, 'größe 🙂'],
    ['a field with an escape in its name', `${opened},"d\\u0065ep":${objects}}`, 'deep'],
  ])('%s', async (_where, body, param) => {
    await world.expectRefused(await world.post(body, tagged), {
      status: 400,
      param,
      message: /levels of nesting/u,
      tags,
    })
  })

  test('in a field with a name of 1 MB, which the error does not repeat', async () => {
    const response = await world.post(`${opened},"${'x'.repeat(1_000_000)}":${arrays}}`)
    const text = await response.text()
    expect(text.length).toBeLessThan(1_000)
    await world.expectRefusal(response.status, response.headers, text, {
      status: 400,
      param: `${'x'.repeat(64)}…`,
    })
  })
})

describe('half a surrogate pair', () => {
  const half = '\\ud83d'

  test.each([
    ['in a content', good.replace('Hello', `Hello ${half}`), 'messages[0].content'],
    ['a low one', good.replace('Hello', '\\uDE42 Hello'), 'messages[0].content'],
    ['two high ones', good.replace('Hello', half + half), 'messages[0].content'],
    ['in the model', good.replace('gpt-4o-mini', half), 'model'],
    ['in an unknown field', `${opened},"x":{"y":["${half}"]}}`, 'x.y[0]'],
    ['in the key of an unknown field', `${opened},"x":{"${half}":1}}`, 'x'],
    ['in an outermost key', `${opened},"${half}":1}`, null],
    ['in a tag', `${opened},"metadata":{"tags":["ok","${half}"]}}`, 'metadata.tags[1]'],
    ['in a key of metadata', `${opened},"metadata":{"${half}":"x"}}`, 'metadata'],
  ])('%s', async (where, body, param) => {
    const kept = where === 'in a tag' ? [...tags, 'ok'] : tags
    const response = await world.post(body, tagged)
    await world.expectRefused(response, { status: 400, param, message: /surrogate/u, tags: kept })
  })
})

describe('absurd numbers', () => {
  test.each([
    ['max_tokens', '1e400'],
    ['max_tokens', '-1e400'],
    ['max_tokens', '1e-400'],
    ['max_tokens', '-0'],
    ['max_completion_tokens', '1e308'],
    ['max_completion_tokens', '99999999999999999999'],
    ['n', '1e400'],
    ['n', '1.0000000000001'],
    ['temperature', '1e400'],
    ['temperature', '-1e-300'],
    ['seed', '1e400'],
    ['top_logprobs', '-1'],
  ])('%s: %s', async (field, number) => {
    const response = await world.post(`${opened},"${field}":${number}}`, tagged)
    await world.expectRefused(response, { status: 400, param: field, message: /expected/u, tags })
  })
})

describe('names of models', () => {
  test.each([
    ['of 10 kB', 'm'.repeat(10_240)],
    ['of 10 kB in another alphabet', '模'.repeat(3_400)],
    ['of 257 characters', `openai/${'m'.repeat(250)}`],
    ['empty', ''],
  ])('%s', async (_what, model) => {
    await world.expectRefused(await world.post({ ...goodBody, model }, tagged), {
      status: 400,
      param: 'model',
      tags,
    })
  })

  test.each([
    ['unknown', 'openai/none'],
    ['of 256 characters', `openai/${'m'.repeat(249)}`],
    ['a pair cut by the bound of the row', `${'m'.repeat(255)}🙂`.slice(0, 254) + '🙂'],
    ['with a NUL', 'openai/gpt-4o-mini\0'],
    ['with a line feed', 'openai/gpt-4o-mini\n'],
    ['with markup', '<script>alert(1)</script>'],
    ['of another case', 'OpenAI/GPT-4o-mini'],
    ['with an extra slash', 'openai//gpt-4o-mini'],
    ['of an object', '__proto__'],
    ['of a function', 'constructor'],
    ['of SQL', "' OR 1=1 --"],
  ])('%s', async (_what, model) => {
    await world.expectRefused(await world.post({ ...goodBody, model }, tagged), {
      status: 404,
      param: 'model',
      tags,
    })
  })
})
