import { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { parseRequest } from './request.ts'

const sized = (width: number, height: number): string => {
  const head = Buffer.alloc(64)
  head.writeUInt32BE(0x89504e47, 0)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head.toString('base64')
}
const jpeg = Buffer.from(['ff', 'd8', 'ff', 'e0', ...Array<string>(60).fill('00')].join(''), 'hex')
const image = (data: string, type = 'image/png'): object => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
})
const pdf = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }
const userTurn = (...content: object[]): object[] => [{ role: 'user', content }]
const read = (...content: object[]): object[] => [
  { role: 'user', content: 'Look' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
]
const small = image(sized(100, 100))

function refusalOf(messages: object[]): GatewayError | undefined {
  try {
    parseRequest({ model: 'm', max_tokens: 10, messages })
    return undefined
  } catch (error) {
    return error as GatewayError
  }
}

it.each<[string, object[], string, string]>([
  [
    'one that is too large',
    userTurn(small, image('A'.repeat(10 * 1024 * 1024 + 4))),
    'messages.0.content.1.source',
    'image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes',
  ],
  [
    'one too wide, within a result',
    read(small, image(sized(8_001, 10))),
    'messages.2.content.0.content.1.source',
    'At least one of the image dimensions exceed max allowed size: 8000 pixels',
  ],
  [
    'one too high among many',
    userTurn(...Array<object>(20).fill(small), image(sized(10, 2_001))),
    'messages.0.content.20.source',
    'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
  ],
  [
    'one of another kind than it says',
    userTurn(image(jpeg.toString('base64'))),
    'messages.0.content.0.source',
    'The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
  ],
  [
    'one too many',
    userTurn(pdf, ...Array<object>(600).fill(small)),
    'messages.0.content.600',
    'too many images and documents: 600 + 1 > 600',
  ],
])('refuses %s', (_what, messages, path, message) => {
  const refusal = refusalOf(messages)
  expect(refusal).toBeInstanceOf(GatewayError)
  expect([refusal!.status, refusal!.param]).toEqual([400, path])
  expect(refusal!.message).toBe(`${path}: ${message}`)
})

it.each<[string, object[]]>([
  ['the largest', userTurn(image(sized(8_000, 8_000)))],
  ['twenty large ones', userTurn(...Array<object>(20).fill(image(sized(8_000, 8_000))))],
  ['bytes that nobody knows', userTurn(image('AAAA'))],
  ['an address', userTurn({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } })],
  ['six hundred', userTurn(...Array<object>(600).fill(small))],
])('takes %s', (_what, messages) => {
  expect(refusalOf(messages)).toBeUndefined()
})
