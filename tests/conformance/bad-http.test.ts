import { describe, expect, test } from 'vitest'
import { converse, head } from './raw-http.ts'
import { goodBody, refusingNode, type Refusal } from './refusing-node.ts'

const path = '/v1/chat/completions'
const post = `POST ${path} HTTP/1.1`
const good = JSON.stringify(goodBody)
const mebibyte = 1024 * 1024

const world = await refusingNode()

type Header = [string, string | number]

function headers(...more: Header[]): Header[] {
  return [
    ['host', new URL(world.node.origin).host],
    ['authorization', `Bearer ${world.key.raw}`],
    ['content-type', 'application/json'],
    ...more,
  ]
}

async function expectRefused(pieces: (string | Buffer)[], refusal: Refusal): Promise<Headers> {
  const { answers } = await converse(world.node.origin, pieces)
  const answer = answers.at(-1)!
  await world.expectRefusal(answer.status, answer.headers, answer.body, refusal)
  return answer.headers
}

describe('paths and methods', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'])(
    '%s is 405',
    async (method) => {
      const refusal = { status: 405, param: null, message: new RegExp(method, 'u'), key: null }
      const answered = await expectRefused(
        [head(`${method} ${path} HTTP/1.1`, headers(['content-length', 0]))],
        refusal,
      )
      expect(answered.get('allow')).toBe('POST')
    },
  )

  test('HEAD is 405 without a body', async () => {
    const response = await fetch(world.node.origin + path, { method: 'HEAD' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/u)
  })

  test.each([
    '/v1/',
    '/v1/nothing',
    '/v1/chat',
    '/v1/chat/completions/',
    '/v1/chat/completions/x',
    '/v1//chat/completions',
    '/v1/Chat/Completions',
    '/v1/chat%2Fcompletions',
    '/v1/../v1/chat/completions',
    '/v1/__proto__',
    '/v1/constructor',
    `/v1/${'x'.repeat(8_000)}`,
    '/v1/%00',
    '/v1/<script>',
  ])('%.40s is 404', async (wrong) => {
    await expectRefused([head(`POST ${wrong} HTTP/1.1`, headers(['content-length', good.length])), good], {
      status: 404,
      param: null,
      key: null,
    })
  })

  test('accepts an address with a query, or with a host', async () => {
    for (const target of [`${path}?api-version=1`, world.node.origin + path]) {
      const { answers } = await converse(world.node.origin, [
        head(`GET ${target} HTTP/1.1`, headers(['content-length', 0])),
      ])
      expect(answers[0]).toMatchObject({ status: 405 })
    }
  })
})

describe('content types', () => {
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json-seq'],
    ['text/json'],
    ['json'],
    [''],
    ['application/json, text/plain'],
  ])('"%s" is 415', async (type) => {
    const response = await world.post(good, { 'content-type': type, 'x-turnpike-tags': 'bad-http' })
    await world.expectRefused(response, { status: 415, param: 'content-type', tags: ['bad-http'] })
  })

  test('a missing one is 415', async () => {
    const withoutType = headers(['content-length', good.length]).filter(([name]) => name !== 'content-type')
    await expectRefused([head(post, withoutType), good], { status: 415, param: 'content-type' })
  })

  test.each(['gzip', 'br', 'zstd', 'deflate', 'gzip, identity', 'nothing'])('%s is 415', async (encoding) => {
    const response = await world.post(good, { 'content-encoding': encoding })
    expect(response.headers.get('accept-encoding')).toBe('identity')
    await world.expectRefused(response, { status: 415, param: 'content-encoding' })
  })

  test('identity is accepted as an encoding', async () => {
    const response = await world.post('{}', { 'content-encoding': 'identity' })
    await world.expectRefused(response, { status: 400, param: 'model' })
  })

  test.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/json ;x=y',
  ])('"%s" is accepted as JSON', async (type) => {
    const response = await world.post('{}', { 'content-type': type })
    await world.expectRefused(response, { status: 400, param: 'model' })
  })
})

test('a request without Host is 400', async () => {
  const given = headers(['content-length', 2]).filter(([name]) => name !== 'host')
  await expectRefused([head(post, given), '{}'], { status: 400, param: 'host', key: null })
})

describe('a header that occurs twice', () => {
  test.each([
    ['host', 'evil.example', { status: 400, param: 'host', key: null }],
    ['authorization', 'Bearer sk-turnpike-other', { status: 401, param: null, key: null }],
    ['content-type', 'application/json', { status: 415, param: 'content-type' }],
    ['content-length', good.length, { status: 400, param: null, key: null }],
    ['content-length', good.length + 1, { status: 400, param: null, key: null }],
    ['transfer-encoding', 'chunked', { status: 400, param: null, key: null }],
  ] as const)('%s: %s', async (name, value, refusal) => {
    await expectRefused([head(post, headers(['content-length', good.length], [name, value])), good], refusal)
  })

  test('is merged if it is x-turnpike-tags', async () => {
    const tags: Header[] = [
      ['x-turnpike-tags', 'a, b'],
      ['X-Turnpike-Tags', 'b,c'],
    ]
    await expectRefused([head(post, headers(['content-length', 2], ...tags)), '{}'], {
      status: 400,
      param: 'model',
      tags: ['a', 'b', 'c'],
    })
  })
})

