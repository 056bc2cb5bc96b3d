import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UndiciUpstreamClient } from '@turnpike/gateway'
import { invalidRequest } from '@turnpike/protocol'
import { PriceFileError } from '@turnpike/vendors'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ModelOverride } from '../configuration/configuration.ts'
import { resolveConfiguration } from '../configuration/resolve/resolve.ts'
import type { ConfigurationInput } from '../configuration/schema/schema.ts'
import { PriceBook } from './price-book.ts'

let directory: string
let priceFile: string
let nowMs: number
let warned: Record<string, unknown>[]
let failed: Record<string, unknown>[]
let book: PriceBook | undefined
const client = new UndiciUpstreamClient()

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'turnpike-prices-'))
  priceFile = join(directory, '.turnpike/prices.json')
  nowMs = Date.parse('2026-11-21T12:00:00Z')
  warned = []
  failed = []
})
afterEach(() => {
  book?.close()
  vi.useRealTimers()
  rmSync(directory, { recursive: true })
})

function open(input: ConfigurationInput, readModels?: () => ModelOverride[]): PriceBook {
  const configuration = resolveConfiguration(input, { file: null, directory, environment: {} })
  configuration.dataDir = directory
  priceFile = join(directory, 'prices.json')
  book = new PriceBook({
    configuration,
    builtIn: [],
    client,
    log: {
      warn: (fields) => void warned.push(fields),
      error: (fields) => void failed.push(fields),
    },
    clock: () => nowMs,
    readModels,
  })
  return book
}

const priced = (id: string, prices: object) => ({ id, match: { equals: id }, prices })
/** The packaged value. */
const searches = { web_searches_kcount: 10 }
const openai = { providers: { openai: { api_keys: ['k'] } } } satisfies ConfigurationInput

function writePrices(...models: object[]): void {
  writeFileSync(join(directory, 'prices.json'), JSON.stringify([{ id: 'openai', models }]))
}

const promptOf = (id: string): string | undefined => book!.current.prices.get(id)?.pricing.prompt

test('without a file, the packaged prices are in force, with a version of their own', () => {
  const report = open(openai).report()
  expect(report).toMatchObject({
    version: expect.stringMatching(/^prices_20\d\d-\d\d-\d\d_[0-9a-f]{12}$/),
    source: expect.stringMatching(/^@pydantic\/genai-prices \d/),
    updated_at: nowMs / 1000,
    changes: [],
    unpriced: [],
    problems: [],
  })
  expect(report.models).toBe(book!.current.catalog.models.length)
  expect(promptOf('openai/gpt-4o')).toBe('0.0000025')
  expect(report.not_charged).toContainEqual({
    model: 'openai/gpt-4o',
    prices: ['storage_searches_kcount'],
  })
  expect(open(openai).report().version).toBe(report.version)
})

test("if no vendor has prices, all prices are the operator's own", () => {
  const house = { style: 'openai', base_url: 'http://127.0.0.1:9/v1' } as const
  expect(open({ providers: { house } }).report()).toMatchObject({
    version: expect.stringMatching(/^prices_own_[0-9a-f]{12}$/),
    source: 'the configuration',
  })
})

test('models are those of the configured providers, under the providers’ names', () => {
  open({ providers: { groq: {}, 'azure-eu': { vendor: 'azure', base_url: 'https://eu' }, ollama: {} } })
  const providers = new Set(book!.current.catalog.models.map(({ id }) => id.slice(0, id.indexOf('/'))))
  expect([...providers]).toEqual(['azure-eu', 'groq'])
  expect(book!.current.catalog.resolve('azure-eu/gpt-5').upstreams).toEqual([
    { provider: 'azure-eu', model: 'gpt-5' },
  ])
})

test('a refresh uses the file, and reports prices that changed by more than 20 %', async () => {
  const before = open(openai).report()
  const old = book!.current
  writePrices(
    priced('gpt-4o', { input_mtok: 3.1, cache_read_mtok: 1.25, output_mtok: 8.1, ...searches }),
    priced('gpt-4o-mini', { input_mtok: 0.18, cache_read_mtok: 0.075, output_mtok: 0.6, ...searches }),
    priced('gpt-5.4', {
      input_mtok: { base: 2.5, tiers: [{ start: 271_999, price: 7.5 }] },
      cache_read_mtok: { base: 0.25, tiers: [{ start: 271_999, price: 0.5 }] },
      output_mtok: { base: 15, tiers: [{ start: 271_999, price: 22.5 }] },
      ...searches,
    }),
    priced('gpt-4.1', {}),
  )
  nowMs += 60_000
  const report = await book!.refresh()
  expect(report).toMatchObject({ source: priceFile, updated_at: nowMs / 1000, changed_models: 4 })
  expect(report.version).not.toBe(before.version)
  expect(report.changes).toEqual([
    { model: 'openai/gpt-4.1', price: 'prompt', before: '0.000002', after: null, changed_percent: null },
    { model: 'openai/gpt-4o', price: 'prompt', before: '0.0000025', after: '0.0000031', changed_percent: 24 },
    {
      model: 'openai/gpt-5.4',
      price: 'overrides[min_prompt_tokens=272000].prompt',
      before: '0.000005',
      after: '0.0000075',
      changed_percent: 50,
    },
  ])
  expect(warned).toEqual(report.changes)
  expect(report.unpriced).toEqual(['openai/gpt-4.1'])
  expect(promptOf('openai/gpt-4o')).toBe('0.0000031')
  expect(promptOf('openai/gpt-4.1')).toBeUndefined()
  expect(promptOf('openai/gpt-5'), 'not in the file: as packaged').toBe('0.00000125')
  expect(old.prices.get('openai/gpt-4o')?.pricing.prompt, 'given out before').toBe('0.0000025')
  expect((await book!.refresh()).changes, 'nothing new').toEqual([])
})

