import { halves, type ScriptedAnswer, type ScriptedUsage, type ScriptedVendor } from './scripted-answer.ts'

type Item = Record<string, unknown> & { type: string }

/** https://platform.openai.com/docs/api-reference/responses-streaming; one answer a request. */
export const asResponses: ScriptedVendor = {
  plain: ([answer]) => responseOf(answer!, 'completed'),

  stream([answer]) {
    const response = responseOf(answer!, 'in_progress')
    return [
      event({ type: 'response.created', response }),
      event({ type: 'response.in_progress', response }),
      ...itemsOf(answer!).flatMap(itemEvents),
      event({ type: 'response.completed', response: responseOf(answer!, 'completed') }),
    ].join('')
  },
}

function event(body: { type: string } & Record<string, unknown>): string {
  return `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
}

function responseOf(answer: ScriptedAnswer, status: 'completed' | 'in_progress'): object {
  const isWhole = status === 'completed'
  return {
    id: `resp_${answer.id ?? 'scripted'}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-scripted',
    status,
    error: null,
    incomplete_details: null,
    output: isWhole ? itemsOf(answer) : [],
    usage: isWhole ? usageOf(answer.usage) : null,
  }
}

function usageOf({ input, cached, output, reasoning }: ScriptedUsage): object {
  return {
    input_tokens: input + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output + reasoning,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + cached + output + reasoning,
  }
}

function itemsOf({ reasoning, text, calls = [] }: ScriptedAnswer): Item[] {
  const items: Item[] = []
  if (reasoning !== undefined) {
    const summary = [{ type: 'summary_text', text: reasoning.text }]
    items.push({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: reasoning.signature })
  }
  if (text !== undefined) {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
    items.push({ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content })
  }
  for (const { id, name, arguments: given } of calls)
    items.push({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(given),
      status: 'completed',
    })
  return items
}

function itemEvents(item: Item, output_index: number): string[] {
  const [begun, type, text] = begunItem(item)
  const at = { output_index, item_id: item['id'], content_index: 0, summary_index: 0 }
  return [
    event({ type: 'response.output_item.added', output_index, item: begun }),
    ...halves(text).map((delta) => event({ type, ...at, delta })),
    event({ type: 'response.output_item.done', output_index, item }),
  ]
}

/** How an item starts, and by which events what text is added to it. */
function begunItem(item: Item): [begun: Item, type: string, text: string] {
  switch (item.type) {
    case 'reasoning':
      return [
        { ...item, summary: [], encrypted_content: 'begun' },
        'response.reasoning_summary_text.delta',
        (item['summary'] as { text: string }[])[0]!.text,
      ]
    case 'message':
      return [
        { ...item, content: [] },
        'response.output_text.delta',
        (item['content'] as { text: string }[])[0]!.text,
      ]
    default:
      return [
        { ...item, arguments: '' },
        'response.function_call_arguments.delta',
        item['arguments'] as string,
      ]
  }
}
