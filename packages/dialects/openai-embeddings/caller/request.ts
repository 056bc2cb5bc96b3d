import { invalidRequest, type EmbedInput, type EmbedRequest, type GatewayError } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { isObject } from '../../json/object.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { embeddingsReferences } from './references.ts'
import {
  embeddingsRequestValidator,
  EmbeddingsRequestSchema,
  expectedInput,
  expectedToken,
  largestToken,
  mostInputs,
  type EmbeddingsRequest,
} from './request-schema.ts'

/** Fields that `EmbedRequest` has, or that belong to the gateway. */
const knownFields: ReadonlySet<string> = new Set(Object.keys(EmbeddingsRequestSchema.properties))

/**
 * Parses the body of `POST /v1/embeddings`.
 * @throws {GatewayError} 400 that names the first wrong field
 */
export function parseRequest(body: object): Call<EmbedRequest> {
  if (!embeddingsRequestValidator.Check(body))
    throw (
      inputMistake(body) ??
      explainMistakes(EmbeddingsRequestSchema, firstMistakes(EmbeddingsRequestSchema, body))
    )
  return callOf(embedRequest(body), body, referencesIn(body, embeddingsReferences))
}

/** Names the wrong input of a list, which a schema for a list of three possible kinds does not. */
function inputMistake(body: object): GatewayError | undefined {
  const input: unknown = isObject(body) ? body['input'] : undefined
  if (!Array.isArray(input) || input.length === 0 || input.length > mostInputs) return undefined
  const isTokens = typeof input[0] === 'number'
  for (let index = 0; index < input.length; index++) {
    const one: unknown = input[index]
    const path = `input[${index}]`
    if (isTokens) {
      if (!isToken(one)) return wrong(path, expectedToken)
    } else if (Array.isArray(one)) {
      const place = one.findIndex((token) => !isToken(token))
      if (one.length === 0 || place !== -1)
        return place === -1 ? wrong(path, expectedInput) : wrong(`${path}[${place}]`, expectedToken)
    } else if (typeof one !== 'string' || one === '') return wrong(path, expectedInput)
    if (!isTokens && Array.isArray(one) !== Array.isArray(input[0]))
      return wrong(path, 'only texts, or only lists of token ids')
  }
  return undefined
}

function isToken(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestToken
}

function wrong(path: string, expected: string): GatewayError {
  return invalidRequest(path, `${path}: expected ${expected}.`)
}

function embedRequest(body: EmbeddingsRequest): EmbedRequest {
  const { input } = body
  const isSingle = typeof input === 'string' || typeof input[0] === 'number'
  const further = Object.entries(body).filter(([name]) => !knownFields.has(name))
  return {
    model: body.model,
    inputs: isSingle ? [input as EmbedInput] : (input as EmbedInput[]),
    isSingle,
    dimensions: body.dimensions ?? undefined,
    encoding: body.encoding_format ?? 'float',
    inputType: body.input_type ?? undefined,
    user: body.user ?? undefined,
    stream: false,
    maxOutputTokens: undefined,
    extensions: Object.fromEntries(further),
  }
}
