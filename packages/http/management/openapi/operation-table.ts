import type { Operation, Surface } from './operation.ts'
import { accountOperations } from './operations/accounts.ts'
import { budgetOperations } from './operations/budgets.ts'
import { deviceSignInOperations } from './operations/device-sign-ins.ts'
import { eventOperations } from './operations/events.ts'
import { identityOperations } from './operations/identity.ts'
import { keyOperations } from './operations/keys.ts'
import { mcpOperations } from './operations/mcp.ts'
import { modelOperations } from './operations/models.ts'
import { organizationOperations } from './operations/organizations.ts'
import { promptLogOperations } from './operations/prompt-log.ts'
import { serviceOperations } from './operations/service.ts'
import { settingsOperations } from './operations/settings.ts'
import { topupOperations } from './operations/topups.ts'
import { usageOperations } from './operations/usage.ts'
import { vendorKeyOperations } from './operations/vendor-keys.ts'

/** By method and path, without the prefix of each surface. */
const operations: Readonly<Record<string, Operation>> = {
  ...accountOperations,
  ...settingsOperations,
  ...keyOperations,
  ...budgetOperations,
  ...vendorKeyOperations,
  ...organizationOperations,
  ...deviceSignInOperations,
  ...mcpOperations,
  ...usageOperations,
  ...promptLogOperations,
  ...topupOperations,
  ...eventOperations,
  ...identityOperations,
  ...modelOperations,
  ...serviceOperations,
}

/** The operation of one route. */
export interface RouteOperation extends Omit<Operation, 'acrossAccounts'> {
  surface: Surface
  /** The name in the audit log, the same for users and operators. */
  action: string
}

interface Place {
  prefix: string
  /** What must follow the prefix for this place to match. */
  rest: RegExp
  surface: Surface
  /** Distinguishes the twins of an operation. */
  id: (id: string) => string
  summary: (summary: string) => string
}

const same = (text: string): string => text

/** The prefixes of operations, most specific first. */
const places: readonly Place[] = [
  {
    prefix: '/api/v1/admin/accounts/:account_id',
    rest: /^\/./,
    surface: 'operator',
    id: (id) => `${id}OfAccount`,
    summary: (summary) => `${summary} for an account`,
  },
  {
    prefix: '/api/v1/admin',
    rest: /^\/usage/,
    surface: 'operator',
    id: (id) => `${id}OfAll`,
    summary: (summary) => `${summary} across all accounts`,
  },
  {
    prefix: '/api/v1/admin',
    rest: /^\/(events|event-targets|deliveries)(\/|$)/,
    surface: 'operator',
    id: (id) => `${id}OfOperator`,
    summary: (summary) => `${summary} of the operator’s own`,
  },
  { prefix: '/api/v1/admin', rest: /^\/./, surface: 'operator', id: same, summary: same },
  { prefix: '/api/v1', rest: /^\/auth\//, surface: 'open', id: same, summary: same },
  { prefix: '/api/v1', rest: /^\/public\//, surface: 'open', id: same, summary: same },
  { prefix: '/api/v1/me', rest: /^\/./, surface: 'user', id: same, summary: same },
  { prefix: '/api/v1', rest: /^\/./, surface: 'user', id: same, summary: same },
  { prefix: '', rest: /^\/metrics$/, surface: 'operator', id: same, summary: same },
  { prefix: '', rest: /^\//, surface: 'open', id: same, summary: same },
]

/**
 * The operation of the route with this method and path; undefined if it is not part of the API.
 * @param path such as `/api/v1/me/keys/:key_id`
 */
export function operationAt(method: string, path: string): RouteOperation | undefined {
  const place = places.find(
    ({ prefix, rest }) => path.startsWith(prefix) && rest.test(path.slice(prefix.length)),
  )
  if (place === undefined) return undefined
  const { prefix, surface, id, summary } = place
  // HEAD is GET without a body.
  const verb = method === 'HEAD' ? 'GET' : method
  const operation = operations[`${verb} ${path.slice(prefix.length)}`]
  if (operation === undefined) return undefined
  const { acrossAccounts, ...common } = operation
  const further = path.startsWith('/api/v1/admin/usage') ? acrossAccounts : undefined
  return {
    ...common,
    ...(further && {
      description: `${operation.description}\n\n${further.description}`,
      answer: further.answer,
    }),
    surface,
    tag: surface === 'operator' ? 'Operator' : operation.tag,
    action: operation.id,
    id: id(operation.id),
    summary: summary(operation.summary),
  }
}

/** Every name in the audit log; also every `operationId`, apart from what distinguishes twins. */
export const operationNames: readonly string[] = Object.values(operations).map(({ id }) => id)
