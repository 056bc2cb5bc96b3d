import type { ServicesAsked } from '@turnpike/billing'
import type { Held, Parsed } from '../context/stages.ts'
import type { PutAt } from '../operations/rules.ts'

const nothing: ServicesAsked = {}

export type Asked = Pick<Parsed, 'call' | 'format' | 'operation'> & Pick<Partial<Held>, 'toolUses'>

/** What a request asks of a candidate beside its plain tokens, as far as a price may pay for it. */
export function servicesAsked(request: Asked, at: PutAt): ServicesAsked {
  return request.operation.services?.asked(request, at) ?? nothing
}
