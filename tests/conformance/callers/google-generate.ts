import { googleArrayCaller, googleGenerateCaller } from '@turnpike/dialects'
import { expect } from 'vitest'
import { googleAnswer } from '../vendors/oracle/google.ts'
import { list, object, text, type Json } from '../vendors/oracle/json.ts'
import type { SaidAnswer, SaidChoice, SaidUsage } from '../vendors/oracle/said-answer.ts'
import type { CallerUnderTest, ToldStream } from './caller-under-test.ts'

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
    const expected = said.choices.map(comparable)
    // An answer that was withheld has no candidates at Google, and one without a word elsewhere.
    if (told.choices.length > 0 || expected.length === 0)
      expect(told.choices.map(comparable)).toEqual(expected)
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

/** The same where a stream is one JSON array, as clients get it that do not ask for `alt=sse`. */
export const googleArray: CallerUnderTest = {
  ...googleGenerate,
  format: googleArrayCaller,

  address: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`,

  streamEnd: /\}\n\]$/u,

  readStream: (body) => readAnswers(list(JSON.parse(body)).map(object)),
}

function readAnswers(answers: Json[]): ToldStream {
  const failed = answers.filter(({ error }) => error !== undefined)
  expect(failed).toEqual(answers.slice(answers.length - failed.length))
  expect(failed.length).toBeLessThan(2)
  const told = answers.slice(0, answers.length - failed.length)
  const last = told.at(-1)
  const ended = failed.length === 0 && last !== undefined && isLast(last)
  // Nothing but the last answer says that the whole one is over.
  for (const one of ended ? told.slice(0, -1) : told) {
    expect(one).not.toHaveProperty('usageMetadata')
    for (const candidate of list(one['candidates'])) expect(candidate).not.toHaveProperty('finishReason')
  }
  return {
    answer: unsignedTexts(googleAnswer(told)),
    ended,
    error: failed.length === 0 ? undefined : text(object(failed[0]!['error'])['message']),
  }
}

/** Only the last answer of a stream says why it ended, and what it came to. */
function isLast(answer: Json): boolean {
  const reasons = list(answer['candidates']).filter(({ finishReason }) => finishReason !== undefined)
  return answer['usageMetadata'] !== undefined || reasons.length > 0
}

/** A stream signs the piece of a text with which the signature came, a whole answer all of it. */
function unsignedTexts(answer: SaidAnswer): SaidAnswer {
  for (const choice of answer.choices)
    choice.proofs = choice.proofs.map((proof) => ('signature' in proof ? { ...proof, text: '' } : proof))
  return answer
}

/** Which part has it does not matter, as long as the client gets each. */
function signatures({ proofs }: SaidChoice): string[] {
  return proofs.map((proof) => ('signature' in proof ? proof.signature : proof.encrypted))
}

/** It knows no refusals beside the text, and no functions beside tools. */
function comparable({ text: said, refusal, reasoning, finish, toolCalls }: SaidChoice): object {
  return {
    text: said + refusal,
    reasoning,
    finish: finish === 'function_call' ? 'tool_calls' : finish,
    toolCalls: toolCalls.map(({ name, arguments: given }) => ({ name, given: asArguments(given) })),
  }
}

function asArguments(given: unknown): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? given
    : { INVALID_JSON: given }
}

/** What was written to a cache is within the prompt: this format has no word for it. */
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
