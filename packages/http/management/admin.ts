import type { FastifyRequest } from 'fastify'
import { registerAccounts } from './accounts/routes.ts'
import { registerAutoTopup } from './auto-topup/routes.ts'
import { registerAlerts } from './alerts/routes.ts'
import { registerAudit } from './audit/record-actions.ts'
import { registerAuditLog } from './audit/routes.ts'
import { registerBudgets } from './budgets/routes.ts'
import { registerCredits } from './credits/routes.ts'
import { registerEntityTags } from './answers/entity-tag.ts'
import { registerEvents } from './events/routes.ts'
import { eventsOf, operatorEvents } from './events/scope.ts'
import { registerIdentityAdministration } from './identity/routes.ts'
import { registerIdempotency } from './idempotency/replay.ts'
import { registerKeys } from './keys/routes.ts'
import { registerKeyHandOver } from './keys/hand-over.ts'
import { registerKeyRotation } from './keys/rotate.ts'
import { registerKeyTransfer } from './keys/transfer.ts'
import { registerLedger } from './ledger/routes.ts'
import { registerLedgerVerification } from './ledger/verification-routes.ts'
import type { ManagementApp } from './management-app.ts'
import { operatorAccess, type Operator, type OperatorCredentials } from './access/operator-access.ts'
import { registerOrganizationInvitations } from './organizations/invitation-routes.ts'
import { registerMembers } from './organizations/member-routes.ts'
import { registerOrganization } from './organizations/routes.ts'
import { registerProjects } from './projects/routes.ts'
import { registerPrices } from './prices/routes.ts'
import { accountInPath, allAccounts, usageOf } from './access/scope.ts'
import type { ManagementServices } from './services.ts'
import { registerSetAside } from './set-aside/routes.ts'
import { registerTopups } from './topups/routes.ts'
import { registerUpstreamAttempts } from './upstreams/attempts.ts'
import { registerUpstreams } from './upstreams/routes.ts'
import { registerUsage } from './usage/routes.ts'
import { registerVendorKeys } from './vendor-keys/routes.ts'

const admin = '/api/v1/admin'
const account = `${admin}/accounts/:account_id`

/** Endpoints for storefronts and operators, by secret or operator's token (docs/contract.md, 6). */
export function registerAdmin(
  app: ManagementApp,
  services: ManagementServices,
  credentials: OperatorCredentials,
): void {
  const operators = new WeakMap<FastifyRequest, Operator>()
  const admit = operatorAccess(credentials)
  app.addHook('onRequest', async (request) => {
    operators.set(request, await admit(request))
  })
  registerAudit(app, services, (request) => {
    const operator = operators.get(request)
    if (operator === undefined) return undefined
    return { actor: 'operator', subject: operator === 'secret' ? null : operator.subject, accountId: null }
  })
  registerEntityTags(app)
  registerIdempotency(app, services, (request) => {
    const operator = operators.get(request)!
    return operator === 'secret' ? 'admin' : `admin ${operator.id}`
  })
  // Recent usage on this node must be part of every balance, list and sum in a response.
  app.addHook('preHandler', () => services.flushUsage())

  const scope = accountInPath(services)
  const hasSecret = (request: FastifyRequest): boolean => operators.get(request) === 'secret'
  registerAccounts(app, `${admin}/accounts`, scope, services, hasSecret)
  registerCredits(app, `${account}/credits`, scope, services)
  if (services.identityAdministration !== undefined)
    registerIdentityAdministration(
      app,
      `${admin}/identity`,
      services.identityAdministration,
      services,
      hasSecret,
    )
  registerKeys(app, `${account}/keys`, scope, services)
  registerKeyRotation(app, `${account}/keys`, scope, services)
  registerKeyTransfer(app, `${account}/keys`, scope, services)
  registerKeyHandOver(app, `${account}/keys`, scope, services)
  registerOrganization(app, `${account}/organization`, scope, services)
  registerMembers(app, `${account}/organization/members`, scope, services)
  registerOrganizationInvitations(app, `${account}/organization/invitations`, scope, services)
  registerProjects(app, `${account}/projects`, scope, services)
  registerUsage(app, `${account}/usage`, usageOf(scope, { markup: true }), services)
  registerLedger(app, `${account}/ledger`, scope, services)
  registerTopups(app, account, scope, services)
  registerAutoTopup(app, account, scope, services)
  registerAlerts(app, `${account}/alerts`, scope, services)
  registerEvents(app, account, eventsOf(scope, services), services)
  registerEvents(app, admin, operatorEvents, services)
  registerBudgets(app, `${account}/budgets`, scope, services)
  const { ownKeys } = services
  if (ownKeys !== undefined) registerVendorKeys(app, `${account}/vendor-keys`, scope, services, ownKeys)
  registerUsage(app, `${admin}/usage`, allAccounts, services)
  registerLedgerVerification(app, `${admin}/ledger`, services)
  registerPrices(app, `${admin}/prices`, services)
  registerUpstreams(app, `${admin}/upstreams`, services)
  registerUpstreamAttempts(app, `${admin}/upstreams/attempts`, services)
  if (services.setAside !== undefined) registerSetAside(app, `${admin}/set-aside`, services.setAside)
  registerAuditLog(app, `${admin}/audit`, services)
}
