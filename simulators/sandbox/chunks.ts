import type { ScriptBill } from '../vendor/script.ts'
import type { Answer, AnswerChoice } from './answer.ts'

/** The fields that every body and chunk of one answer shares. */
export interface AnswerHead {
  id: string
  created: number
  model: string
}

/** One event of a stream, before framing. */
export interface StreamEvent {
  data: string
  tokens: number
  kind: 'role' | 'delta' | 'finish' | 'usage' | 'done' | 'broken'
}

interface Delta {
  json: string
  tokens: number
}

/** The events of a complete stream; its choices alternate, as OpenAI's do. */
export function streamEvents(head: AnswerHead, answer: Answer, includeUsage: boolean): StreamEvent[] {
  const start =
    `{"id":${JSON.stringify(head.id)},"object":"chat.completion.chunk","created":${head.created},` +
    `"model":${JSON.stringify(head.model)},"service_tier":"default","choices":[`
  const end = includeUsage ? '],"usage":null}' : ']}'
  const events: StreamEvent[] = []
  const push = (kind: StreamEvent['kind'], index: number, delta: Delta, finish = 'null'): void => {
    const choice = `{"index":${index},"delta":${delta.json},"logprobs":null,"finish_reason":${finish}}`
    events.push({ kind, data: start + choice + end, tokens: delta.tokens })
  }
  for (const [index, choice] of answer.choices.entries()) push('role', index, roleDelta(choice))
  const queues = answer.choices.map((choice) => deltas(choice))
  const longest = Math.max(...queues.map((queue) => queue.length))
  for (let turn = 0; turn < longest; turn++)
    for (const [index, queue] of queues.entries()) {
      const delta = queue[turn]
      if (delta !== undefined) push('delta', index, delta)
    }
  for (const [index, choice] of answer.choices.entries())
    push('finish', index, { json: '{}', tokens: 0 }, `"${choice.finish}"`)
  if (includeUsage && answer.bill.reported) {
    const usage = JSON.stringify(usageOf(answer.bill))
    events.push({ kind: 'usage', data: `${start}],"usage":${usage}}`, tokens: 0 })
  }
  events.push({ kind: 'done', data: '[DONE]', tokens: 0 })
  return events
}

function roleDelta(choice: AnswerChoice): Delta {
  const content = choice.toolCalls.length > 0 ? 'null' : '""'
  return { json: `{"role":"assistant","content":${content},"refusal":null}`, tokens: 0 }
}

function deltas(choice: AnswerChoice): Delta[] {
  const list: Delta[] = []
  for (const token of choice.reasoning)
    list.push({ json: `{"reasoning_content":${JSON.stringify(token)}}`, tokens: 1 })
  for (const token of choice.content) list.push({ json: `{"content":${JSON.stringify(token)}}`, tokens: 1 })
  for (const [index, call] of choice.toolCalls.entries()) {
    const first = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
    list.push({ json: JSON.stringify({ tool_calls: [first] }), tokens: call.nameTokens })
    for (const piece of call.arguments) {
      const more = { index, function: { arguments: piece } }
      list.push({ json: JSON.stringify({ tool_calls: [more] }), tokens: 1 })
    }
  }
  return list
}

/** The body of a plain answer. */
export function plainBody(head: AnswerHead, answer: Answer, finished: boolean): string {
  return JSON.stringify({
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: answer.choices.map((choice, index) => ({
      index,
      message: messageOf(choice),
      logprobs: null,
      finish_reason: finished ? choice.finish : null,
    })),
    ...(answer.bill.reported ? { usage: usageOf(answer.bill) } : {}),
    service_tier: 'default',
  })
}

function messageOf(choice: AnswerChoice): Record<string, unknown> {
  const message: Record<string, unknown> = {
    role: 'assistant',
    content: choice.toolCalls.length > 0 ? null : choice.content.join(''),
    refusal: null,
    annotations: [],
  }
  if (choice.reasoning.length > 0) message.reasoning_content = choice.reasoning.join('')
  if (choice.toolCalls.length > 0)
    message.tool_calls = choice.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments.join('') },
    }))
  return message
}

function usageOf(bill: ScriptBill): Record<string, unknown> {
  return {
    prompt_tokens: bill.promptTokens,
    completion_tokens: bill.told ?? bill.completionTokens,
    total_tokens: bill.promptTokens + (bill.told ?? bill.completionTokens),
    prompt_tokens_details: { cached_tokens: bill.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: bill.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
