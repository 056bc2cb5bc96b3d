import { halves, type ScriptedAnswer, type ScriptedUsage, type ScriptedVendor } from './scripted-answer.ts'

type Item = Record<string, unknown> & { type: string }
type Event = Item

/** https://platform.openai.com/docs/api-reference/responses-streaming; supports one choice. */
export const asResponses: ScriptedVendor = {
  plain: ([answer]) => responseOf(answer!, endOf(answer!)),

  stream([answer]) {
    const response = responseOf(answer!, 'in_progress')
    const events: Event[] = [
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
      ...itemsOf(answer!).flatMap(itemEvents),
      { type: `response.${endOf(answer!)}`, response: responseOf(answer!, endOf(answer!)) },
    ]
    return events.map((one, at) => event({ ...one, sequence_number: at })).join('')
  },
}

function event(body: Event): string {
  return `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
}

/** A refusal is a completed response. */
function endOf({ ending }: ScriptedAnswer): 'completed' | 'incomplete' {
  return ending === 'length' ? 'incomplete' : 'completed'
}

function responseOf(answer: ScriptedAnswer, status: 'completed' | 'incomplete' | 'in_progress'): object {
  const isOver = status !== 'in_progress'
  return {
    id: `resp_${answer.id ?? 'scripted'}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-scripted',
    status,
    error: null,
    ...repeated,
    ...pick(answer.asked ?? {}),
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: isOver ? itemsOf(answer) : [],
    usage: isOver ? usageOf(answer.usage) : null,
  }
}

/** Fields repeated from the request, with their defaults. */
const repeated = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  store: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
}

function pick(asked: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asked).filter(([name]) => name in repeated))
}

function usageOf({ input, cached, output, reasoning }: ScriptedUsage): object {
  return {
    input_tokens: input + cached,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output + reasoning,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + cached + output + reasoning,
  }
}

function itemsOf({ id: own = '1', reasoning, text, calls = [], ending, asked }: ScriptedAnswer): Item[] {
  const items: Item[] = []
  if (reasoning !== undefined) {
    const summary = [{ type: 'summary_text', text: reasoning.text }]
    items.push({ type: 'reasoning', id: `rs_${own}`, summary, encrypted_content: reasoning.signature })
  }
  if (text !== undefined) {
    const textPart = { type: 'output_text', text, annotations: [], logprobs: [] }
    const content = [ending === 'refused' ? { type: 'refusal', refusal: text } : textPart]
    const status = ending === 'length' ? 'incomplete' : 'completed'
    items.push({ type: 'message', id: `msg_${own}`, role: 'assistant', status, content })
  }
  for (const { id, name, arguments: given } of calls) {
    const call = { call_id: id, name, status: 'completed' }
    if (isOffered('tool_search', undefined, asked) && name === 'tool_search')
      items.push({
        type: 'tool_search_call',
        id: `tsc_${id}`,
        ...call,
        execution: 'client',
        arguments: given,
      })
    else if (isOffered('custom', name, asked))
      items.push({ type: 'custom_tool_call', id: `ctc_${id}`, ...call, ...given })
    else items.push({ type: 'function_call', id: `fc_${id}`, ...call, arguments: JSON.stringify(given) })
  }
  return items
}

function isOffered(
  type: string,
  name: string | undefined,
  asked: Record<string, unknown> | undefined,
): boolean {
  const tools = (asked?.['tools'] ?? []) as { type: string; name?: string }[]
  return tools.some((tool) => tool.type === type && tool.name === name)
}

function itemEvents(item: Item, output_index: number): Event[] {
  const item_id = item['id']
  const added = (begun: object): Event => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...begun },
  })
  const done: Event = { type: 'response.output_item.done', output_index, item }
  switch (item.type) {
    case 'reasoning': {
      const [part] = item['summary'] as TextPart[]
      const place = { item_id, output_index, summary_index: 0 }
      const names = { part: 'reasoning_summary_part', text: 'reasoning_summary_text' }
      return [added({ summary: [], encrypted_content: 'begun' }), ...partEvents(part!, place, names), done]
    }
    case 'message': {
      const [part] = item['content'] as TextPart[]
      const place = { item_id, output_index, content_index: 0 }
      const names = { part: 'content_part', text: part!.type }
      return [added({ status: 'in_progress', content: [] }), ...partEvents(part!, place, names), done]
    }
    case 'tool_search_call':
      return [added({ status: 'in_progress' }), done]
    case 'custom_tool_call': {
      const place = { item_id, output_index }
      const type = 'response.custom_tool_call_input'
      const input = item['input'] as string
      const deltas = halves(input).map((delta) => ({ type: `${type}.delta`, ...place, delta }))
      return [added({ input: '' }), ...deltas, { type: `${type}.done`, ...place, input }, done]
    }
    default: {
      const place = { item_id, output_index }
      const type = 'response.function_call_arguments'
      const argumentsText = item['arguments'] as string
      const deltas = halves(argumentsText).map((delta) => ({ type: `${type}.delta`, ...place, delta }))
      const whole = { type: `${type}.done`, ...place, name: item['name'], arguments: argumentsText }
      return [added({ status: 'in_progress', arguments: '' }), ...deltas, whole, done]
    }
  }
}

interface TextPart {
  type: string
  text?: string
  refusal?: string
}

function partEvents(part: TextPart, place: object, names: { part: string; text: string }): Event[] {
  const text = part.text ?? part.refusal!
  const member = part.text === undefined ? 'refusal' : 'text'
  const logprobs = part.type === 'output_text' ? { logprobs: [] } : {}
  return [
    { type: `response.${names.part}.added`, ...place, part: { ...part, [member]: '' } },
    ...halves(text).map((delta) => ({ type: `response.${names.text}.delta`, ...place, delta, ...logprobs })),
    { type: `response.${names.text}.done`, ...place, [member]: text, ...logprobs },
    { type: `response.${names.part}.done`, ...place, part },
  ]
}
