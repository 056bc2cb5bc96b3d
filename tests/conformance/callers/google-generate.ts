import { googleArrayCaller, googleGenerateCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { googleAnswer } from '../vendors/oracle/google.ts'
import { list, object, text, type Json } from '../vendors/oracle/json.ts'
import type { SaidAnswer, SaidChoice, SaidUsage } from '../vendors/oracle/said-answer.ts'
import type { CallerUnderTest, ToldStream } from './caller-under-test.ts'
import { splitError, withoutRefusal } from './told-choices.ts'

export const googleGenerate: CallerUnderTest = {
  format: googleGenerateCaller,

  address: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,

  request: () => ({
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  }),

  readStream: (body) => readAnswers(answersOf(body)),

  readWhole: (body) => unsignedTexts(googleAnswer([body])),

  readError({ error }) {
    const { message, status } = object(error)
    return text(status) !== '' && text(message) !== '' ? text(message) : undefined
  },

  expectTold(told, said, { api }) {
    const expected = said.choices.map(withoutRefusal)
    // A withheld answer has no candidates at Google, and no text in other formats.
    if (told.choices.length > 0 || expected.length === 0)
      expect(told.choices.map(withoutRefusal)).toEqual(expected)
    for (const { toolCalls } of told.choices) {
      const ids = toolCalls.flatMap(({ id }) => (id === undefined ? [] : [id]))
      expect(new Set(ids).size).toBe(ids.length)
    }
    if (api.endsWith('enerateContent'))
      expect(told.choices.map(signatures)).toEqual(said.choices.map(signatures))
    if (said.usage === undefined) expect(told.usage).toBeDefined()
    else expect(counts(told.usage)).toEqual(counts(said.usage))
  },
}

/** The same for a stream as one JSON array, which clients get without `alt=sse`. */
export const googleArray: CallerUnderTest = {
  ...googleGenerate,
  format: googleArrayCaller,

  address: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`,

  streamEnd: /\}\n\]$/u,

  readStream: (body) => readAnswers(list(JSON.parse(body)).map(object)),
}

function readAnswers(answers: Json[]): ToldStream {
  const [told, error] = splitError(answers, (answer) => answer['error'] !== undefined)
  const last = told.at(-1)
  const ended = error === undefined && last !== undefined && isLast(last)
  // Only the last event says that the answer is complete.
  for (const one of ended ? told.slice(0, -1) : told) {
    expect(one).not.toHaveProperty('usageMetadata')
    for (const candidate of list(one['candidates'])) expect(candidate).not.toHaveProperty('finishReason')
  }
  return { answer: unsignedTexts(googleAnswer(told)), ended, error }
}

/** Only the last event of a stream has the finish reason and the usage. */
function isLast(answer: Json): boolean {
  const reasons = list(answer['candidates']).filter(({ finishReason }) => finishReason !== undefined)
  return answer['usageMetadata'] !== undefined || reasons.length > 0
}

/** A stream signs the piece of a text with which the signature came; a plain answer signs the whole text. */
function unsignedTexts(answer: SaidAnswer): SaidAnswer {
  for (const choice of answer.choices)
    choice.proofs = choice.proofs.map((proof) => ('signature' in proof ? { ...proof, text: '' } : proof))
  return answer
}

/** The signature may be in any part, as long as the client gets all of them. */
function signatures({ proofs }: SaidChoice): string[] {
  return proofs.map((proof) => ('signature' in proof ? proof.signature : proof.encrypted))
}

/** Tokens written to a cache are part of the prompt, since the format has no field for them. */
function counts(usage: SaidUsage | undefined): object | undefined {
  if (usage === undefined) return undefined
  const { prompt, completion, cached, reasoning } = usage
  return { prompt, completion, cached, reasoning }
}

function answersOf(body: string): Json[] {
  return body
    .split('\r\n\r\n')
    .filter((one) => one !== '')
    .map((one) => object(JSON.parse(one.slice('data: '.length))))
}