test('a change of exactly 20 % is not noticeable, and a new price is', async () => {
  open({ providers: { gemini: {}, openai: {} } })
  const gemma = priced('gemma-4-31b-it', { input_mtok: 0.1, output_mtok: 0.2 })
  const google = { id: 'google', models: [gemma] }
  const gpt = priced('gpt-4o', { input_mtok: 3, cache_read_mtok: 1, output_mtok: 10, ...searches })
  writeFileSync(priceFile, JSON.stringify([google, { id: 'openai', models: [gpt] }]))
  expect(await book!.refresh()).toMatchObject({
    changed_models: 2,
    changes: [{ model: 'gemini/gemma-4-31b-it', price: 'prompt', before: null, after: '0.0000001' }],
  })
})

test('a price that cannot be charged exactly stays as packaged, and is reported', async () => {
  open(openai)
  writePrices(priced('gpt-4o', { input_mtok: 0.08333333333333334, output_mtok: 1 }))
  const { problems } = await book!.refresh()
  expect(problems).toEqual([expect.stringMatching(/^openai\/gpt-4o: 0\.0833.* is no multiple of 10\^-12/)])
  expect(warned).toEqual([{ problem: problems[0] }])
  expect(promptOf('openai/gpt-4o')).toBe('0.0000025')
})

test.each([
  ['no JSON', 'prices.json: '],
  ['{}', 'prices.json: the file: expected a list'],
  ['[{"id":"openai","models":[{"id":"x"}]}]', 'prices.json: [0].models[0].match: expected an object'],
])('an unusable file changes nothing: %s', async (text, message) => {
  const before = open(openai).report()
  writeFileSync(priceFile, text)
  await expect(book!.refresh()).rejects.toMatchObject({
    type: 'invalid_request_error',
    status: 400,
    message: expect.stringContaining(message),
  })
  expect(book!.report()).toEqual(before)
  expect(() => open(openai), 'nor does it start with one').toThrow(PriceFileError)
})

test('a configured file has to exist', () => {
  const named = { ...openai, prices: { file: 'newer.json' } }
  expect(() => open(named)).toThrow(/^prices.file names .*newer.json, which does not exist$/)
  writeFileSync(join(directory, 'newer.json'), '[]')
  expect(open(named).report().source).toBe(join(directory, 'newer.json'))
})

test('the configuration’s models are read again, and its mistakes change nothing', async () => {
  let prompt: string | undefined = '0.000001'
  open(openai, () => {
    if (prompt === undefined) throw invalidRequest(undefined, 'a mistake')
    return [
      { id: 'openai/gpt-4o', free: false, pricing: { prompt, completion: '0.000009', web_search: '0.01' } },
    ]
  })
  expect((await book!.refresh()).changes).toMatchObject([{ price: 'prompt', changed_percent: -60 }])
  expect(promptOf('openai/gpt-4o')).toBe('0.000001')
  prompt = undefined
  await expect(book!.refresh()).rejects.toThrow('a mistake')
  expect(promptOf('openai/gpt-4o')).toBe('0.000001')
})

test('time-limited prices take effect on their own, and do not count as a change', () => {
  vi.useFakeTimers({ now: nowMs })
  nowMs = Date.parse('2026-11-21T00:59:59Z')
  const version = open({ providers: { deepseek: {} } }).report().version
  const told: (string | undefined)[] = []
  book!.onChange = ({ prices }) => told.push(prices.get('deepseek/deepseek-v4-flash')?.pricing.prompt)
  expect(promptOf('deepseek/deepseek-v4-flash')).toBe('0.00000022')
  nowMs += 1000
  vi.advanceTimersByTime(1000)
  expect(told).toEqual(['0.00000044'])
  for (let hour = 1; hour <= 3; hour++) {
    nowMs += 3_600_000
    vi.advanceTimersByTime(3_600_000)
  }
  expect(told.at(-1)).toBe('0.00000022')
  expect(promptOf('deepseek/deepseek-v4-flash')).toBe('0.00000022')
  expect(book!.report()).toMatchObject({ version, changes: [] })
})

