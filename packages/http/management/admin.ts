import type { FastifyRequest } from 'fastify'
import { registerAccounts } from './accounts/routes.ts'
import { registerAudit } from './audit/record-actions.ts'
import { registerAuditLog } from './audit/routes.ts'
import { registerCredits } from './credits/routes.ts'
import { registerEntityTags } from './entity-tag.ts'
import { registerIdentityAdministration } from './identity/routes.ts'
import { registerIdempotency } from './idempotency/replay.ts'
import { internalSecretCheck } from './internal-secret.ts'
import { registerKeys } from './keys/routes.ts'
import { registerKeyRotation } from './keys/rotate.ts'
import { registerKeyTransfer } from './keys/transfer.ts'
import { registerLedger, registerLedgerVerification } from './ledger/routes.ts'
import type { ManagementApp } from './management-app.ts'
import { registerPrices } from './prices/routes.ts'
import { accountInPath, allAccounts, usageOf } from './scope.ts'
import type { ManagementServices } from './services.ts'
import { registerTopups } from './topups/routes.ts'
import { registerUsage } from './usage/routes.ts'

const admin = '/api/v1/admin'
const account = `${admin}/accounts/:account_id`

/** The endpoints of the storefront and the operator, behind the internal secret (contract, section 6). */
export function registerAdmin(
  app: ManagementApp,
  services: ManagementServices,
  internalSecret: string,
): void {
  const authenticated = new WeakSet<FastifyRequest>()
  const check = internalSecretCheck(internalSecret)
  app.addHook('onRequest', async (request) => {
    await check(request)
    authenticated.add(request)
  })
  registerAudit(app, services, (request) =>
    authenticated.has(request) ? { actor: 'operator', subject: null, accountId: null } : undefined,
  )
  registerEntityTags(app)
  registerIdempotency(app, services, () => 'admin')
  // What was metered on this node a moment ago is part of every balance, list and sum that is answered.
  app.addHook('preHandler', () => services.flushUsage())

  const scope = accountInPath(services.accounts)
  registerAccounts(app, `${admin}/accounts`, scope, services)
  registerCredits(app, `${account}/credits`, scope, services)
  if (services.identityAdministration !== undefined)
    registerIdentityAdministration(app, `${admin}/identity`, services.identityAdministration, () =>
      services.clock(),
    )
  registerKeys(app, `${account}/keys`, scope, services)
  registerKeyRotation(app, `${account}/keys`, scope, services)
  registerKeyTransfer(app, `${account}/keys`, scope, services)
  registerUsage(app, `${account}/usage`, usageOf(scope), services)
  registerLedger(app, `${account}/ledger`, scope, services)
  registerTopups(app, account, scope, services)
  registerUsage(app, `${admin}/usage`, allAccounts, services)
  registerLedgerVerification(app, `${admin}/ledger/verify`, services)
  registerPrices(app, `${admin}/prices`, services)
  registerAuditLog(app, `${admin}/audit`, services)
}
