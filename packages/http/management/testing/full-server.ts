import { PromptLog } from '@turnpike/gateway'
import { connectedApps, mcpAddresses, MailedCodes, OwnLogin } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import type { Storage } from '@turnpike/storage'
import { exampleModel } from '../openapi/compatible/model.ts'
import type { ManagementServices } from '../services.ts'
import { checkoutServices } from '../topups/testing/checkout-services.ts'
import { endWithSuite, startManagementServer, type ManagementServer } from './management-server.ts'

const publicUrl = 'http://gateway.test'

/** The management API with every optional service, so that no path is missing. */
export function startFullServer(more: Partial<ManagementServices> = {}): Promise<ManagementServer> {
  return startManagementServer(({ storage, clock }) => ({
    promptLog: promptLogOn(storage),
    ...more,
    publicModels: () => [exampleModel],
    discovery: async () => ({
      issuer: publicUrl,
      client_id: 'turnpike-cli',
      authorization_endpoint: `${publicUrl}/auth`,
      device_authorization_endpoint: `${publicUrl}/device/auth`,
      token_endpoint: `${publicUrl}/token`,
      scopes: ['openid'],
      resource: `${publicUrl}/api/v1`,
    }),
    routing: {
      route: () => {
        throw new GatewayError('service_unavailable', 'There is no model to choose from.')
      },
      requireModel: (name) => name,
    },
    identityAdministration: {
      invites: storage.identity.invites,
      rotateKeys: async () => ({ keyId: 'signing-key', createdAtMs: clock() }),
    },
    notifications: {
      checkUrl: async () => undefined,
      sealSecret: (secret) => secret,
      mayAsk: () => undefined,
      mayMailFrom: () => undefined,
      ask: async () => undefined,
      invite: async () => true,
    },
    setAside: {
      list: async () => ({ rows: [], total: 0 }),
      retry: async () => {
        throw new GatewayError('not_found_error', 'Row not found on this node.')
      },
      discard: async () => {
        throw new GatewayError('not_found_error', 'Row not found on this node.')
      },
    },
    logins: loginsOf(storage, clock),
    connectedApps: connectedApps(storage.identity.state, clock),
    mcp: {
      addresses: () => mcpAddresses(`${publicUrl}/mcp`, publicUrl),
      authorization() {
        throw new GatewayError('service_unavailable', 'Nobody signs in here.')
      },
      issuer: () => publicUrl,
    },
    checkout: {
      ...checkoutServices({ storage, clock, publicUrl }),
      receiveStripeEvent: async () => undefined,
    },
  }))
}

function loginsOf({ identity: { users, sessions, mailedCodes: codes } }: Storage, clock: () => number) {
  const rules = { registration: 'open' as const, allowedEmailDomains: [] }
  const mailed = new MailedCodes({
    users,
    codes,
    send: async () => undefined,
    registration: 'open',
    publicUrl: () => publicUrl,
    clock,
    onFailure(error) {
      throw error
    },
  })
  return { sessions, own: new OwnLogin(users, rules, clock, mailed), mailed }
}

/** A full server for a whole test file: it closes after the last test. */
export async function suiteFullServer(more?: Partial<ManagementServices>): Promise<ManagementServer> {
  return endWithSuite(await startFullServer(more))
}

/** The prompt log of a gateway that lets its users keep prompts for 30 days. */
export function promptLogOn(
  { promptLogs }: Pick<Storage, 'promptLogs'>,
  key = Buffer.alloc(32, 7),
): PromptLog {
  const settings = {
    encryptionKeys: [key],
    days: { usual: 7, most: 30 },
    maxBytes: 64 * 1024,
    maxAccountBytes: 1024 ** 2,
    patterns: [],
  }
  return new PromptLog(promptLogs, settings, { warn: () => undefined, error: () => undefined })
}
