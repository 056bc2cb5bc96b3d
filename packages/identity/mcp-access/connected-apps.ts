import type { LiveGrant, ProviderStateStore } from '../embedded-provider/stores.ts'
import { embeddedClientId } from '../embedded-provider/addresses.ts'
import { isDocumentAddress } from '../mcp-clients/client-documents.ts'
import { clientNameOf } from '../mcp-clients/registered-client.ts'
import { organizationOfGrant } from './grants.ts'
import { isMcpScope, type McpScope } from './scopes.ts'

/** An app that a person has allowed to use the MCP server, by one sign-in. */
export interface ConnectedApp {
  /** Of the grant. */
  id: string
  /** What it calls itself; nobody has verified it. */
  name: string
  /** Where its metadata are; null: it registered by itself. */
  host: string | null
  scopes: McpScope[]
  /** The organization that it acts for; null: the person's own account. */
  organizationId: string | null
  grantedAtMs: number
  /** When it last got a token. */
  renewedAtMs: number
}

export interface ConnectedApps {
  /** @param userId subject of the person's tokens */
  list(userId: string): Promise<ConnectedApp[]>
  /** Ends it with all of its tokens, at once and on every node; false where the person has none such. */
  end(userId: string, id: string): Promise<boolean>
}

/** With an identity provider elsewhere, which knows itself what was granted there. */
export const noConnectedApps: ConnectedApps = {
  list: () => Promise.resolve([]),
  end: () => Promise.resolve(false),
}

/** What of a login has tokens of its own, or may become some. */
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
