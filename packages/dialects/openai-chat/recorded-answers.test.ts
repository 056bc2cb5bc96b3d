import { fold, totalInputTokens, totalOutputTokens, type ModelResponse } from '@turnpike/protocol'
import { allRecordings, type RecordedCase } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { generateFormats } from '../registry.ts'
import { decodeBytes } from '../testing/vendor-contract.ts'
import { misplacedParts } from '../testing/well-formed.ts'

/**
 * Compares every recorded answer in this format, from every vendor, with a simple reading that does not use
 * the decoder: it adds up lines and fields.
 */
const recordings = allRecordings()
const answers = recordings.cases.filter(({ api, status }) => api === 'chat' && status === 200)

interface Said {
  text: string
  reasoning: string
  signatures: string[]
  calls: string[]
  finish: string | undefined
}

describe('a recorded answer', () => {
  it.each(answers.map((one) => ({ ...one, name: `${one.vendor} ${one.id}` })))('$name', (recorded) => {
    const parts = partsOf(recorded)
    expect(misplacedParts(parts)).toEqual([])
    const { response, error } = fold(parts)
    const bodies = bodiesOf(recorded)
    expect(readParts(response)).toEqual(readBodies(bodies))
    if (recorded.features.includes('midstream-error')) {
      expect(error).toMatchObject({ type: 'invalid_request_error', status: 400 })
      return
    }
    expect(error).toBeUndefined()
    const counted = bodies
      .map(({ usage }) => usage)
      .findLast((usage) => typeof usage?.['prompt_tokens'] === 'number')
    expect(response.usage?.raw).toEqual(counted)
    if (counted === undefined || counted === null) return
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = counted
    // xAI counts reasoning beside the completion, as its total shows. Elsewhere both sums are the same.
    const output =
      Number(total) > Number(prompt) + Number(completion) ? Number(total) - Number(prompt) : completion
    expect([totalInputTokens(response.usage!), totalOutputTokens(response.usage!)]).toEqual([prompt, output])
  })
})

const vendors = Object.entries(Object.groupBy(answers, ({ vendor }) => vendor))
const table = vendors.map(([vendor, cases]) => `${vendor} ${cases?.length}`).join(', ')
process.stdout.write(`recorded answers in OpenAI's format: ${table}\n`)

function partsOf({ id, vendor, stream }: RecordedCase): ReturnType<typeof decodeBytes> {
  const name = vendor === 'mistral' ? 'mistral-chat' : vendor === 'deepseek' ? 'deepseek-chat' : 'openai-chat'
  const vendorFormat = generateFormats[name]
  const bytes = recordings.response(id)
  if (stream) return decodeBytes(vendorFormat, [bytes])
  return vendorFormat.operations.generate.decodeResponse(JSON.parse(bytes.toString('utf8')))
}

interface Body {
  choices?: {
    index?: number
    delta?: Record<string, unknown>
    message?: Record<string, unknown>
    finish_reason?: string | null
  }[]
  usage?: Record<string, unknown> | null
}

function bodiesOf({ id, stream }: RecordedCase): Body[] {
  const text = recordings.response(id).toString('utf8')
  if (!stream) return [JSON.parse(text) as Body]
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
  return lines.map((line) => JSON.parse(line.slice(5)) as Body)
}

/** The joined fields of the deltas, or of the message, by choice. */
function readBodies(bodies: readonly Body[]): Said[] {
  const choices: Said[] = []
  const calls: string[][] = []
  for (const choice of bodies.flatMap((body) => body.choices ?? [])) {
    const at = choice.index ?? 0
    const one = (choices[at] ??= { text: '', reasoning: '', signatures: [], calls: [], finish: undefined })
    const message = choice.delta ?? choice.message ?? {}
    const content = message['content']
    for (const chunk of typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)) {
      if (chunk['type'] === 'text') one.text += String(chunk['text'])
      for (const piece of list(chunk['thinking'])) one.reasoning += String(piece['text'])
    }
    const reasoning = message['reasoning_content'] ?? message['reasoning']
    if (typeof reasoning === 'string') one.reasoning += reasoning
    for (const { signature } of list(message['reasoning_details'])) {
      if (typeof signature === 'string' && signature !== '') one.signatures.push(signature)
    }
    for (const [position, call] of list(message['tool_calls']).entries()) {
      const {
        name,
        arguments: text,
        input,
      } = (call['function'] ?? call['custom'] ?? {}) as Record<string, string>
      const index = Number(call['index'] ?? position)
      const mine = (calls[at] ??= [])
      mine[index] = `${mine[index] ?? ''}${name === undefined ? '' : `${name} `}${text ?? input ?? ''}`
    }
    const legacy = message['function_call'] as { name: string; arguments: string } | null | undefined
    if (legacy) one.calls.push(`${legacy.name} ${legacy.arguments}`)
    one.finish = choice.finish_reason ?? one.finish
  }
  // An index may begin at 1: only the order counts.
  for (const [at, mine] of calls.entries()) choices[at]?.calls.push(...(mine ?? []).filter(() => true))
  return choices
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : []
}

function readParts(response: ModelResponse): Said[] {
  return response.choices.map(({ blocks, finish }) => {
    const textOf = (kind: string): string =>
      blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join('')
    return {
      text: textOf('text'),
      reasoning: textOf('reasoning'),
      signatures: blocks.flatMap(({ signature }) => signature ?? []),
      calls: blocks.flatMap(({ toolCall, text }) =>
        toolCall === undefined ? [] : [`${toolCall.name} ${text}`],
      ),
      finish: finish?.rawReason,
    }
  })
}
