import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { nullable } from '../validation/fields.ts'

const discoverySchema = Type.Object({
  issuer: Type.String(),
  client_id: Type.String(),
  authorization_endpoint: nullable(Type.String()),
  device_authorization_endpoint: nullable(
    Type.String({ description: 'Null if the issuer has no device authorization grant.' }),
  ),
  token_endpoint: Type.String(),
  scopes: Type.Array(Type.String()),
  resource: Type.String({ description: 'Sent as `resource` (RFC 8707); the `aud` of the tokens.' }),
})

const answerSchema = Type.Object({
  ...discoverySchema.properties,
  public_models: Type.Boolean({ description: 'Whether `GET /api/v1/public/models` is available.' }),
})

/** Everything a client needs for a login by the device authorization grant (RFC 8628). */
export type AuthDiscovery = Static<typeof discoverySchema>

/** Open to everybody: where to sign in, and as which client. */
export function registerDiscovery(
  app: ManagementApp,
  path: string,
  discovery: () => Promise<AuthDiscovery>,
  hasPublicModels: boolean,
): void {
  app.get(path, { schema: { response: { 200: answerSchema } } }, async () => ({
    ...(await discovery()),
    public_models: hasPublicModels,
  }))
}