test('an alias in the configuration refers to the model that it names', () => {
  open({
    ...openai,
    models: { 'openai/gpt-4o-2024-11-20': { pricing: { prompt: '1', completion: '2' } } },
  })
  expect(book!.current.catalog.resolve('openai/gpt-4o-2024-11-20')).toMatchObject({
    id: 'openai/gpt-4o-2024-11-20',
    maxOutputTokens: 16_384,
    pricing: { prompt: '1' },
    upstreams: [{ provider: 'openai', model: 'gpt-4o-2024-11-20' }],
  })
  expect(book!.current.catalog.resolve('openai/gpt-4o-2024-08-06').id).toBe('openai/gpt-4o')
})

test('the operator’s own upstream gets the model that the operator names, whatever the alias', () => {
  const upstreams = [{ provider: 'openai', model: 'my-deployment' }]
  open({ ...openai, models: { 'openai/gpt-4o': { upstreams } } })
  expect(book!.current.catalog.resolve('gpt-4o-2024-08-06').upstreams).toEqual(upstreams)
})

/** The response until a test changes it. */
let answer: { status: number; body: string }
async function serve(): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.json` }
}

test('with an address, the file is downloaded first, and kept only if it can be used', async () => {
  const { server, url } = await serve()
  const gpt = priced('gpt-4o', { input_mtok: 5, output_mtok: 10 })
  const body = JSON.stringify([{ id: 'openai', models: [gpt] }])
  answer = { status: 200, body }
  try {
    writeFileSync(join(directory, 'prices.json'), '[]')
    open({ ...openai, prices: { url } })
    await book!.refresh()
    expect(readFileSync(priceFile, 'utf8')).toBe(body)
    expect(promptOf('openai/gpt-4o')).toBe('0.000005')
    answer = { status: 404, body: 'gone' }
    await expect(book!.refresh()).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('returned 404'),
    })
    answer = { status: 200, body: '<html>' }
    await expect(book!.refresh()).rejects.toMatchObject({ status: 400 })
    expect(readFileSync(priceFile, 'utf8')).toBe(body)
    expect(existsSync(`${priceFile}.new`)).toBe(false)
  } finally {
    server.close()
  }
})

test('an old file is renewed at the start, and a failure is logged', async () => {
  const { server, url } = await serve()
  answer = { status: 500, body: '' }
  try {
    open({ ...openai, prices: { url } })
    await vi.waitFor(() => expect(failed).toHaveLength(1), 20_000)
    expect(failed[0]).toMatchObject({ error: expect.stringContaining('returned 500') })
    expect(promptOf('openai/gpt-4o')).toBe('0.0000025')
  } finally {
    server.close()
  }
})

const keys = { access_key_id: 'AKIA', secret_access_key: 's' }
const proxy = 'https://bedrock.proxy.example'
const google = 'https://aiplatform.googleapis.com/v1'
const nova = 'bedrock/amazon.nova-lite-v1:0'
const gemini = 'vertex/gemini-2.5-pro'

test.each<[string, NonNullable<ConfigurationInput['providers']>, string, boolean]>([
  ['the address', { bedrock: { base_url: 'https://bedrock-runtime.us-east-1.amazonaws.com' } }, nova, true],
  ['the address', { bedrock: { base_url: 'https://bedrock-runtime.eu-west-1.amazonaws.com' } }, nova, false],
  ['the signing region', { bedrock: { base_url: proxy, aws: { region: 'us-east-1', ...keys } } }, nova, true],
  [
    'the signing region',
    { bedrock: { base_url: proxy, aws: { region: 'eu-west-1', ...keys } } },
    nova,
    false,
  ],
  ['its operator', { bedrock: { base_url: proxy, api_keys: ['k'], regions: ['us-east-1'] } }, nova, true],
  ['nothing', { bedrock: { base_url: proxy, api_keys: ['k'] } }, nova, false],
  [
    'the address',
    { vertex: { base_url: `${google}/projects/p/locations/global/publishers/google`, api_keys: ['k'] } },
    gemini,
    true,
  ],
  [
    'the address',
    {
      vertex: {
        base_url:
          'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/' +
          'publishers/google',
        api_keys: ['k'],
      },
    },
    gemini,
    false,
  ],
  ['the host', { vertex: { base_url: `${google}/publishers/google`, api_keys: ['k'] } }, gemini, true],
])('if %s contains the region, a price applies only there: %j', (_who, providers, model, isKnown) => {
  open({ providers })
  expect(promptOf(model) !== undefined).toBe(isKnown)
  // The geography in the model's name determines its price, wherever it is called from.
  if ('bedrock' in providers) expect(promptOf('bedrock/us.amazon.nova-lite-v1:0')).toBe('0.00000006')
})
