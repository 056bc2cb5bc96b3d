import type { LiveGrant, ProviderStateStore } from '../embedded-provider/stores.ts'
import { embeddedClientId } from '../embedded-provider/addresses.ts'
import { isDocumentAddress } from '../mcp-clients/client-documents.ts'
import { clientNameOf } from '../mcp-clients/registered-client.ts'
import { organizationOfGrant } from './grants.ts'
import { isMcpScope, type McpScope } from './scopes.ts'

/** One sign-in of an app that a person has allowed to use the MCP server. */
export interface ConnectedApp {
  /** The grant's identifier. */
  id: string
  /** The app's own name for itself, unverified. */
  name: string
  /** The host of its metadata; null: it registered itself. */
  host: string | null
  scopes: McpScope[]
  /** The organization that it acts for; null: the person's own account. */
  organizationId: string | null
  grantedAtMs: number
  /** When it last received a token. */
  renewedAtMs: number
}

export interface ConnectedApps {
  /** @param userId the subject of the person's tokens */
  list(userId: string): Promise<ConnectedApp[]>
  /** Ends the app's sign-in and tokens, at once, on every node; false if the person has no such app. */
  end(userId: string, id: string): Promise<boolean>
}

/** For external identity providers, which keep track of their own grants. */
export const noConnectedApps: ConnectedApps = {
  list: () => Promise.resolve([]),
  end: () => Promise.resolve(false),
}

/** Records of a grant that are tokens, or can be exchanged for some. */
const kindsOfGrant = ['RefreshToken', 'AuthorizationCode']

export function connectedApps(state: ProviderStateStore, clock: () => number): ConnectedApps {
  const list = async (userId: string): Promise<ConnectedApp[]> =>
    (await state.liveGrants(userId, clock()))
      .filter(({ grant }) => grant['clientId'] !== embeddedClientId)
      .map(appOf)
  return {
    list,
    async end(userId, id) {
      if (!(await list(userId)).some((app) => app.id === id)) return false
      await state.remove('Grant', id)
      for (const kind of kindsOfGrant) await state.removeOfGrant(kind, id)
      return true
    },
  }
}

function appOf({ id, grant, refreshToken }: LiveGrant): ConnectedApp {
  const clientId = String(grant['clientId'])
  const host = isDocumentAddress(clientId) ? new URL(clientId).host : null
  return {
    id,
    name: host ?? clientNameOf(clientId),
    host,
    scopes: scopesOf(grant),
    organizationId: organizationOfGrant(grant) ?? null,
    grantedAtMs: Number(grant['iat']) * 1000,
    renewedAtMs: Number(refreshToken['iat']) * 1000,
  }
}

function scopesOf({ resources }: Record<string, unknown>): McpScope[] {
  const granted = Object.values((resources ?? {}) as Record<string, string>)
  return granted.flatMap((scopes) => scopes.split(' ')).filter(isMcpScope)
}
