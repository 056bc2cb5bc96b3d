import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compilePricing, noBudgets, SpendBook } from '@turnpike/billing'
import { vendorFormats, openaiChatCaller, parseRequest } from '@turnpike/dialects'
import { Limiter, TierTable, type Allowance } from '@turnpike/limits'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fundedKey } from '../../storage/testing/fixtures.ts'
import { onEachEngine } from '../../storage/testing/test-database.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { estimateInputTokens } from '../operations/generate/estimate.ts'
import { generate } from '../operations/generate/rules.ts'
import { mediaSlots } from '../upstream/media/media-slots.ts'
import { outboundBody, fitRequest } from './body.ts'

const pdfBytes = 400_000
/** One token per 40 characters of base64, less the 2,000 that an address counts as. */
const pdfTokens = Math.ceil((Math.ceil(pdfBytes / 3) * 4) / 40)
const prices = compilePricing({ prompt: '0.000001', completion: '0.000001' }, '1')
const picoPerToken = 1_000_000n

let server: Server
let origin: string
let fetched: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    fetched.push(request.url ?? '')
    if (request.url === '/a.png') {
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(1024 * 1024))
      return
    }
    const pdf = Buffer.alloc(pdfBytes)
    pdf.write('%PDF-1.7\n<< /Type /Page >>')
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('media that the gateway fetches', () => {
  onEachEngine((opened) => {
    const gemini = vendorFormats['google-generate']

    interface World {
      request: Held
      gateway: Gateway
      remaining: () => number
      send: () => Buffer | Promise<Buffer>
    }

    /** A request whose hold only covers its addresses. */
    async function world(
      content: object[],
      creditPico: bigint,
      keep?: (bytes: number) => void,
    ): Promise<World> {
      fetched = []
      const key = await fundedKey(opened().storage, creditPico)
      const leases = new SpendBook(opened().storage, newIdentifier('node'))
      const tiers = new TierTable([
        { name: 'free', lifetimeTopupPico: null, models: new Map(), inputTokensPerMinute: 100_000 },
      ])
      const limiter = new Limiter({ tiers, burstPerKeyPerSecond: 10, burstBodyBytes: 1_000_000 })
      const caller = { id: key.id, accountId: key.accountId, tier: 'free', lifetimeTopupPico: 0n }
      const body = { model: 'google/gemini', messages: [{ role: 'user', content }] }
      const call = parseRequest(body)
      const inputTokens = estimateInputTokens(call.request, JSON.stringify(body).length)
      const allowance = limiter.admit(caller, { id: 'google/gemini' }, { inputTokens, mostOutputTokens: 0 })
      const result = await leases.hold(
        { keyId: key.id, startedAtMs: Date.now(), budgets: noBudgets },
        BigInt(inputTokens) * picoPerToken,
      )
      if ('refused' in result) throw new Error('the credit is too small for this test')
      const model = { id: 'google/gemini', maxOutputTokens: 100, supportedParameters: [], contextLength: 1 }
      const provider = { paidFields: [], unaskedSearches: 0, format: 'google-generate' }
      const candidate = { model, prices, provider, upstream: { provider: 'google', model: 'gemini' } }
      const request = {
        exchange: {
          listen: () => undefined,
          clientClosed: false,
          keepFetched: keep ?? ((): void => undefined),
        },
        key,
        call,
        format: openaiChatCaller,
        operation: generate,
        candidates: [candidate],
        furtherInput: [],
        record: { holdPico: 0n },
        allowance: allowance as Allowance,
        hold: result.hold,
        heldInputTokens: inputTokens,
        outputBound: { tokens: 100, isSent: false, isLowered: false },
      } as unknown as Held
      const rules = { allowsAddress: () => true, allowsPort: () => true }
      const gateway = { leases, limiter, media: { places: mediaSlots(), rules } } as unknown as Gateway
      const remaining = (): number =>
        Number(limiter.headers(caller, allowance as Allowance)['x-ratelimit-remaining-tokens'])
      const attempt = { request, candidate } as unknown as Attempt
      const send = (): ReturnType<typeof outboundBody> =>
        outboundBody(
          attempt,
          { original: request.call.request, lenient: fitRequest(attempt, request.call.request, gemini) },
          gemini,
          gateway,
        )
      return { request, gateway, remaining, send }
    }

    const pdf = (path: string): object => ({ type: 'file', file: { file_data: origin + path } })
    const image = (): object => ({ type: 'image_url', image_url: { url: `${origin}/a.png` } })

    async function refusalOf(sent: () => Buffer | Promise<Buffer>): Promise<GatewayError> {
      try {
        await sent()
      } catch (error) {
        expect(error).toBeInstanceOf(GatewayError)
        return error as GatewayError
      }
      throw new Error('it was not refused')
    }

    it('are held for at their real size before the vendor is called', async () => {
      const { request, remaining, send } = await world([pdf('/a.pdf')], 10n ** 12n)
      const before = { tokens: request.heldInputTokens, pico: request.hold.amountPico, left: remaining() }
      expect((await send()).length).toBeGreaterThan(pdfBytes)
      const more = pdfTokens - 2_000
      expect(request.heldInputTokens).toBe(before.tokens + more)
      expect(request.hold.amountPico).toBe(before.pico + BigInt(more) * picoPerToken)
      expect(request.record.holdPico).toBe(request.hold.amountPico)
      expect(request.allowance.estimate.inputTokens).toBe(request.heldInputTokens)
      // The bucket refills while the test runs.
      expect(before.left - remaining()).toBeGreaterThan(more / 2)
      // The next candidate neither fetches nor holds for them again.
      await send()
      expect(fetched).toEqual(['/a.pdf'])
      expect(request.heldInputTokens).toBe(before.tokens + more)
    })

    it('are a 402 for every candidate if the credit does not cover them', async () => {
      const { request, gateway, send } = await world([pdf('/a.pdf')], 5_000n * picoPerToken)
      const { amountPico } = request.hold
      const refusal = await refusalOf(send)
      expect(refusal).toMatchObject({ status: 402, type: 'insufficient_quota' })
      expect(refusal.message).toContain('credit of 0.005 USD')
      expect(refusal.message).toContain('up to 0.013')
      expect(await refusalOf(send)).toBe(refusal)
      expect(fetched).toEqual(['/a.pdf'])
      expect(request.hold.amountPico).toBe(amountPico)
      gateway.leases.settle(request.hold, 0n)
      expect(gateway.leases.totals().heldPico).toBe(0n)
    })

    it('fetches an image once, and counts it for every reference', async () => {
      const { request, send } = await world(
        Array.from({ length: 10 }, () => pdf('/a.pdf')),
        10n ** 12n,
      )
      await send()
      expect(fetched).toEqual(['/a.pdf'])
      expect(request.heldInputTokens).toBeGreaterThan(10 * pdfTokens)
    })

    it('are rejected if they are too large in total, though each is fetched once', async () => {
      const { send } = await world(Array.from({ length: 1_000 }, image), 10n ** 13n)
      expect(await refusalOf(send)).toMatchObject({
        status: 400,
        param: 'messages[0].content[0].image_url.url',
      })
      expect(fetched).toEqual(['/a.png'])
    })

    it('use the memory for bodies, and are rejected if there is none left', async () => {
      let kept = 0
      const roomy = await world([image()], 10n ** 12n, (bytes) => (kept += bytes))
      await roomy.send()
      expect(kept).toBeGreaterThanOrEqual((1024 * 1024 * 4) / 3)
      const full = await world([image()], 10n ** 12n, () => {
        throw new GatewayError('service_unavailable', 'full')
      })
      expect(await refusalOf(full.send)).toMatchObject({ status: 503 })
    })
  })
})

