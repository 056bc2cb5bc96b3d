import {
  halves,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedReasoning,
  type ScriptedUsage,
  type ScriptedVendor,
} from './scripted-answer.ts'

/** Differences between vendors of OpenAI's chat completions. */
interface ChatHabits {
  /** The fields of a message or delta that show reasoning. */
  reasoning(text: string, signature: string): object
  usage(usage: ScriptedUsage): object
  /** OpenAI gives a refusal's text; the others only report that they filtered. */
  refusesInWords: boolean
  /** Mistral sends each call complete, in one delta. */
  wholeCalls: boolean
}

function chatVendor(habits: ChatHabits): ScriptedVendor {
  return {
    plain: (answers) => ({
      ...headOf(answers[0]!),
      object: 'chat.completion',
      choices: answers.map((answer, index) => ({
        index,
        message: messageOf(habits, answer),
        finish_reason: finishReason(habits, answer),
      })),
      usage: habits.usage(answers[0]!.usage),
    }),
    stream(answers) {
      const deltas = answers.flatMap((answer, index) => [
        ...deltasOf(habits, answer).map((delta) => ({ index, delta, finish_reason: null })),
        { index, delta: {}, finish_reason: finishReason(habits, answer) },
      ])
      const chunk = (choices: readonly object[]): object => ({
        ...headOf(answers[0]!),
        object: 'chat.completion.chunk',
        choices,
      })
      const chunks = deltas.map((choice) => chunk([choice]))
      const last = { ...chunk([]), usage: habits.usage(answers[0]!.usage) }
      return [...chunks, last].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + 'data: [DONE]\n\n'
    },
  }
}

function headOf({ id = 'scripted' }: ScriptedAnswer): object {
  return { id: `chatcmpl-${id}`, created: 1_770_000_000, model: 'scripted' }
}

function messageOf(habits: ChatHabits, answer: ScriptedAnswer): object {
  const { reasoning, text, calls } = answer
  const contentFields = [
    ...(reasoning === undefined ? [] : [habits.reasoning(reasoning.text, reasoning.signature)]),
    ...(text === undefined ? [] : [spoken(habits, answer, text)]),
  ]
  const lists = contentFields.map((one) => (one as { content?: unknown }).content).filter(Array.isArray)
  const content = lists.length === 0 ? {} : { content: [...lists.flat(), ...textParts(text)] }
  return {
    role: 'assistant',
    content: null,
    ...Object.assign({}, ...contentFields),
    ...content,
    ...(calls === undefined ? {} : { tool_calls: calls.map((call) => toolCall(call)) }),
  }
}

function textParts(text: string | undefined): object[] {
  return text === undefined ? [] : [{ type: 'text', text }]
}

function deltasOf(habits: ChatHabits, answer: ScriptedAnswer): object[] {
  const { reasoning, text, calls = [] } = answer
  const pieces = (said: ScriptedReasoning): object[] =>
    halves(said.text).map((piece) => habits.reasoning(piece, said.signature))
  return [
    { role: 'assistant', content: text === undefined ? null : '' },
    ...(reasoning === undefined ? [] : pieces(reasoning)),
    ...halves(text ?? '').map((piece) => spoken(habits, answer, piece)),
    ...calls.flatMap((call, index) => callDeltas(habits, call, index)),
  ]
}

function callDeltas({ wholeCalls }: ChatHabits, call: ScriptedCall, index: number): object[] {
  if (wholeCalls) return [{ tool_calls: [{ index, ...toolCall(call) }] }]
  const { function: called, ...begun } = toolCall(call)
  return [
    { tool_calls: [{ index, ...begun, function: { ...called, arguments: '' } }] },
    ...halves(called.arguments).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]
}

function toolCall({ id, name, arguments: given }: ScriptedCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(given) } }
}

function spoken({ refusesInWords }: ChatHabits, { ending }: ScriptedAnswer, piece: string): object {
  return ending === 'refused' && refusesInWords ? { refusal: piece } : { content: piece }
}

function finishReason({ refusesInWords }: ChatHabits, { calls, ending }: ScriptedAnswer): string {
  if (ending === 'length') return 'length'
  if (ending === 'refused' && !refusesInWords) return 'content_filter'
  return calls === undefined ? 'stop' : 'tool_calls'
}

function totals({ input, cached, output, reasoning }: ScriptedUsage) {
  const prompt = input + cached
  const completion = output + reasoning
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

/** OpenAI itself does not show reasoning; the vendors that resemble it do, in this field. */
export const asOpenai = chatVendor({
  reasoning: (text) => ({ reasoning_content: text }),
  usage: (usage) => ({
    ...totals(usage),
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }),
  refusesInWords: true,
  wholeCalls: false,
})

/** https://api-docs.deepseek.com/api/create-chat-completion. */
export const asDeepseek = chatVendor({
  reasoning: (text) => ({ reasoning_content: text }),
  usage: (usage) => ({
    ...totals(usage),
    prompt_cache_hit_tokens: usage.cached,
    prompt_cache_miss_tokens: usage.input,
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }),
  refusesInWords: false,
  wholeCalls: false,
})

/** https://docs.mistral.ai/capabilities/reasoning: reasoning is part of the content and its count. */
export const asMistral = chatVendor({
  reasoning: (text) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
  usage: (usage) => ({ ...totals(usage), prompt_tokens_details: { cached_tokens: usage.cached } }),
  refusesInWords: false,
  wholeCalls: true,
})
