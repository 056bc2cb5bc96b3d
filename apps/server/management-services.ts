import { budgetLeaseId, type Budget, type SpendBook } from '@turnpike/billing'
import { credentialStates, describeModels, modelOffers, type Gateway, type Outbox } from '@turnpike/gateway'
import type { ManagementServices } from '@turnpike/http'
import { operatorAddresses } from '@turnpike/identity'
import { invalidRequest, spendPeriodAt } from '@turnpike/protocol'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from './configuration/configuration.ts'
import { callerAddressReader } from './identity/caller-address.ts'

/** The gateway's address, its administrators, and the proxies that may report callers' addresses. */
export function accessOf(
  { server, admin, identity }: Configuration,
  internalSecret: string | undefined,
  publicUrl: () => string,
) {
  return {
    publicUrl,
    maxOrganizations: identity.maxOrganizations,
    callerAddress: callerAddressReader(server.trustedProxies),
    internalSecret,
    operatorsByToken: admin.operators.length > 0,
    operatorAddresses: operatorAddresses(admin.operators),
  }
}

/** What the management API needs about models as they are at each request, routing and the prompt log. */
export function modelServices(
  gateway: Gateway,
  { dashboard }: Pick<Configuration, 'dashboard'>,
): Pick<
  ManagementServices,
  'models' | 'modelOffers' | 'publicModels' | 'routing' | 'upstreams' | 'promptLog'
> {
  return {
    promptLog: gateway.promptLog,
    upstreams: {
      all: () => gateway.health.all(),
      credentials: () => credentialStates(gateway.credentials),
    },
    models: (account) => describeModels(gateway, account),
    modelOffers: (model, accountId) => modelOffers(gateway, model, accountId),
    ...(dashboard.publicModels && { publicModels: () => publicModels(gateway) }),
    routing: {
      route: (asked) => gateway.auto.route(asked),
      requireModel: (name, param) => requireModel(gateway, name, param),
    },
  }
}

/** Aliases are left out: the operator's own names may reveal a customer's name. */
function publicModels(gateway: Gateway): object[] {
  return describeModels(gateway).filter(({ id }) => !gateway.catalog.aliases.has(id))
}

function requireModel({ catalog, candidates }: Gateway, name: string, param: string): string {
  const model = catalog.find(name)
  if (model !== undefined && candidates.of(model).length > 0) return model.id
  throw invalidRequest(param, `${param}: expected the full name of a model from GET /v1/models.`)
}

/** Lets the management API notify this node, so that a change takes effect at once. */
export function hooksOf(
  { keys }: Gateway,
  leases: SpendBook,
  outbox: Outbox,
  { apiKeys }: Pick<Storage, 'apiKeys'>,
) {
  const releaseCredit = (keyId: string): Promise<void> => leases.giveBackEverywhere(keyId)
  return {
    onKeyCreated: (keyHash: string) => keys.admit(keyHash),
    onKeyChanged: (keyId: string) => keys.forget(keyId),
    onAccountChanged: (accountId: string) => keys.forgetAccount(accountId),
    releaseCredit,
    async releaseBudget({ id, period }: Budget) {
      await leases.budgetChanged(id)
      await leases.giveBackEverywhere(budgetLeaseId(id, spendPeriodAt(period, Date.now())))
    },
    async releaseShared(keyId: string) {
      const drawers = await apiKeys.leasedDependents(keyId)
      await Promise.all([keyId, ...drawers].map(releaseCredit))
    },
    flushUsage: () => outbox.flush(),
  }
}
