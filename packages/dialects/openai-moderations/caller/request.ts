import type { ModerateInput, ModerateRequest } from '@turnpike/protocol'
import type { Call } from '../../call.ts'
import { explainMistakes } from '../../json/explain.ts'
import { firstMistakes } from '../../json/first-mistakes.ts'
import { callOf } from '../../requests/call-of.ts'
import { referencesIn } from '../../requests/references.ts'
import { moderationReferences } from './references.ts'
import {
  ModerationsRequestSchema,
  moderationsRequestValidator,
  usualModel,
  type ModerationsBody,
} from './request-schema.ts'

/** Fields that `ModerateRequest` has, or that belong to the gateway. */
const knownFields: ReadonlySet<string> = new Set(Object.keys(ModerationsRequestSchema.properties))

/**
 * Parses the body of `POST /v1/moderations`.
 * @throws {GatewayError} 400 that names the first wrong field
 */
export function parseRequest(body: object): Call<ModerateRequest> {
  if (!moderationsRequestValidator.Check(body))
    throw explainMistakes(ModerationsRequestSchema, firstMistakes(ModerationsRequestSchema, body))
  return callOf(moderateRequest(body), body, referencesIn(body, moderationReferences))
}

function moderateRequest(body: ModerationsBody): ModerateRequest {
  const further = Object.entries(body).filter(([name]) => !knownFields.has(name))
  return {
    model: body.model ?? usualModel,
    ...inputsOf(body.input),
    user: body.user ?? undefined,
    stream: false,
    maxOutputTokens: undefined,
    extensions: Object.fromEntries(further),
  }
}

function inputsOf(input: ModerationsBody['input']): Pick<ModerateRequest, 'inputs' | 'form'> {
  if (typeof input === 'string') return { inputs: [{ kind: 'text', text: input }], form: 'text' }
  const inputs = input.map((one): ModerateInput => {
    if (typeof one === 'string') return { kind: 'text', text: one }
    return one.type === 'text' ? { kind: 'text', text: one.text } : { kind: 'image', url: one.image_url.url }
  })
  return { inputs, form: typeof input[0] === 'string' ? 'texts' : 'parts' }
}
