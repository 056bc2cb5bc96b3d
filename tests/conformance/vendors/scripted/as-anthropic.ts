import { halves, type ScriptedAnswer, type ScriptedUsage, type ScriptedVendor } from './scripted-answer.ts'

type Block = Record<string, unknown> & { type: string }

/** https://docs.claude.com/en/api/messages; supports one choice. */
export const asAnthropic: ScriptedVendor = {
  plain: ([answer]) => ({
    ...headOf(answer!),
    content: blocksOf(answer!),
    stop_reason: stopReason(answer!),
    stop_sequence: null,
    usage: { ...inputUsage(answer!.usage), ...outputUsage(answer!.usage) },
  }),

  stream([answer]) {
    const usage = { ...inputUsage(answer!.usage), output_tokens: 1 }
    const message = { ...headOf(answer!), content: [], stop_reason: null, stop_sequence: null, usage }
    const delta = { stop_reason: stopReason(answer!), stop_sequence: null }
    return [
      event({ type: 'message_start', message }),
      event({ type: 'ping' }),
      ...blocksOf(answer!).flatMap(blockEvents),
      event({ type: 'message_delta', delta, usage: outputUsage(answer!.usage) }),
      event({ type: 'message_stop' }),
    ].join('')
  },
}

function headOf({ id = '01Scripted' }: ScriptedAnswer): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-scripted' }
}

function event(body: { type: string } & Record<string, unknown>): string {
  return `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
}

function blocksOf({ reasoning, text, calls = [] }: ScriptedAnswer): Block[] {
  const blocks: Block[] = []
  if (reasoning !== undefined)
    blocks.push({ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature })
  if (text !== undefined) blocks.push({ type: 'text', text })
  for (const call of calls)
    blocks.push({ type: 'tool_use', id: call.id, name: call.name, input: call.arguments })
  return blocks
}

function blockEvents(block: Block, index: number): string[] {
  const [empty, deltas] = begun(block)
  return [
    event({ type: 'content_block_start', index, content_block: empty }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

/** The start of a block, and its deltas. */
function begun(block: Block): [Block, object[]] {
  if (block.type === 'tool_use') {
    const pieces =
      Object.keys(block['input'] as object).length === 0 ? [] : halves(JSON.stringify(block['input']))
    const deltas = ['', ...pieces].map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
    return [{ ...block, input: {} }, deltas]
  }
  if (block.type === 'text') {
    const deltas = halves(block['text'] as string).map((text) => ({ type: 'text_delta', text }))
    return [{ ...block, text: '' }, deltas]
  }
  const deltas: object[] = halves(block['thinking'] as string).map((thinking) => ({
    type: 'thinking_delta',
    thinking,
  }))
  deltas.push({ type: 'signature_delta', signature: block['signature'] })
  return [{ ...block, thinking: '', signature: '' }, deltas]
}

function stopReason({ calls, ending }: ScriptedAnswer): string {
  if (ending !== undefined) return ending === 'length' ? 'max_tokens' : 'refusal'
  return calls === undefined ? 'end_turn' : 'tool_use'
}

function inputUsage({ input, cached, written }: ScriptedUsage): object {
  const { fiveMinutes, oneHour } = written ?? { fiveMinutes: 0, oneHour: 0 }
  return {
    input_tokens: input,
    cache_creation_input_tokens: fiveMinutes + oneHour,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
  }
}

function outputUsage({ output, reasoning }: ScriptedUsage): object {
  return { output_tokens: output + reasoning, output_tokens_details: { thinking_tokens: reasoning } }
}
