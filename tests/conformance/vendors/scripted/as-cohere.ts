import {
  halves,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedUsage,
  type ScriptedVendor,
} from './scripted-answer.ts'

/** Cohere's chat for a model that reasons: https://docs.cohere.com/reference/chat. */
export const asCohere: ScriptedVendor = {
  plain: ([answer]) => ({
    id: idOf(answer!),
    message: {
      role: 'assistant',
      ...(contentsOf(answer!).length > 0 && {
        content: contentsOf(answer!).map(([type, said]) => ({ type, [type]: said })),
      }),
      ...(answer!.calls !== undefined && { tool_calls: answer!.calls.map(toolCall) }),
    },
    finish_reason: finishReason(answer!),
    usage: usageOf(answer!.usage),
  }),
  stream([answer]) {
    const contents = contentsOf(answer!)
    const events = [
      { id: idOf(answer!), type: 'message-start', delta: { message: { role: 'assistant', content: [] } } },
      ...contents.flatMap(([type, said], index) => [
        event('content-start', index, { content: { type, [type]: '' } }),
        ...halves(said).map((piece) => event('content-delta', index, { content: { [type]: piece } })),
        { type: 'content-end', index },
      ]),
      ...(answer!.calls ?? []).flatMap(callEvents),
      {
        type: 'message-end',
        delta: { finish_reason: finishReason(answer!), usage: usageOf(answer!.usage) },
      },
    ]
    return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('')
  },
}

function idOf({ id = 'scripted' }: ScriptedAnswer): string {
  return `c9117d7f-${id}`
}

function contentsOf({ reasoning, text }: ScriptedAnswer): ['thinking' | 'text', string][] {
  return [
    ...(reasoning === undefined ? [] : [['thinking', reasoning.text] as ['thinking', string]]),
    ...(text === undefined ? [] : [['text', text] as ['text', string]]),
  ]
}

function event(type: string, index: number, message: object) {
  return { type, index, delta: { message } }
}

function toolCall({ id, name, arguments: given }: ScriptedCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } }
}

function callEvents(call: ScriptedCall, index: number) {
  const { function: called, ...begun } = toolCall(call)
  const head = { ...begun, function: { ...called, arguments: '' } }
  return [
    event('tool-call-start', index, { tool_calls: head }),
    ...halves(called.arguments).map((piece) =>
      event('tool-call-delta', index, { tool_calls: { function: { arguments: piece } } }),
    ),
    { type: 'tool-call-end', index },
  ]
}

function finishReason({ calls, ending }: ScriptedAnswer): string {
  if (ending === 'length') return 'MAX_TOKENS'
  if (ending === 'refused') return 'ERROR_TOXIC'
  return calls === undefined ? 'COMPLETE' : 'TOOL_CALL'
}

/** As a self-hosted server counts, which bills nothing: Cohere itself bills no cached tokens. */
function usageOf({ input, cached, output, reasoning }: ScriptedUsage): object {
  return {
    tokens: {
      input_tokens: input + cached,
      output_tokens: output + reasoning,
      reasoning_tokens: reasoning,
    },
    cached_tokens: cached,
  }
}
