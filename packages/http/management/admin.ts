import { registerAccounts } from './accounts/routes.ts'
import { registerCredits } from './credits/routes.ts'
import type { IdempotencyStore } from './idempotency/idempotency-store.ts'
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
import { registerUsage } from './usage/routes.ts'

const admin = '/api/v1/admin'
const account = `${admin}/accounts/:account_id`

/** The endpoints of the storefront and the operator, behind the internal secret (contract, section 6). */
export function registerAdmin(
  app: ManagementApp,
  services: ManagementServices,
  { internalSecret, idempotency }: { internalSecret: string; idempotency: IdempotencyStore },
): void {
  app.addHook('onRequest', internalSecretCheck(internalSecret))
  registerIdempotency(app, idempotency, services, () => 'admin')
  // What was metered on this node a moment ago is part of every balance, list and sum that is answered.
  app.addHook('preHandler', () => services.flushUsage())

  const scope = accountInPath(services.accounts)
  registerAccounts(app, `${admin}/accounts`, scope, services)
  registerCredits(app, `${account}/credits`, scope, services)
  registerKeys(app, `${account}/keys`, scope, services)
  registerKeyRotation(app, `${account}/keys`, scope, services)
  registerKeyTransfer(app, `${account}/keys`, scope, services)
  registerUsage(app, `${account}/usage`, usageOf(scope), services)
  registerLedger(app, `${account}/ledger`, scope, services)
  registerUsage(app, `${admin}/usage`, allAccounts, services)
  registerLedgerVerification(app, `${admin}/ledger/verify`, services)
  registerPrices(app, `${admin}/prices`, services)
}
