import type { ConnectedApp, ConnectedApps } from '@turnpike/identity'
import { GatewayError } from '@turnpike/protocol'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf } from '../page.ts'
import type { AccountScope } from '../access/scope.ts'
import type { ManagementServices } from '../services.ts'
import { deletedSchema, epochSeconds, nullable, timestamp } from '../validation/fields.ts'
import { organizationNames } from './organization-names.ts'

const appSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('connected_app'),
    name: Type.String({ description: 'The name it gives itself; not verified.' }),
    host: nullable(Type.String({ description: 'URL of its metadata; null: it registered itself.' })),
    scopes: Type.Array(Type.String()),
    organization_id: nullable(
      Type.String({ description: 'The organization it acts for; null: your own account.' }),
    ),
    organization_name: nullable(Type.String({ description: 'Also null if you are no longer a member.' })),
    created_at: timestamp,
    last_renewed_at: timestamp,
  },
  { title: 'ConnectedApp' },
)

/** The apps that a person has allowed to use the MCP server. Ending one ends its tokens too. */
export function registerConnectedApps(
  app: ManagementApp,
  path: string,
  scope: AccountScope,
  apps: ConnectedApps,
  services: Pick<ManagementServices, 'organizations'>,
): void {
  app.get(path, { schema: { response: { 200: listOf(appSchema) } } }, async (request) => {
    const { id, subject } = await scope.account(request)
    const rows = subject === null ? [] : await apps.list(subject)
    const names = await organizationNames(rows, id, services)
    return listAnswer({ rows, nextCursor: null }, (one) => record(one, names))
  })

  const params = Type.Object({ app_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) })
  app.delete(`${path}/:app_id`, { schema: { params, response: { 200: deletedSchema } } }, async (request) => {
    const { subject } = await scope.account(request)
    const { app_id: id } = request.params
    if (subject !== null && (await apps.end(subject, id))) return { id, deleted: true as const }
    throw new GatewayError('not_found_error', 'App not found.')
  })
}

function record(app: ConnectedApp, names: ReadonlyMap<string, string>): Static<typeof appSchema> {
  const { id, name, host, scopes, organizationId, grantedAtMs, renewedAtMs } = app
  return {
    id,
    object: 'connected_app',
    name,
    host,
    scopes,
    organization_id: organizationId,
    organization_name: names.get(organizationId ?? '') ?? null,
    created_at: epochSeconds(grantedAtMs),
    last_renewed_at: epochSeconds(renewedAtMs),
  }
}
