import type { Usage } from '@turnpike/protocol'
import { describe, expect, it } from 'vitest'
import type { Ending } from '../context/ending.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt } from '../context/stages.ts'
import { generate } from '../operations/generate/rules.ts'
import { completeUsage } from './complete-usage.ts'

/** Counts words. */
const tokens = { count: (text: string) => Promise.resolve(text.split(' ').filter(Boolean).length) }
const gateway = { tokens } as unknown as Gateway

const contextLength = 1_000
const bound = 100

/** An attempt that was called this many seconds ago. */
function attempt(ofRequest: object = {}, ofModel: object = {}, secondsAgo = 0): Attempt {
  return {
    request: {
      call: { request: { choices: 1, extensions: {}, tools: [], stream: true } },
      operation: generate,
      outputBound: { tokens: bound, isSent: true, isLowered: false },
      input: { text: 'a prompt of five words', tools: [], mediaTokens: 0 },
      exchange: { startedAtMonotonicMs: 0 },
      record: { firstTokenMs: null },
      ...ofRequest,
    },
    candidate: {
      model: { contextLength, maxOutputTokens: 400, supportedParameters: [], ...ofModel },
      provider: { format: 'openai-chat', paidFields: [], unaskedSearches: 0 },
      upstream: { model: 'm' },
    },
    calledAtMs: performance.now() - secondsAgo * 1_000,
    heldOutputTokens: bound,
  } as unknown as Attempt
}

function ending(usage: Usage | undefined, text: string, finished: boolean): Ending {
  const output = { text, sample: '', bytes: Buffer.byteLength(text), textlessTokens: 0, reasoningSeen: false }
  const outcome = finished ? 'completed' : 'client_closed'
  return { outcome, status: 200, error: undefined, usage, finished, output, tail: { kind: 'none' } }
}

const complete = async (asked: Attempt, ended: Ending): Promise<Usage> => completeUsage(asked, ended, gateway)

describe('the usage that a vendor reports', () => {
  it.each([
    [{ inputTokens: 900, outputTokens: 200 }, true],
    [{ inputTokens: 900, outputTokens: 201 }, false],
    [{ inputTokens: 1, cacheReadTokens: 1_100 }, false],
    [{ inputTokens: 1, outputTokens: 50, reasoningTokens: 9e15 }, false],
  ])('is accepted within the context and the output bound: %j, %s', async (usage, isBelieved) => {
    const reported: Usage = { outputTokens: 1, ...usage, raw: usage }
    const counted = await complete(attempt(), ending(reported, 'two words', true))
    if (isBelieved) expect(counted).toBe(reported)
    else {
      expect(counted).toMatchObject({
        outputTokens: 2,
        estimated: true,
        disbelieved: 'implausible',
        raw: usage,
      })
      expect(counted.cacheReadTokens).toBeUndefined()
    }
  })

  it('counts the output bound once per choice', async () => {
    const usage = { inputTokens: 900, outputTokens: 500 }
    const asked = attempt({ call: { request: { choices: 4, extensions: {}, tools: [], stream: true } } })
    expect(await complete(asked, ending(usage, '', true))).toBe(usage)
  })

  it('is accepted without output for an operation that has none', async () => {
    const usage = { inputTokens: 900 }
    const silent = attempt({ operation: { ...generate, expectsOutput: false } })
    expect(await complete(silent, ending(usage, '', true))).toBe(usage)
    const counted = { ...usage, outputTokens: 0, estimated: true }
    expect(await complete(attempt(), ending(usage, '', true))).toEqual(counted)
  })

  it('is accepted up to the model’s own limit if no bound was sent', async () => {
    const usage = { inputTokens: 900, outputTokens: 500 }
    const asked = attempt({ outputBound: { tokens: bound, isSent: false, isLowered: false } })
    expect(await complete(asked, ending(usage, '', true))).toBe(usage)
  })
})

describe('usage reported in the middle of an answer', () => {
  it('is replaced if it is less than the delivered output', async () => {
    const early = { inputTokens: 7, outputTokens: 1 }
    expect(await complete(attempt(), ending(early, 'as many as five words', false))).toEqual({
      inputTokens: 7,
      outputTokens: 5,
      estimated: true,
    })
  })

  it('is kept if it is more than the delivered output', async () => {
    const early = { inputTokens: 7, outputTokens: 3, reasoningTokens: 30 }
    const counted = await complete(attempt(), ending(early, 'two words', false))
    expect(counted).toEqual({ ...early, estimated: true })
  })
})

describe('unseen reasoning', () => {
  const thinks = { supportedParameters: ['reasoning'] }

  it('is estimated from the time without a token', async () => {
    const usage = await complete(attempt({}, thinks, 1.5), ending(undefined, '', false))
    expect(usage).toMatchObject({ inputTokens: 5, outputTokens: 0, estimated: true })
    expect(usage.reasoningTokens).toBeGreaterThanOrEqual(50)
    expect(usage.reasoningTokens).toBeLessThanOrEqual(bound)
  })

  it('is never more than the hold covers besides the text', async () => {
    const usage = await complete(attempt({}, thinks, 600), ending(undefined, 'two words', false))
    expect(usage).toMatchObject({ outputTokens: 2, reasoningTokens: bound - 2 })
  })

  it('is zero if the model does not reason, or the caller turned reasoning off', async () => {
    const plain = await complete(attempt({}, {}, 9), ending(undefined, '', false))
    expect(plain.reasoningTokens).toBeUndefined()
    const reasoning = { effort: 'none' }
    const off = { call: { request: { choices: 1, extensions: {}, tools: [], stream: true, reasoning } } }
    expect(
      (await complete(attempt(off, thinks, 9), ending(undefined, '', false))).reasoningTokens,
    ).toBeUndefined()
  })
})
