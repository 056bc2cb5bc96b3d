import { converseFrame, invokeFrame } from '@turnpike/simulators/clouds/frames'
import { asAnthropic } from './as-anthropic.ts'
import { halves, type ScriptedAnswer, type ScriptedUsage, type ScriptedVendor } from './scripted-answer.ts'

type Json = Record<string, unknown>

const frames = 'application/vnd.amazon.eventstream'

/** Supports one choice: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const asConverse: ScriptedVendor = {
  streamType: frames,

  plain: ([answer]) => ({
    metrics: { latencyMs: 812 },
    output: { message: { role: 'assistant', content: blocksOf(answer!) } },
    stopReason: stopReason(answer!),
    usage: usageOf(answer!.usage),
  }),

  stream: ([answer]) =>
    Buffer.concat([
      converseFrame('messageStart', { role: 'assistant' }),
      ...blocksOf(answer!).flatMap(blockFrames),
      converseFrame('messageStop', { stopReason: stopReason(answer!) }),
      converseFrame('metadata', { metrics: { latencyMs: 812 }, usage: usageOf(answer!.usage) }),
    ]),
}

/** `InvokeModel` in Anthropic's format: its events, wrapped in frames. */
export const asBedrockClaude: ScriptedVendor = {
  streamType: frames,
  plain: (answers) => asAnthropic.plain(answers),
  stream(answers) {
    const events = String(asAnthropic.stream(answers))
      .split('\n\n')
      .filter((event) => event !== '')
    const metrics = {
      'amazon-bedrock-invocationMetrics': {
        inputTokenCount: 1,
        outputTokenCount: 1,
        invocationLatency: 900,
        firstByteLatency: 300,
      },
    }
    const bodies = events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as Json)
    return Buffer.concat(
      bodies.map((body) => invokeFrame(body['type'] === 'message_stop' ? { ...body, ...metrics } : body)),
    )
  },
}

function blocksOf({ reasoning, text, calls = [] }: ScriptedAnswer): Json[] {
  const blocks: Json[] = []
  if (reasoning !== undefined)
    blocks.push({
      reasoningContent: { reasoningText: { text: reasoning.text, signature: reasoning.signature } },
    })
  if (text !== undefined) blocks.push({ text })
  for (const { id, name, arguments: input } of calls) blocks.push({ toolUse: { toolUseId: id, name, input } })
  return blocks
}

/** Only calls have a start frame. */
function blockFrames(block: Json, contentBlockIndex: number): Buffer[] {
  const delta = (said: Json): Buffer => converseFrame('contentBlockDelta', { contentBlockIndex, delta: said })
  const stop = converseFrame('contentBlockStop', { contentBlockIndex })
  if (typeof block['text'] === 'string')
    return [...halves(block['text']).map((text) => delta({ text })), stop]
  if ('toolUse' in block) {
    const { input, ...head } = block['toolUse'] as { input: object }
    const pieces = Object.keys(input).length === 0 ? [''] : halves(JSON.stringify(input))
    const start = converseFrame('contentBlockStart', { contentBlockIndex, start: { toolUse: head } })
    return [start, ...pieces.map((piece) => delta({ toolUse: { input: piece } })), stop]
  }
  const { reasoningText } = block['reasoningContent'] as {
    reasoningText: { text: string; signature: string }
  }
  return [
    ...halves(reasoningText.text).map((text) => delta({ reasoningContent: { text } })),
    delta({ reasoningContent: { signature: reasoningText.signature } }),
    stop,
  ]
}

function stopReason({ calls, ending }: ScriptedAnswer): string {
  if (ending !== undefined) return ending === 'length' ? 'max_tokens' : 'content_filtered'
  return calls === undefined ? 'end_turn' : 'tool_use'
}

function usageOf({ input, cached, output, reasoning, written }: ScriptedUsage): Json {
  const { fiveMinutes, oneHour } = written ?? { fiveMinutes: 0, oneHour: 0 }
  const details = [
    { ttl: '5m', inputTokens: fiveMinutes },
    { ttl: '1h', inputTokens: oneHour },
  ].filter(({ inputTokens }) => inputTokens > 0)
  return {
    inputTokens: input,
    outputTokens: output + reasoning,
    totalTokens: input + cached + fiveMinutes + oneHour + output + reasoning,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: fiveMinutes + oneHour,
    ...(details.length > 0 && { cacheDetails: details }),
    serverToolUsage: {},
  }
}
