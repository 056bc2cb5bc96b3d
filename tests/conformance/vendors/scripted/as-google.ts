import { halves, type ScriptedAnswer, type ScriptedVendor } from './scripted-answer.ts'

type Part = Record<string, unknown>

/** https://ai.google.dev/api/generate-content: the signature is on the first call, or on the last text. */
export const asGoogle: ScriptedVendor = {
  plain: (answers) => ({
    candidates: answers.map((answer, index) =>
      candidate(partsOf(answer, whole), index, finishReason(answer)),
    ),
    ...tail(answers[0]!),
  }),

  stream(answers) {
    const chunks = answers.flatMap((answer, index) => {
      const parts = partsOf(answer, halves)
      const texts = parts.filter((part) => part['functionCall'] === undefined)
      const calls = parts.filter((part) => part['functionCall'] !== undefined)
      return [
        ...texts.map((part) => ({ candidates: [candidate([part], index)] })),
        // All calls are in one chunk.
        { candidates: [candidate(calls, index, finishReason(answer))] },
      ]
    })
    const last = chunks.length - 1
    return chunks
      .map((chunk, at) => ({ ...chunk, ...(at === last ? tail(answers[0]!) : identityOf(answers[0]!)) }))
      .map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`)
      .join('')
  },
}

function identityOf({ id = 'scripted-1' }: ScriptedAnswer): object {
  return { modelVersion: 'gemini-scripted', responseId: id }
}

const whole = (text: string): string[] => [text]

function candidate(parts: Part[], index: number, finishReason?: string): object {
  const content = { role: 'model', ...(parts.length === 0 ? {} : { parts }) }
  return { content, index, ...(finishReason === undefined ? {} : { finishReason }) }
}

function finishReason({ ending }: ScriptedAnswer): string {
  if (ending === undefined) return 'STOP'
  return ending === 'length' ? 'MAX_TOKENS' : 'SAFETY'
}

function partsOf({ reasoning, text, calls = [] }: ScriptedAnswer, cut: (text: string) => string[]): Part[] {
  const parts: Part[] = []
  if (reasoning !== undefined)
    parts.push(...cut(reasoning.text).map((piece) => ({ text: piece, thought: true })))
  if (text !== undefined) parts.push(...cut(text).map((piece) => ({ text: piece })))
  const signed = reasoning === undefined ? {} : { thoughtSignature: reasoning.signature }
  for (const [index, { name, arguments: args }] of calls.entries())
    parts.push({ functionCall: { name, args }, ...(index === 0 ? signed : {}) })
  if (calls.length === 0 && parts.length > 0) Object.assign(parts.at(-1)!, signed)
  return parts
}

function tail(answer: ScriptedAnswer): object {
  const { input, cached, output, reasoning } = answer.usage
  return {
    usageMetadata: {
      promptTokenCount: input + cached,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + cached + output + reasoning,
    },
    ...identityOf(answer),
  }
}
