import type { ModelRequest } from '@turnpike/protocol'
import type { Target, VendorOperation } from '../../vendor.ts'
import { requestFields, type AnyFieldTable } from './field-table.ts'
import { restorePath } from '../leniency.ts'
import { isOmittable, omissions, UnsupportedField } from '../omissions.ts'
import { refuseFields, type LenientRequest, type FieldRules } from './field-rules.ts'
import { settingFields } from './known-fields.ts'
import { visitRequest } from './requested-fields.ts'

/** Members that say how to answer and have a name of ours, by their names in callers' formats. */
const settings: ReadonlySet<string> = new Set([
  ...settingFields,
  'stop_sequences',
  'thinking',
  'output_config',
  'output_format',
])

/** Hints among the fields that no vendor is required to honour. */
const hints: ReadonlySet<string> = new Set([
  'verbosity',
  'prediction',
  'store',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'usage',
  'transforms',
])

const named: ReadonlySet<string> = new Set(requestFields)

/** The fields of requests for a model's answer. */
export const generateFieldRules: FieldRules<ModelRequest> = {
  visit: visitRequest,
  isOmittable,
  omit: (field, request, paths) => (isOmittable(field) ? omissions[field](request, paths) : request),
  mayBeLeftOut,
  alsoOmitted: (request, lenient) => (lenient.toolChoice === request.toolChoice ? [] : ['tool_choice']),
  formatLeniently,
}

function mayBeLeftOut(name: string, { extensions }: ModelRequest): boolean {
  if (settings.has(name)) return true
  if (!Object.hasOwn(extensions, name)) return false
  return !named.has(name) || hints.has(name) || isOmittable(name)
}

/** @throws {GatewayError} 400 that names the first field which the table refuses */
export function refuseUnsupported(request: ModelRequest, fields: AnyFieldTable, modelId: string): void {
  refuseFields(generateFieldRules, request, fields, modelId)
}

/**
 * The body for this vendor, without what `formatRequest` refuses and leniency may leave out.
 * @throws {GatewayError} 400 that names a field which is refused even so
 */
function formatLeniently(
  lenient: LenientRequest<ModelRequest>,
  vendor: VendorOperation<ModelRequest>,
  target: Target,
): { body: Record<string, unknown>; dropped: readonly string[] } {
  const dropped = new Set(lenient.dropped)
  let { request } = lenient
  // Each round leaves out one more field, so there are at most as many rounds as fields.
  for (;;) {
    try {
      return { body: vendor.formatRequest(request, target), dropped: [...dropped] }
    } catch (error) {
      if (!(error instanceof UnsupportedField) || dropped.has(error.param!))
        throw restorePath(error, lenient.dropped)
      for (const path of error.paths) dropped.add(path)
      request = error.without(request)
    }
  }
}
