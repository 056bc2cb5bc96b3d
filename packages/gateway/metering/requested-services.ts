import type { RequestedServices } from '@turnpike/billing'
import type { Held, Parsed } from '../context/stages.ts'
import type { ServiceTarget } from '../operations/rules.ts'

const nothing: RequestedServices = {}

export type Asked = Pick<Parsed, 'call' | 'format' | 'operation'> & Pick<Partial<Held>, 'toolUses'>

/** What a request needs from a candidate besides plain tokens, as far as prices cover it. */
export function findRequestedServices(request: Asked, at: ServiceTarget): RequestedServices {
  return request.operation.services?.listServices(request, at) ?? nothing
}
