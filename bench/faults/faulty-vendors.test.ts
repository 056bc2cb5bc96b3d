import { afterEach, expect, test } from 'vitest'
import { startFaultyVendors, type FaultyCounters } from './faulty-vendors.ts'
import { sharesOf, type FaultKind } from './schedule.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

/** Vendors that fail in the same way at every call. */
async function vendorsThat(kind: FaultKind | undefined): Promise<string> {
  const started = await startFaultyVendors(
    1,
    sharesOf((one) => (one === kind ? 1_000 : 0)),
  )
  close = () => started.close()
  return `http://127.0.0.1:${started.port}`
}

async function ask(origin: string, stream: boolean): Promise<Response> {
  return await fetch(`${origin}/first/x-sim-events/40/x-sim-interval-ms/1/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'load-model', stream }),
    signal: AbortSignal.timeout(500),
  })
}

async function journal(origin: string): Promise<FaultyCounters> {
  return (await (await fetch(`${origin}/journal`)).json()) as FaultyCounters
}

test.each([false, true])('a vendor without faults answers, stream: %s', async (stream) => {
  const origin = await vendorsThat(undefined)
  const text = await (await ask(origin, stream)).text()
  expect(text).toContain(stream ? 'data: [DONE]' : '"finish_reason":"stop"')
  expect(await journal(origin)).toMatchObject({ calls: 1, requests: 1, faults: sharesOf(() => 0) })
})

test.each(['429', '500', '503'] as const)('%s becomes a response with that status', async (kind) => {
  const origin = await vendorsThat(kind)
  const answer = await ask(origin, false)
  expect(answer.status).toBe(Number(kind))
  expect(answer.headers.get('retry-after')).toBe(kind === '429' ? '1' : null)
  expect((await journal(origin)).faults[kind]).toBe(1)
})

test.each([
  ['reset', false],
  ['hang', false],
  ['cut', false],
  ['cut', true],
] as const)('%s gives no complete response, stream: %s', async (kind, stream) => {
  const origin = await vendorsThat(kind)
  await expect(ask(origin, stream).then((answer) => answer.text())).rejects.toThrow()
  expect((await journal(origin)).faults[kind]).toBe(1)
})

test.each([false, true])('malformed gives invalid JSON, stream: %s', async (stream) => {
  const text = await (await ask(await vendorsThat('malformed'), stream)).text()
  expect(() => JSON.parse(text.replace('data: ', '')) as unknown).toThrow(SyntaxError)
})

test('all faults end on request', async () => {
  const origin = await vendorsThat('500')
  expect((await ask(origin, false)).status).toBe(500)
  await fetch(`${origin}/faults/stop`, { method: 'POST' })
  expect((await ask(origin, false)).status).toBe(200)
})
