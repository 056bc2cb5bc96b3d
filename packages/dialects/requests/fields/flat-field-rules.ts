import type { OperationRequest } from '@turnpike/protocol'
import type { FieldVisitor } from './field-table.ts'
import type { FieldRules } from './field-rules.ts'

/** Describes an operation whose fields are all plain members of the body. */
interface FlatFields<Request extends OperationRequest> {
  /** Every field that has a name. */
  fields: readonly string[]
  /** Fields that may be left out, and where the request holds them. */
  omittable: Readonly<Record<string, keyof Request>>
  /** Visits every field that asks for something, except `user` and fields that only one format knows. */
  visit(request: Request, tell: FieldVisitor<string>): void
}

/** Field rules for an operation whose fields contain no parts that could be left out by themselves. */
export function flatFieldRules<Request extends OperationRequest>(
  flat: FlatFields<Request>,
): FieldRules<Request> {
  const named: ReadonlySet<string> = new Set(flat.fields)
  const places: Readonly<Record<string, keyof Request>> = { ...flat.omittable, user: 'user' }
  const omittable: ReadonlySet<string> = new Set([...Object.keys(places), 'metadata', 'unknown'])
  return {
    visit(request, tell) {
      flat.visit(request, tell)
      const { user, extensions } = request
      if (user !== undefined) tell('user', () => 'user')
      for (const [name, value] of Object.entries(extensions))
        if (value !== null && value !== undefined) tell(named.has(name) ? name : 'unknown', () => name)
    },
    isOmittable: (field) => omittable.has(field),
    omit(field, request, paths) {
      const place = places[field]
      if (place !== undefined) return { ...request, [place]: undefined }
      const kept = Object.entries(request.extensions).filter(([name]) => name !== field && !paths.has(name))
      return { ...request, extensions: Object.fromEntries(kept) }
    },
    mayBeLeftOut: (member, { extensions }) =>
      omittable.has(member) || (Object.hasOwn(extensions, member) && !named.has(member)),
    formatLeniently: ({ request, dropped }, vendor, target) => ({
      body: vendor.formatRequest(request, target),
      dropped,
    }),
  }
}
