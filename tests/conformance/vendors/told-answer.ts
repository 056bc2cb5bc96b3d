import { chatAnswer } from './oracle/chat.ts'
import { list, object, text, type Json } from './oracle/json.ts'
import type { SaidAnswer, SaidProof } from './oracle/said-answer.ts'

/** A caller's view of bodies in OpenAI's format: a plain one, or a stream's chunks. */
export function toldAnswer(bodies: readonly Json[]): SaidAnswer {
  const answer = chatAnswer(bodies.map(withoutForeignFields))
  for (const [index, choice] of answer.choices.entries()) choice.proofs = proofsOf(bodies, index)
  return answer
}

/** Reasoning is at `reasoning_content`; our clients do not see other fields. */
function withoutForeignFields(body: Json): Json {
  const choices = list(body['choices']).map((choice) => {
    const name = choice['delta'] === undefined ? 'message' : 'delta'
    const { reasoning: _reasoning, ...message } = object(choice[name])
    return { ...choice, [name]: message }
  })
  return { ...body, choices }
}

/** `reasoning_details`, in OpenRouter's format: one entry per block. */
function proofsOf(bodies: readonly Json[], index: number): SaidProof[] {
  const details = bodies
    .flatMap((body) => list(body['choices']))
    .filter((choice) => choice['index'] === index)
    .flatMap((choice) => list(object(choice['delta'] ?? choice['message'])['reasoning_details']))
  return details.map((detail) =>
    detail['type'] === 'reasoning.encrypted'
      ? { encrypted: text(detail['data']) }
      : { signature: text(detail['signature']), text: text(detail['text']) },
  )
}

/** The payloads of our own stream, each in a `data:` line; the last one is `[DONE]` or an error. */
export function toldChunks(body: string): { chunks: Json[]; done: boolean } {
  const payloads = body
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length))
  const done = payloads.at(-1) === '[DONE]'
  const chunks = payloads.filter((payload) => payload !== '[DONE]').map((one) => object(JSON.parse(one)))
  return { chunks, done }
}
