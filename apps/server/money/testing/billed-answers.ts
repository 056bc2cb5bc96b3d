import type { VendorScript } from '@turnpike/simulators'

type Json = Record<string, unknown>

/** What a vendor with OpenAI's format bills, in a whole answer or a stream. */
export interface BilledAnswer {
  /** In every chunk, as at OpenAI. */
  tier?: string
  usage: Json
}

export function chatScript({ tier, usage }: BilledAnswer, stream: boolean): VendorScript {
  const head = {
    id: 'chatcmpl-1',
    created: 1_795_000_000,
    model: 'm',
    ...(tier === undefined ? {} : { service_tier: tier }),
  }
  if (!stream) {
    const message = { role: 'assistant', content: 'Yes.' }
    return json({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    })
  }
  const chunk = (delta: Json, finish: string | null): Json => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
    usage: null,
  })
  const last = { ...head, object: 'chat.completion.chunk', choices: [], usage }
  return events([
    chunk({ role: 'assistant', content: '' }, null),
    chunk({ content: 'Yes' }, null),
    chunk({ content: '.' }, null),
    chunk({}, 'stop'),
    last,
    '[DONE]',
  ])
}

/** An answer of Google's that is grounded on searches. */
export function googleScript(queries: readonly string[], usageMetadata: Json, stream: boolean): VendorScript {
  const answer = (text: string, more: Json): Json => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
    responseId: 'r1',
  })
  const grounded = { finishReason: 'STOP', groundingMetadata: { webSearchQueries: queries } }
  if (!stream) return json({ ...answer('Yes.', grounded), usageMetadata })
  return events([
    { ...answer('Yes', {}), usageMetadata },
    { ...answer('.', grounded), usageMetadata },
  ])
}

/** An answer of Anthropic's whose usage counts services. */
export function anthropicScript(usage: Json, stream: boolean): VendorScript {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] as Json[] }
  if (!stream) {
    const content = [{ type: 'text', text: 'Yes.' }]
    return json({ ...message, content, stop_reason: 'end_turn', usage })
  }
  return events([
    { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ])
}

function json(body: Json): VendorScript {
  return script('application/json', JSON.stringify(body))
}

function events(bodies: readonly (Json | string)[]): VendorScript {
  const lines = bodies.map((body) => `data: ${typeof body === 'string' ? body : JSON.stringify(body)}\n\n`)
  return script('text/event-stream', lines.join(''))
}

function script(contentType: string, body: string): VendorScript {
  return {
    status: 200,
    headers: { 'content-type': contentType },
    steps: [{ type: 'head' }, { type: 'bytes', bytes: Buffer.from(body), tokens: 0 }, { type: 'end' }],
    bill: undefined,
  }
}
