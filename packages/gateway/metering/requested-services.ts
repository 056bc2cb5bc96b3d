import type { RequestedServices } from '@turnpike/billing'
import type { Held, Parsed } from '../context/stages.ts'
import type { ServiceTarget } from '../operations/rules.ts'

const nothing: RequestedServices = {}

export type Asked = Pick<Parsed, 'call' | 'format' | 'operation'> & Pick<Partial<Held>, 'toolUses'>

/** What a request asks of a candidate beside its plain tokens, as far as a price may pay for it. */
export function findRequestedServices(request: Asked, at: ServiceTarget): RequestedServices {
  return request.operation.services?.listServices(request, at) ?? nothing
}
