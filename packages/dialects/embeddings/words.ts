import type { EmbedRequest } from '@turnpike/protocol'
import type { FieldVisitor } from '../requests/field-table.ts'
import type { RequestWords } from '../requests/request-words.ts'
import { embedFields } from './fields.ts'

const named: ReadonlySet<string> = new Set(embedFields)
const omittable: ReadonlySet<string> = new Set(['input_type', 'user', 'metadata', 'unknown'])

/** The fields of requests for vectors. */
export const embedWords: RequestWords<EmbedRequest> = {
  visit,
  isOmittable: (field) => omittable.has(field),
  omit,
  mayBeLeftOut: (member, { extensions }) =>
    omittable.has(member) || (Object.hasOwn(extensions, member) && !named.has(member)),
  formatLeniently: ({ request, dropped }, vendor, target) => ({
    body: vendor.formatRequest(request, target),
    dropped,
  }),
}

function visit(request: EmbedRequest, tell: FieldVisitor<string>): void {
  const { inputs, dimensions, encoding, inputType, user, extensions } = request
  tell('model', () => 'model')
  if (inputs.length > 1) tell('input.array', () => 'input')
  const tokens = inputs.findIndex((input) => typeof input !== 'string')
  if (tokens !== -1) tell('input.tokens', () => (request.isSingle ? 'input' : `input[${tokens}]`))
  if (dimensions !== undefined) tell('dimensions', () => 'dimensions')
  tell(`encoding_format.${encoding}`, () => 'encoding_format')
  if (inputType !== undefined) tell('input_type', () => 'input_type')
  if (user !== undefined) tell('user', () => 'user')
  for (const [name, value] of Object.entries(extensions))
    if (value !== null && value !== undefined) tell(named.has(name) ? name : 'unknown', () => name)
}

function omit(field: string, request: EmbedRequest, paths: ReadonlySet<string>): EmbedRequest {
  if (field === 'input_type') return { ...request, inputType: undefined }
  if (field === 'user') return { ...request, user: undefined }
  const kept = Object.entries(request.extensions).filter(([name]) => name !== field && !paths.has(name))
  return { ...request, extensions: Object.fromEntries(kept) }
}
