import type { SignedInAccount } from '@turnpike/identity'
import type { FastifyRequest } from 'fastify'
import { viaOf } from '../inner-requests.ts'
import { registerAutoTopup } from '../auto-topup/routes.ts'
import { registerAlerts } from '../alerts/routes.ts'
import { registerAudit } from '../audit/record-actions.ts'
import { registerDeviceSignIns } from '../device-sign-ins/routes.ts'
import { registerEntityTags } from '../answers/entity-tag.ts'
import { registerBillingDetails } from '../billing-details/routes.ts'
import { registerBudgets } from '../budgets/routes.ts'
import { registerClosing } from '../closing/routes.ts'
import { registerDataExport } from '../data-export/routes.ts'
import { registerEvents } from '../events/routes.ts'
import { eventsOf } from '../events/scope.ts'
import { registerIdempotency } from '../idempotency/replay.ts'
import { registerKeys } from '../keys/routes.ts'
import { registerKeyHandOver } from '../keys/hand-over.ts'
import { registerKeyRotation } from '../keys/rotate.ts'
import { registerKeyTransfer } from '../keys/transfer.ts'
import { registerLedger } from '../ledger/routes.ts'
import { registerLogin } from '../logins/login-routes.ts'
import { registerOwnLogin } from '../logins/own-login-routes.ts'
import { registerSessions } from '../logins/routes.ts'
import type { ManagementApp } from '../management-app.ts'
import { registerConnectedApps } from '../mcp/connected-apps-routes.ts'
import { registerBalance, registerMe } from '../me/routes.ts'
import type { ProviderFigures } from '../models/provider-figures.ts'
import { registerOrganizationInvitations } from '../organizations/invitation-routes.ts'
import { registerMembers } from '../organizations/member-routes.ts'
import { registerLeaving, registerOrganization, registerOrganizations } from '../organizations/routes.ts'
import { registerProjects } from '../projects/routes.ts'
import { registerModelProviders } from '../models/providers-routes.ts'
import { registerPromptLog, registerRequestLog } from '../prompt-log/routes.ts'
import { registerModels } from '../models/routes.ts'
import { accountOfToken, usageOf, type TokenScope } from './scope.ts'
import { registerRoute } from '../route/routes.ts'
import type { ManagementServices } from '../services.ts'
import { registerTopups } from '../topups/routes.ts'
import { registerUsage } from '../usage/routes.ts'
import { registerVendorKeys } from '../vendor-keys/routes.ts'

const base = '/api/v1'

/** The endpoints of users, authenticated by their tokens (docs/contract.md, 6). */
export function registerUser(
  app: ManagementApp,
  services: ManagementServices,
  accountOf: (request: FastifyRequest) => Promise<SignedInAccount>,
  figures: ProviderFigures,
): void {
  const scope = accountOfToken(app, services, accountOf)
  auditUser(app, scope, services)
  registerEntityTags(app)
  registerIdempotency(app, services, (request) => callerOf(scope, request))
  // Recent usage on this node must be part of every balance, list and sum in a response.
  app.addHook('preHandler', () => services.flushUsage())

  registerMe(app, `${base}/me`, scope, services)
  registerLogin(app, `${base}/me/login`, scope, services)
  registerSessions(app, `${base}/me/sessions`, scope, services)
  registerBillingDetails(app, `${base}/me/billing`, scope, services)
  registerDataExport(app, `${base}/me/export`, scope, services)
  registerClosing(app, `${base}/me`, scope, services)
  registerBalance(app, `${base}/balance`, scope)
  registerKeys(app, `${base}/me/keys`, scope, services)
  registerKeyRotation(app, `${base}/me/keys`, scope, services)
  registerKeyTransfer(app, `${base}/me/keys`, scope, services)
  registerKeyHandOver(app, `${base}/me/keys`, scope, services)
  registerOrganizations(app, base, scope, services)
  registerOrganization(app, `${base}/organization`, scope, services)
  registerLeaving(app, `${base}/organization`, scope, services)
  registerMembers(app, `${base}/organization/members`, scope, services)
  registerOrganizationInvitations(app, `${base}/organization/invitations`, scope, services)
  registerProjects(app, `${base}/projects`, scope, services)
  const { deviceSignIns, connectedApps } = services
  if (deviceSignIns !== undefined)
    registerDeviceSignIns(app, `${base}/me/device-sign-ins`, scope, services, deviceSignIns)
  if (connectedApps !== undefined)
    registerConnectedApps(app, `${base}/me/connected-apps`, scope, connectedApps, services)
  registerUsage(app, `${base}/usage`, usageOf(scope, { markup: false }), services)
  registerPromptLog(app, `${base}/me/prompt-log`, scope, services)
  registerRequestLog(app, `${base}/usage/requests/:request_id/log`, scope, services)
  registerLedger(app, `${base}/ledger`, scope, services)
  registerTopups(app, base, scope, services)
  registerAutoTopup(app, base, scope, services)
  registerAlerts(app, `${base}/alerts`, scope, services)
  registerEvents(app, base, eventsOf(scope, services), services)
  registerBudgets(app, `${base}/budgets`, scope, services)
  const { ownKeys } = services
  if (ownKeys !== undefined) registerVendorKeys(app, `${base}/vendor-keys`, scope, services, ownKeys)
  registerModels(app, `${base}/models`, scope, services)
  const offers = services.modelOffers
  registerModelProviders(app, `${base}/models/providers`, scope, { offers, figures })
}

/** Audited, but never repeated by an idempotency key: nothing of a body with a password may be stored. */
export function registerOwnLogins(
  app: ManagementApp,
  services: ManagementServices,
  accountOf: (request: FastifyRequest) => Promise<SignedInAccount>,
): void {
  const scope = accountOfToken(app, services, accountOf)
  auditUser(app, scope, services)
  registerOwnLogin(app, `${base}/me`, scope, services)
}

/** The owner of kept responses: those for an organization are not those for the person. */
function callerOf(scope: TokenScope, request: FastifyRequest): string {
  const { person, accountId } = scope.acting(request)!
  return accountId === person.id ? person.id : `${person.id} ${accountId}`
}

function auditUser(app: ManagementApp, scope: TokenScope, services: ManagementServices): void {
  registerAudit(app, services, (request) => {
    const person = scope.signedInAccount(request)
    if (person === undefined) return undefined
    const accountId = scope.acting(request)?.accountId ?? person.id
    return {
      actor: 'user',
      subject: person.subject,
      accountId,
      ...(accountId !== person.id && { onBehalfOf: person.id }),
      via: viaOf(request),
    }
  })
}

/** Operations that take a body but change nothing: neither audited nor repeated by an idempotency key. */
export function registerExplanations(
  app: ManagementApp,
  services: ManagementServices,
  accountOf: (request: FastifyRequest) => Promise<SignedInAccount>,
): void {
  const { routing } = services
  if (routing === undefined) return
  const scope = accountOfToken(app, services, accountOf)
  registerRoute(app, `${base}/route`, scope, { routing, clock: () => services.clock() })
}
