import { converseFrame, exceptionFrame } from '@turnpike/simulators/clouds/frames'
import { beforeAll } from 'vitest'
import { loadEventStream } from '../event-stream/codec.ts'
import { answerToolName } from '../requests/schemas/answer-tool.ts'
import { vendorContract, type VendorEvent, type VendorSample } from '../testing/vendor-contract.ts'
import { bedrockConverse } from './vendor.ts'

beforeAll(loadEventStream)

const usage = {
  inputTokens: 20,
  outputTokens: 9,
  totalTokens: 36,
  cacheReadInputTokens: 5,
  cacheWriteInputTokens: 2,
  cacheDetails: [{ ttl: '1h', inputTokens: 2 }],
  serverToolUsage: {},
}
const weather = '{"city": "Zürich 🌦", "days": [1, 2]}'
const event = (type: string, data: object): VendorEvent => ({ event: type, data })

/** A content block's events: its start, if there is one, its pieces, its end. */
function block(contentBlockIndex: number, start: object | undefined, ...deltas: object[]): VendorEvent[] {
  return [
    ...(start === undefined ? [] : [event('contentBlockStart', { contentBlockIndex, start })]),
    ...deltas.map((delta, at) =>
      event('contentBlockDelta', { contentBlockIndex, delta, p: 'abc'.slice(at % 3) }),
    ),
    event('contentBlockStop', { contentBlockIndex }),
  ]
}

const text = (index: number, ...pieces: string[]): VendorEvent[] =>
  block(index, undefined, ...pieces.map((one) => ({ text: one })))

const call = (index: number, toolUseId: string, name: string, ...pieces: string[]): VendorEvent[] =>
  block(index, { toolUse: { toolUseId, name } }, ...pieces.map((input) => ({ toolUse: { input } })))

function sample(name: string, blocks: VendorEvent[][], content: object[], stopReason: string): VendorSample {
  return {
    name,
    events: [
      event('messageStart', { role: 'assistant', p: 'ab' }),
      ...blocks.flat(),
      event('messageStop', { stopReason }),
      event('metadata', { metrics: { latencyMs: 1 }, usage }),
    ],
    whole: {
      metrics: { latencyMs: 1 },
      output: { message: { role: 'assistant', content } },
      stopReason,
      usage,
    },
  }
}

vendorContract({
  format: bedrockConverse,
  samples: [
    sample('text', [text(0, 'Grüezi ', '🌍')], [{ text: 'Grüezi 🌍' }], 'end_turn'),
    sample(
      'reasoning, what is redacted of it, text and two calls cut within their JSON',
      [
        block(
          0,
          undefined,
          { reasoningContent: { text: 'Let me ' } },
          { reasoningContent: { text: 'see' } },
          { reasoningContent: { signature: 'c2ln' } },
        ),
        block(1, undefined, { reasoningContent: { redactedContent: 'b3BhcXVl' } }),
        text(2, 'One moment'),
        call(3, 'tooluse_a', 'weather', ...(weather.match(/.{1,5}/gu) ?? [])),
        call(4, 'tooluse_b', 'now', ''),
      ],
      [
        { reasoningContent: { reasoningText: { text: 'Let me see', signature: 'c2ln' } } },
        { reasoningContent: { redactedContent: 'b3BhcXVl' } },
        { text: 'One moment' },
        { toolUse: { toolUseId: 'tooluse_a', name: 'weather', input: JSON.parse(weather) as object } },
        { toolUse: { toolUseId: 'tooluse_b', name: 'now', input: {}, type: 'tool_use' } },
      ],
      'tool_use',
    ),
    sample(
      'text with citations',
      [block(0, undefined, { text: 'It says ' }, { citation: { title: 't' } }, { text: 'so' })],
      [{ citationsContent: { content: [{ text: 'It says so' }], citations: [{ title: 't' }] } }],
      'end_turn',
    ),
    sample(
      'an answer in JSON by the tool that stands for it',
      [call(0, 'tooluse_j', answerToolName, '{"a":', '1}')],
      [{ toolUse: { toolUseId: 'tooluse_j', name: answerToolName, input: { a: 1 } } }],
      'tool_use',
    ),
    sample('what a guardrail says', [text(0, 'No.')], [{ text: 'No.' }], 'guardrail_intervened'),
  ],
  errorEvent: event('exception/throttlingException', { message: 'Too many tokens.' }),
  framed({ event: type, data }) {
    const [mark, exception] = type.split('/')
    if (exception !== undefined) return exceptionFrame(exception, data as object)
    return converseFrame(mark!, data as object)
  },
  splitsToolCalls: true,
})
