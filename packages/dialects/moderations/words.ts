import type { ModerateRequest } from '@turnpike/protocol'
import type { FieldVisitor } from '../requests/field-table.ts'
import type { RequestWords } from '../requests/request-words.ts'
import { moderateFields } from './fields.ts'

const named: ReadonlySet<string> = new Set(moderateFields)
const omittable: ReadonlySet<string> = new Set(['user', 'metadata', 'unknown'])

/** The fields of requests for a moderation. */
export const moderateWords: RequestWords<ModerateRequest> = {
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

function visit({ inputs, user, extensions }: ModerateRequest, tell: FieldVisitor<string>): void {
  tell('model', () => 'model')
  if (inputs.some(({ kind }) => kind === 'text')) tell('input.text', () => 'input')
  const image = inputs.findIndex(({ kind }) => kind === 'image')
  if (image !== -1) tell('input.image_url', () => `input[${image}].image_url`)
  if (user !== undefined) tell('user', () => 'user')
  for (const [name, value] of Object.entries(extensions))
    if (value !== null && value !== undefined) tell(named.has(name) ? name : 'unknown', () => name)
}

function omit(field: string, request: ModerateRequest, paths: ReadonlySet<string>): ModerateRequest {
  if (field === 'user') return { ...request, user: undefined }
  const kept = Object.entries(request.extensions).filter(([name]) => name !== field && !paths.has(name))
  return { ...request, extensions: Object.fromEntries(kept) }
}
