import type { Vendor, VendorRequest, VendorScript } from '@turnpike/simulators'
import { scripted } from '../sdk-node.ts'
import { asOpenai } from '../vendors/scripted/as-chat.ts'
import { plainScript, streamScript, type ScriptedAnswer } from '../vendors/scripted/scripted-answer.ts'
import { answerOf, streamOf } from './completions-node.ts'

/** Its answer to each prompt. */
export const said = ' und Grüße aus Zürich 🙂'

interface Asked {
  prompt?: string | string[] | number[] | number[][]
  messages?: object[]
  n?: number
  echo?: boolean
  stream?: boolean
}

const refusal = { error: { message: 'Too many requests.', type: 'rate_limit_error', code: null } }

/**
 * A vendor of both of OpenAI's formats, for any model. It refuses a text that contains `[[limited]]` once,
 * and answers one that contains `[[cut]]` with half a stream.
 */
export function featuresVendor(): Vendor {
  const refused = new Set<string>()
  return {
    answer(request) {
      const text = request.body.toString()
      const asked = JSON.parse(text) as Asked
      if (text.includes('[[limited]]') && !refused.has(text)) {
        refused.add(text)
        return scripted(429, refusal, { 'retry-after': '0' })
      }
      const script = answerTo(request, asked)
      return text.includes('[[cut]]') ? halfOf(script) : script
    },
  }
}

function answerTo({ path }: VendorRequest, asked: Asked): VendorScript {
  if (path.endsWith('/chat/completions')) {
    const answer: ScriptedAnswer = { text: said, usage: { input: 5, cached: 0, output: 3, reasoning: 0 } }
    return (asked.stream === true ? streamScript : plainScript)(asOpenai, answer)
  }
  const texts = promptsOf(asked).flatMap((prompt) =>
    Array.from({ length: asked.n ?? 1 }, () => (asked.echo === true ? prompt + said : said)),
  )
  if (asked.stream !== true) return scripted(200, answerOf(texts))
  const middle = Math.ceil(said.length / 2)
  const pieces = texts.flatMap((text, index): [number, string][] => [
    [index, text.slice(0, text.length - middle)],
    [index, text.slice(text.length - middle)],
  ])
  return streamOf(pieces)
}

function promptsOf({ prompt }: Asked): string[] {
  if (typeof prompt === 'string') return [prompt]
  if (prompt === undefined || typeof prompt[0] === 'number') return ['#']
  return (prompt as (string | number[])[]).map((one) => (typeof one === 'string' ? one : '#'))
}

function halfOf(script: VendorScript): VendorScript {
  const steps = script.steps.map((step) =>
    step.type === 'bytes' ? { ...step, bytes: step.bytes.subarray(0, step.bytes.length / 2) } : step,
  )
  const { 'content-length': _whole, ...headers } = script.headers
  return { ...script, headers, steps }
}
