import { fold, totalOutputTokens, type ModelResponse, type StreamPart } from '@turnpike/protocol'
import { allRecordings } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { readWholeAnswer } from '../answers/whole-answer.ts'
import type { BridgeListener, StreamBridge } from '../bridge.ts'
import { utf8 } from '../sse/parser.ts'
import { bridged } from '../testing/bridged.ts'
import { callerContract, type Sample } from '../testing/caller-contract.ts'
import { vendorContract } from '../testing/vendor-contract.ts'
import { formatResponse } from './caller/answer.ts'
import { CompletionsEncoder } from './caller/stream.ts'
import { openaiCompletionsCaller } from './caller.ts'
import { CompletionsStreamBridge } from './pass-through/stream.ts'
import { decodeResponse } from './vendor/answer.ts'
import { CompletionsDecoder } from './vendor/stream.ts'
import { openaiCompletions } from './vendor.ts'

const head = {
  id: 'cmpl-ours',
  model: 'openai/gpt-3.5-turbo-instruct',
  created: 1_700_000_000,
  includeUsage: true,
}
const envelope = { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_001 }
const model = 'gpt-3.5-turbo-instruct:20230824-v2'
const usage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
}

function chunk(text: string, finishReason: string | null = null, index = 0): object {
  return { ...envelope, choices: [{ text, index, logprobs: null, finish_reason: finishReason }], model }
}

function sample(name: string, chunks: object[], choices: [text: string, finish: string][]): Sample {
  const whole = choices.map(([text, finish], index) => ({
    text,
    index,
    logprobs: null,
    finish_reason: finish,
  }))
  return {
    name,
    chunks: [...chunks, { ...envelope, choices: [], model, usage }],
    whole: { ...envelope, model, choices: whole, usage },
  }
}

const samples: Sample[] = [
  sample('text', [chunk('Grüezi '), chunk('🌍'), chunk('', 'stop')], [['Grüezi 🌍', 'stop']]),
  sample('text whose last piece ends it', [chunk('"\\'), chunk('é', 'length')], [['"\\é', 'length']]),
  sample(
    'two choices that take turns',
    [chunk('a'), chunk('x', null, 1), chunk('b', 'stop'), chunk('y', 'length', 1)],
    [
      ['ab', 'stop'],
      ['xy', 'length'],
    ],
  ),
]

function decode(chunks: readonly unknown[], ended: boolean): StreamPart[] {
  const decoder = new CompletionsDecoder(undefined)
  const parts = chunks.flatMap((one) => decoder.push(one))
  if (ended) decoder.pushText('[DONE]')
  return [...parts, ...decoder.end()]
}

function encode(parts: readonly StreamPart[]): unknown[] {
  const encoder = new CompletionsEncoder(head)
  const counted = parts.find((part) => part.type === 'usage')
  const text =
    parts.map((part) => encoder.write(part)).join('') + encoder.closing(counted?.usage, { usd: '0' })
  const events = utf8(text).split('\n\n').slice(0, -2)
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as unknown)
}

function whole(response: ModelResponse): unknown {
  return formatResponse(response, head)(response.usage, { usd: '0' })
}

const error = { error: { message: 'The server had an error', type: 'server_error', code: null } }

callerContract({
  name: 'openai-completions',
  decode,
  encode,
  decodeWhole: decodeResponse,
  formatWhole: whole,
  bridge: (listener: BridgeListener) => new CompletionsStreamBridge(head, listener),
  frame: (chunks) => `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`,
  samples,
  errorChunk: error,
})

vendorContract({
  format: openaiCompletions,
  samples: samples.map(({ name, chunks, whole }) => ({
    name,
    events: [...chunks.map((data) => ({ event: '', data })), { event: '', data: '[DONE]' }],
    whole,
  })),
  errorEvent: { event: '', data: error },
  splitsToolCalls: false,
})

const recordings = allRecordings()

describe.runIf(recordings.areReal)('recorded answers of OpenAI', () => {
  it('are decoded whole, with log probabilities', () => {
    const text = recordings.response('ai-gateway-completion-suffix-i0').toString('utf8')
    const answer = readWholeAnswer(openaiCompletionsCaller, openaiCompletions, text, head)
    expect(answer.usage).toMatchObject({ inputTokens: 25, outputTokens: 30 })
    const recorded = JSON.parse(text) as { choices: object[] }
    const body = JSON.parse(answer.body(answer.usage, { usd: '0.0001' })) as object
    expect(body).toMatchObject({
      choices: recorded.choices,
      model: head.model,
      usage: { cost_usd: '0.0001' },
    })
  })

  it('pass byte for byte in a stream, except for what surrounds their choices', () => {
    const bytes = recordings.response('dd-trace-py-completion-streamed-i0')
    const settings = { ...head, includeUsage: false }
    const open = (listener: BridgeListener): StreamBridge => new CompletionsStreamBridge(settings, listener)
    const { parts, text: output } = bridged(open, [bytes])
    const choicesIn = (text: string): (string | undefined)[] =>
      [...text.matchAll(/"choices": ?(\[\{.*\}\])/g)].map(([, choices]) =>
        choices?.replaceAll(/([:,]) /g, '$1'),
      )
    expect(choicesIn(output)).toEqual(choicesIn(bytes.toString('latin1')))
    expect(output.match(/"model":"openai\/gpt-3.5-turbo-instruct"/g)).toHaveLength(choicesIn(output).length)
    const { response, error: broken } = fold(parts)
    expect(broken).toBeUndefined()
    expect(response.choices.map(({ finish }) => finish?.rawReason)).toEqual(['length'])
    expect(response.usage).toBeUndefined()
  })
})