describe('places for fetching media', () => {
  it('are sixteen for each account, and a waiting account does not delay another one', async () => {
    const places = mediaSlots()
    let entered = 0
    const enter = async (accountId: string): Promise<void> => {
      await places.acquire(accountId)
      entered++
    }
    const first = Array.from({ length: 18 }, () => enter('a'))
    await Promise.all(first.slice(0, 16))
    await enter('b')
    expect(entered).toBe(17)
    places.release('a')
    places.release('a')
    await Promise.all(first)
    expect(entered).toBe(19)
  })

  it('are limited for each node, and so is the queue for them', async () => {
    const places = mediaSlots()
    for (let count = 0; count < 64; count++) await places.acquire(`account ${count}`)
    const waiting = Array.from({ length: 1_000 }, (_, index) => places.acquire(`other ${index}`))
    await expect(places.acquire('late')).rejects.toMatchObject({ status: 503 })
    for (let count = 0; count < 64; count++) places.release(`account ${count}`)
    await Promise.all(waiting.slice(0, 64))
  })

  it('can be had by one account while another has many requests waiting', async () => {
    const places = mediaSlots()
    for (let count = 0; count < 16; count++) await places.acquire('many')
    const many = Array.from({ length: 250 }, () => places.acquire('many'))
    await expect(places.acquire('many')).rejects.toMatchObject({ status: 503 })
    for (let count = 0; count < 16; count++) await places.acquire('other')
    const waiting = places.acquire('other')
    places.release('other')
    await waiting
    for (let count = 0; count < 16; count++) places.release('many')
    await Promise.all(many.slice(0, 16))
  })
})
