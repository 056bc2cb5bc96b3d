import { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { parseRequest } from '../../openai-chat/caller/request.ts'
import { generateFieldRules } from './generate-field-rules.ts'
import { findRefusedMembers } from './refused-members.ts'

const body = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens: 5,
  temperature: 0.5,
  top_k: 3,
  reasoning_split: true,
  modalities: ['text'],
  metadata: { a: 'b' },
  stream: false,
}
const names = Object.keys(body)

const refused = (message: string, param?: string, status = 400): readonly string[] =>
  findRefusedMembers(
    generateFieldRules,
    new GatewayError('invalid_request_error', message, { status, ...(param === undefined ? {} : { param }) }),
    names,
    parseRequest(body).request,
  )

it.each<[string, string, string | undefined, string[]]>([
  ['by its path', "Unknown parameter: 'reasoning_split'.", 'reasoning_split', ['reasoning_split']],
  ['in quotes', "property 'reasoning_split' is unsupported", undefined, ['reasoning_split']],
  ['at the beginning', 'top_k: Extra inputs are not permitted', undefined, ['top_k']],
  [
    'among several',
    'top_k: Extra inputs are not permitted; reasoning_split: Extra inputs are not permitted',
    'top_k',
    ['top_k', 'reasoning_split'],
  ],
  ["as Google's", 'Unknown name "reasoning_split": Cannot find field.', undefined, ['reasoning_split']],
  ['since its model does not take it', "'temperature' is not supported", undefined, ['temperature']],
  ['that is the request itself', "Unsupported parameter: 'max_tokens'", 'max_tokens', []],
  ['that is ours', "Unknown parameter: 'metadata'", 'metadata', []],
  ['that asks for something else than text', "'modalities' is not supported", 'modalities', []],
  ['for its value', 'temperature must be at most 2', 'temperature', []],
  ['that is not there', "Unknown parameter: 'top_p'", 'top_p', []],
  ['within another name', "Unknown parameter: 'my_top_k_b'", undefined, []],
])('finds a member that a vendor refuses %s', (_how, message, param, found) => {
  expect([...refused(message, param)].toSorted()).toEqual(found.toSorted())
})
