import { describe, expect, it } from 'vitest'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { suiteKey, suiteNode } from '../../../tests/nodes/suite.ts'

const maxBytes = 32 * 1024 * 1024
const head = '"model":"sandbox/echo","messages":[{"role":"user","content":"[sandbox: pace=0]"}]'
/** The outermost object, and the values in the head. */
const valuesOfHead = 6

describe('a body that is mostly structure', () => {
  const node = suiteNode({ overload: { max_bodies_bytes: 2 * maxBytes } })
  const key = suiteKey(node)

  const list = (values: number): string => `{${head},"x":[${'1,'.repeat(values - 1)}1]}`
  const members = (count: number): string =>
    `{${head},${Array.from({ length: count - 2 }, (_, index) => `"x${index}":1`).join(',')}}`

  async function answerTo(body: string): Promise<[number, string]> {
    const response = await node.chat(key, body)
    return [response.status, await response.text()]
  }

  it.each([
    ['objects', '{},'],
    ['arrays', '[],'],
    ['objects with a member', '{"a":1},'],
    ['numbers', '1,'],
    ['white space between', '1 ,\n\t'],
  ])('of 32 MiB is refused before it is parsed: %s', async (_what, piece) => {
    const opened = `{${head},"x":[`
    const body = opened + piece.repeat(Math.floor((maxBytes - opened.length - 4) / piece.length)) + '1]}'
    const rssBefore = process.memoryUsage.rss()
    const startedAtMs = performance.now()
    const [status, text] = await answerTo(body)
    expect([status, text]).toEqual([400, expect.stringContaining('expected at most 500000 values')])
    expect(performance.now() - startedAtMs).toBeLessThan(4_000)
    expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(400e6)
  })

  it('may contain 500,000 values and no more', async () => {
    const free = 500_000 - valuesOfHead - 1
    expect((await answerTo(list(free)))[0]).toBe(200)
    expect(await answerTo(list(free + 1))).toEqual([400, expect.stringContaining('"param":null')])
  })

  it('may contain 1,000 outermost members and no more', async () => {
    expect((await answerTo(members(1_000)))[0]).toBe(200)
    expect(await answerTo(members(1_001))).toEqual([400, expect.stringContaining('at most 1000 members')])
  })

  it('may contain 1,000 members of metadata and no more', async () => {
    const metadata = (count: number): string =>
      `{${head},"metadata":{${Array.from({ length: count }, (_, index) => `"x${index}":"1"`).join(',')}}}`
    expect((await answerTo(metadata(1_000)))[0]).toBe(200)
    expect(await answerTo(metadata(1_001))).toEqual([400, expect.stringContaining('"param":"metadata"')])
  })

  it('takes memory budget by its values, and returns it', async () => {
    const small = await startTestNode({ input: { overload: { max_bodies_bytes: 1_000_000 } } })
    const smallKey = await small.createKey()
    const refused = await small.chat(smallKey, list(100_000))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    for (let count = 0; count < 20; count++)
      expect((await small.chat(smallKey, list(10_000))).status).toBe(200)
    expect(await (await small.metrics()).text()).toMatch(/^turnpike_request_bodies_bytes 0$/m)
    await small.stop()
  })
})
