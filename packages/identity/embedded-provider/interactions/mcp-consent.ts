import type { Client, Provider } from 'oidc-provider'
import { organizationDetail } from '../../mcp-access/grants.ts'
import { isMcpScope, type McpScope } from '../../mcp-access/scopes.ts'
import { isDocumentAddress } from '../../mcp-clients/client-documents.ts'
import { isLoopbackRedirect } from '../../mcp-clients/client-metadata.ts'
import type { Interaction } from './interaction.ts'
import type { McpConsent } from '../pages/mcp-consent.ts'

/** What the consent page shows for an app that requests access. */
export function mcpConsentOf(
  app: Client,
  interaction: Interaction,
  person: Pick<McpConsent, 'account' | 'organizations'>,
): McpConsent {
  const redirectUri = String(interaction.params['redirect_uri'])
  const { clientId } = app
  return {
    name: app.clientName ?? clientId,
    host: isDocumentAddress(clientId) ? new URL(clientId).host : undefined,
    ...person,
    redirectsTo: new URL(redirectUri).host,
    isLoopback: isLoopbackRedirect(redirectUri),
    // Two spellings of the resource's address are one server, so the scopes are merged.
    scopes: [...new Set(missingScopesOf(interaction).flatMap(([, scopes]) => scopes))],
  }
}

/**
 * Grants the chosen scopes and refuses the rest, for this sign-in only. Other grants of the same app,
 * elsewhere or earlier, are separate and end separately.
 * @param organizationId the organization that the app acts for; undefined: the person
 * @returns the grant's identifier; undefined if nothing was chosen
 */
export async function grantToApp(
  provider: Provider,
  interaction: Interaction,
  chosen: readonly string[],
  organizationId: string | undefined,
): Promise<string | undefined> {
  const accountId = interaction.session?.accountId
  const clientId = String(interaction.params['client_id'])
  const grant = new provider.Grant({ clientId, ...(accountId === undefined ? {} : { accountId }) })
  if (organizationId !== undefined) grant.addRar(organizationDetail(organizationId))
  let isEmpty = true
  for (const [resource, asked] of missingScopesOf(interaction)) {
    const granted = asked.filter((scope) => chosen.includes(scope))
    const refused = asked.filter((scope) => !chosen.includes(scope))
    if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '))
    if (granted.length > 0) isEmpty = false
  }
  return isEmpty ? undefined : grant.save()
}

/** The scopes, by resource, that `oidc-provider` found not to be granted yet. */
function missingScopesOf({ prompt }: Interaction): [string, McpScope[]][] {
  const missing = (prompt.details['missingResourceScopes'] ?? {}) as Record<string, string[]>
  return Object.entries(missing).map(([resource, scopes]) => [resource, scopes.filter(isMcpScope)])
}
