import { isObject, stringOrEmpty } from '../../json/object.ts'
import { rawFinishReason } from '../finish-reason.ts'
import { ToolCallForm } from '../tool-calls.ts'

type Fields = Record<string, unknown>

/** Repairs the choices of a stream, chunk by chunk, for OpenAI's clients. One object per request. */
export class ChoiceForms {
  /** Created only for answers with calls, to save memory while thousands of answers are open. */
  #calls: Map<number, ToolCallForm> | undefined

  /** Returns the same list if nothing has to change, as in most chunks. */
  conform(choices: unknown): unknown {
    if (!Array.isArray(choices)) return choices
    let forms: unknown[] = choices
    for (let at = 0; at < choices.length; at++) {
      const choice: unknown = choices[at]
      const form = isObject(choice) ? this.#form(choice, at) : choice
      if (form === choice) continue
      if (forms === choices) forms = [...(choices as unknown[])]
      forms[at] = form
    }
    return forms
  }

  /** Clients read a `delta` in each chunk. Some vendors omit it, or send a `message` instead. */
  #form(choice: Fields, position: number): Fields {
    const { delta } = choice
    if (isObject(delta)) {
      const calls = this.#toolCalls(choice, delta, position)
      return calls === undefined ? choice : { ...choice, delta: { ...delta, ...calls } }
    }
    const { message, ...others } = choice
    if (!isObject(message)) return { ...others, delta: {} }
    return { ...others, delta: { ...message, ...this.#toolCalls(choice, message, position) } }
  }

  #toolCalls(choice: Fields, delta: Fields, position: number): { tool_calls: object[] } | undefined {
    const calls = delta['tool_calls'] ?? undefined
    if (calls === undefined && this.#calls === undefined) return undefined
    const index = typeof choice['index'] === 'number' ? choice['index'] : position
    let form = this.#calls?.get(index)
    if (form === undefined) {
      if (calls === undefined) return undefined
      form = new ToolCallForm()
      this.#calls = (this.#calls ?? new Map<number, ToolCallForm>()).set(index, form)
    }
    const repaired = form.deltas(calls ?? [], rawFinishReason(choice['finish_reason']) !== '')
    return repaired === undefined ? undefined : { tool_calls: repaired }
  }
}

/**
 * Renames the fields of a message or delta to the names that OpenAI's clients know. Groq, OpenRouter, vLLM
 * and others call `reasoning` what is `reasoning_content` here (docs/contract.md, 5.4). Mistral's models send
 * content as a list of chunks, at whichever host.
 */
export function toOpenaiFields(message: Fields): Fields {
  const plain = Array.isArray(message['content']) ? withoutChunks(message, message['content']) : message
  const { reasoning, reasoning_content: content } = plain
  if (typeof reasoning !== 'string' || typeof content === 'string') return plain
  return { ...plain, reasoning_content: reasoning }
}

/** The fields as the decoder reads them: text, thinking, and others under their own names. */
function withoutChunks(message: Fields, chunks: readonly unknown[]): Fields {
  let text = ''
  let thought = ''
  const others: Record<string, unknown[]> = {}
  for (const chunk of chunks) {
    if (typeof chunk === 'string') text += chunk
    if (!isObject(chunk)) continue
    if (chunk['type'] === 'text') text += stringOrEmpty(chunk['text'])
    else if (chunk['type'] === 'thinking') thought += thinkingText(chunk['thinking'])
    else (others[stringOrEmpty(chunk['type']) || 'chunks'] ??= []).push(chunk)
  }
  return { ...message, content: text, ...(thought === '' ? {} : { reasoning_content: thought }), ...others }
}

function thinkingText(thinking: unknown): string {
  if (!Array.isArray(thinking)) return stringOrEmpty(thinking)
  return thinking.map((piece) => (isObject(piece) ? stringOrEmpty(piece['text']) : '')).join('')
}
