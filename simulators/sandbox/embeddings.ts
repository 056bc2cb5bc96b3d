import { hash } from 'node:crypto'
import { SandboxError } from './error.ts'
import { sandboxDimensions } from './models.ts'
import { isFields } from './request.ts'
import { countTokens } from './tokens.ts'

/** The fields of an embeddings request that the sandbox reads; all others are accepted and ignored. */
export interface SandboxEmbedRequest {
  model: string
  inputs: (string | number[])[]
  dimensions: number
  encoding: 'float' | 'base64'
}

/** OpenAI's limit. */
const mostInputs = 2_048
const largestDimensions = 4_096

/** @throws {SandboxError} 400 naming the field, as OpenAI would */
export function readEmbedRequest(body: Buffer): SandboxEmbedRequest {
  const fields: unknown = JSON.parse(body.toString('utf8'))
  if (!isFields(fields) || typeof fields.model !== 'string')
    throw new SandboxError(400, 'you must provide a model parameter', { param: 'model' })
  const { dimensions = sandboxDimensions, encoding_format: encoding } = fields
  if (typeof dimensions !== 'number' || !(dimensions >= 1 && dimensions <= largestDimensions))
    throw new SandboxError(400, `Invalid 'dimensions': expected 1 to ${largestDimensions}.`, {
      param: 'dimensions',
    })
  return {
    model: fields.model,
    inputs: inputsOf(fields.input),
    dimensions,
    encoding: encoding === 'base64' ? 'base64' : 'float',
  }
}

function inputsOf(input: unknown): (string | number[])[] {
  const all: unknown[] = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]
  if (all.length === 0 || all.length > mostInputs)
    throw new SandboxError(400, `Invalid 'input': expected 1 to ${mostInputs} inputs.`, { param: 'input' })
  return all.map((one) => {
    if (typeof one === 'string' && one !== '') return one
    if (Array.isArray(one) && one.length > 0) return one.map(Number)
    throw new SandboxError(400, "'$.input' is invalid.", { param: 'input' })
  })
}

/**
 * Returns a `CreateEmbeddingResponse` with unit vectors that are the same for the same text on every machine.
 * Texts that share words are close to each other, so that a search over them finds something.
 */
export function embeddingsBody(
  { model, inputs, dimensions, encoding }: SandboxEmbedRequest,
  told: { usage: boolean },
): { body: string; tokens: number } {
  let tokens = 0
  const data = inputs.map((input, index) => {
    tokens += typeof input === 'string' ? countTokens(input) : input.length
    const vector = vectorOf(input, dimensions)
    const embedding = encoding === 'base64' ? base64Of(vector) : Array.from(vector)
    return { object: 'embedding', index, embedding }
  })
  const usage = told.usage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}
  return { body: JSON.stringify({ object: 'list', data, model, ...usage }), tokens }
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (let at = 0; at < vector.length; at++) bytes.writeFloatLE(vector[at]!, at * 4)
  return bytes.toString('base64')
}

function vectorOf(input: string | number[], dimensions: number): Float32Array {
  const words = typeof input === 'string' ? wordsIn(input) : input.map(String)
  const sum = new Float64Array(dimensions)
  for (const word of words) addWord(sum, word)
  let square = 0
  for (const number of sum) square += number * number
  const length = Math.sqrt(square) || 1
  return Float32Array.from(sum, (number) => number / length)
}

/** @returns at least one */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]
}

/** Gives each word its own direction, made of numbers from its digest. */
function addWord(sum: Float64Array, word: string): void {
  let digest = hash('sha256', word, 'buffer')
  for (let at = 0; at < sum.length; at++) {
    const byte = at % digest.length
    if (at > 0 && byte === 0) digest = hash('sha256', digest, 'buffer')
    sum[at]! += (digest[byte]! - 127.5) / 127.5
  }
}