describe('pieces of text that pass without being parsed', () => {
  const pass = (chunks: object[]): { parts: StreamPart[]; text: string } => {
    const events = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`)
    const open = (listener: BridgeListener): StreamBridge => new CompletionsStreamBridge(head, listener)
    const { parts, text } = bridged(open, [...events, 'data: [DONE]\n\n'])
    return { parts, text: utf8(text) }
  }
  const pieces = ['a', ' b', 'é', ' "q"', '\\', ' c', '', ' "index":1,', ' d', '\n', '🌍', ' e']

  it('are decoded as they were sent, whatever they contain', () => {
    const { parts, text } = pass([...pieces.map((piece) => chunk(piece)), chunk('', 'stop')])
    const { response, error: broken } = fold(parts)
    expect(broken).toBeUndefined()
    expect(response.choices[0]!.blocks.map((block) => block.text)).toEqual([pieces.join('')])
    const events = text.split('\n\n').slice(0, -1)
    const choices = events.map((event) => (JSON.parse(event.slice(6)) as { choices: object[] }).choices[0])
    expect(choices).toMatchObject([...pieces, ''].map((text) => ({ text: text, index: 0 })))
  })

  it('belong to their choice, even if choices alternate', () => {
    const turns = Array.from({ length: 40 }, (_, at) => chunk(`${at} `, null, at % 3 === 0 ? 1 : 0))
    const { parts } = pass([...turns, chunk('', 'stop'), chunk('', 'stop', 1)])
    const texts = fold(parts).response.choices.map(({ blocks }) => blocks.map(({ text }) => text).join(''))
    const ofChoice = (index: number): string =>
      turns.flatMap((_, at) => ((at % 3 === 0 ? 1 : 0) === index ? `${at} ` : [])).join('')
    expect(texts).toEqual([ofChoice(0), ofChoice(1)])
  })
})

describe('an echoed prompt', () => {
  const contextOf = (prompts: (string | number)[], maxTokens = 5, choices = 1): object => ({
    echoed: { prompts, choices, maxTokens },
  })

  function saidOf(prompts: (string | number)[], texts: string[], choices = 1): string[] {
    const decoder = new CompletionsDecoder(contextOf(prompts, 5, choices) as never)
    const parts = texts.flatMap((text, at) =>
      decoder.push(chunk(text, null, at % (prompts.length * choices))),
    )
    for (const [index] of prompts.entries()) parts.push(...decoder.push(chunk('', 'stop', index)))
    const { response } = fold(parts)
    return response.choices.map(({ blocks }) => {
      const echoed = blocks.flatMap(({ values = [] }) => values).join('')
      return (echoed === '' ? '' : `[${echoed}]`) + blocks.map(({ text }) => text).join('')
    })
  }

  it.each([
    ['in one piece', ['Say hi'], ['Say hi', ' there'], ['[Say hi] there']],
    ['with what follows', ['Say hi'], ['Say hi the', 're'], ['[Say hi] there']],
    ['in several', ['Say hi'], ['Say', ' hi', ' there'], ['[Say hi] there']],
    ['of two prompts', ['ab', 'cd'], ['ab', 'c', 'x', 'd', 'y', 'z'], ['[ab]xy', '[cd]z']],
    ['that was given by numbers', [3], ['Say hi', ' there'], ['[Say hi] there']],
    ['though the vendor does not', ['Say hi'], ['there', ' Say hi'], ['there Say hi']],
  ])('is not output, %s', (_how, prompts, texts, expected) =>
    expect(saidOf(prompts, texts)).toEqual(expected),
  )

  it('is not output of a whole answer either, but is passed on', () => {
    const body = { ...envelope, model, choices: [{ text: 'Say hi there', index: 0, finish_reason: 'stop' }] }
    const answer = readWholeAnswer(openaiCompletionsCaller, openaiCompletions, JSON.stringify(body), {
      ...head,
      asked: contextOf(['Say hi']),
    })
    expect(answer.outputText).toBe(' there')
    expect(answer.body(undefined, { usd: '0' })).toContain('"text":"Say hi there"')
    const numbers = decodeResponse(body, contextOf([3], 0))
    expect(fold(numbers).response.choices[0]!.blocks.map(({ kind }) => kind)).toEqual(['raw'])
  })
})

it('counts as chat completions do', () => {
  const { response } = fold(decodeResponse(samples[0]!.whole))
  expect(totalOutputTokens(response.usage!)).toBe(9)
})