describe('invalid HTTP', () => {
  const unreadable = { status: 400, param: null, message: /HTTP/u, key: null }

  test.each([
    ['words', 'hello\r\n\r\n'],
    ['bytes', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a path without a slash', 'GET v1/models HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['another version', 'GET /v1/models HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['a header without a colon', 'GET /v1/models HTTP/1.1\r\nhost\r\n\r\n'],
    ['a NUL in a header', 'GET /v1/models HTTP/1.1\r\nhost: x\r\nx-turnpike-tags: a\0b\r\n\r\n'],
    ['a folded header', 'GET /v1/models HTTP/1.1\r\nhost: x\r\n y\r\n\r\n'],
    ['a length that is not a number', 'POST /v1/models HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n'],
    ['a negative length', 'POST /v1/models HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    await expectRefused([bytes], unreadable)
  })

  test('invalid chunks within a body', async () => {
    const { answers } = await converse(world.node.origin, [
      head(post, headers(['transfer-encoding', 'chunked'])),
      'zz\r\nhello\r\n',
    ])
    for (const answer of answers) expect(answer.status).toBe(400)
  })

  test.each([
    ['one header', [['x-long', 'x'.repeat(40_000)]]],
    ['many headers', Array.from({ length: 1_500 }, (_, index) => [`x-header-${index}`, 'x'.repeat(20)])],
    ['a path', []],
  ] as [string, Header[]][])('a head beyond the limit: %s', async (what, more) => {
    const line = what === 'a path' ? `GET /v1/${'x'.repeat(40_000)} HTTP/1.1` : post
    await expectRefused([head(line, headers(...more))], { status: 431, param: null, key: null })
  })
})

describe('valid HTTP', () => {
  test('HTTP/1.0', async () => {
    await expectRefused([head(`POST ${path} HTTP/1.0`, headers(['content-length', 2])), '{}'], {
      status: 400,
      param: 'model',
    })
  })

  test('a body that arrives byte by byte, or in chunks', async () => {
    await expectRefused([head(post, headers(['content-length', 2])), '{', '}'], {
      status: 400,
      param: 'model',
    })
    await expectRefused(
      [head(post, headers(['transfer-encoding', 'chunked'])), '1\r\n{\r\n', '1;x=y\r\n}\r\n0\r\n\r\n'],
      {
        status: 400,
        param: 'model',
      },
    )
  })

  test('pipelined requests are answered in their order', async () => {
    const request = (body: string): string => head(post, headers(['content-length', body.length])) + body
    const bodies = ['{}', '{"model":"x"}', '[]', '{}']
    const { answers } = await converse(world.node.origin, [bodies.map(request).join('')], { answers: 4 })
    const params = answers.map(
      (answer) => (JSON.parse(answer.body) as { error: { param: unknown } }).error.param,
    )
    expect(params).toEqual(['model', 'messages', null, 'model'])
    expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).toBe(4)
  })

  test('Expect: 100-continue gets a 100', async () => {
    const { answers } = await converse(
      world.node.origin,
      [head(post, headers(['content-length', 2], ['expect', '100-continue'])), '{}'],
      { answers: 2 },
    )
    expect(answers.map((answer) => answer.status)).toEqual([100, 400])
  })

  test('any other expectation is 417', async () => {
    await expectRefused([head(post, headers(['content-length', 2], ['expect', 'wonders'])), '{}'], {
      status: 417,
      param: null,
      key: null,
    })
  })

  test('ignores an upgrade to an unknown protocol', async () => {
    const upgrade: Header[] = [
      ['connection', 'upgrade'],
      ['upgrade', 'websocket'],
    ]
    await expectRefused([head(post, headers(['content-length', 2], ...upgrade)), '{}'], {
      status: 400,
      param: 'model',
    })
  })
})

describe('bodies of 33 MiB', () => {
  const refusal = { status: 413, param: null, message: /32 MiB/u, tags: ['large'] }
  const tags: Header = ['x-turnpike-tags', 'large']

  test('announced: refused before the body arrives', async () => {
    await expectRefused([head(post, headers(['content-length', 33 * mebibyte], tags))], refusal)
  })

  test('announced and sent', async () => {
    const body = Buffer.alloc(33 * mebibyte, 0x20)
    await expectRefused([head(post, headers(['content-length', body.length], tags)), body], refusal)
  })

  test('in chunks', async () => {
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(mebibyte, 0x20),
      Buffer.from('\r\n'),
    ])
    const chunks = Array.from({ length: 33 }, () => chunk)
    await expectRefused(
      [head(post, headers(['transfer-encoding', 'chunked'], tags)), ...chunks, '0\r\n\r\n'],
      refusal,
    )
  })

  test('one byte below the limit is accepted', async () => {
    const padded = `{"x":"${'x'.repeat(32 * mebibyte - 8)}"}`
    await world.expectRefused(await world.post(padded), { status: 400, param: 'model' })
  })
})
