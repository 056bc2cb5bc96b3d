import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rolldown } from 'rolldown'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../browser/chromium.ts'
import { startTestNode, type TestKey, type TestNode } from '../nodes/test-node.ts'

const executablePath = findChromium()

/** The calls of a web page's own scripts: the official SDK, as in a web application's bundle. */
const script = `
import OpenAI from 'openai'
const clientOf = ({ baseURL, apiKey }) =>
  new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 })
const question = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello from a page' }] }

window.whole = async (gateway) => {
  const { data, response } = await clientOf(gateway).chat.completions.create(question).withResponse()
  return { text: data.choices[0].message.content, headers: Object.fromEntries(response.headers) }
}
window.streamed = async (gateway) => {
  const stream = await clientOf(gateway).chat.completions.create({ ...question, stream: true })
  const parts = []
  for await (const { choices } of stream) parts.push(choices[0]?.delta.content ?? '')
  return { text: parts.join(''), parts: parts.length }
}
window.models = async (gateway) => {
  const ids = []
  for await (const { id } of clientOf(gateway).models.list()) ids.push(id)
  return ids
}
window.refused = async (gateway) => {
  try {
    await clientOf(gateway).chat.completions.create(question)
  } catch ({ status, type, requestID, message }) {
    return { status, type, requestID, message }
  }
}
window.managed = async ({ origin, apiKey }) => {
  try {
    await fetch(origin + '/api/v1/me', { headers: { authorization: 'Bearer ' + apiKey } })
  } catch (error) {
    return error.message
  }
}
`

type Action = 'whole' | 'streamed' | 'models' | 'refused' | 'managed'

/** A page of another origin that calls the gateway. */
describe.skipIf(executablePath === undefined)('a web page in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser
  let node: TestNode
  let key: TestKey
  let site: Server
  let page: Page
  beforeAll(async () => {
    node = await startTestNode()
    key = await node.createKey()
    const bundle = await bundled()
    site = createServer(({ url }, response) => {
      const isScript = url === '/page.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? bundle : '<!doctype html><script type="module" src="/page.js"></script>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    browser = await launchChromium(executablePath!)
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    site.closeAllConnections()
    site.close()
    await node.stop()
  })

  function act(action: Action, apiKey: string = key.raw): Promise<unknown> {
    const gateway = { origin: node.origin, baseURL: node.baseUrl, apiKey }
    return page.evaluate(`window.${action}(${JSON.stringify(gateway)})`)
  }

  test('gets an answer, and can read its headers', async () => {
    const answer = (await act('whole')) as { text: string; headers: Record<string, string> }
    expect(answer.text).toContain('Hello from a page')
    expect(answer.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_/u) as string,
      'x-turnpike-model': 'sandbox/echo',
      'x-turnpike-cost': expect.any(String) as string,
    })
  })

  test('gets a stream', async () => {
    const { text, parts } = (await act('streamed')) as { text: string; parts: number }
    expect(text).toContain('Hello from a page')
    expect(parts).toBeGreaterThan(2)
  })

  test('gets the list of models', async () => {
    expect(await act('models')).toContain('sandbox/echo')
  })

  test('can read why it was refused', async () => {
    expect(await act('refused', 'sk-turnpike-wrong')).toEqual({
      status: 401,
      type: 'authentication_error',
      requestID: expect.stringMatching(/^req_/u) as string,
      message: expect.stringContaining('The API key is invalid') as string,
    })
  })

  test('cannot read the management API', async () => {
    expect(await act('managed')).toBe('Failed to fetch')
  })
})

async function bundled(): Promise<string> {
  const entry = 'page.js'
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? script : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  return output[0].code
}
