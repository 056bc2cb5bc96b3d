import { roles } from '@turnpike/identity'
import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { closed, organizationPattern, url } from './values.ts'

const roleMapping = closed('What one value of `identity.roles_claim` means.', {
  value: Type.String({ minLength: 1, description: 'The exact value of the claim.' }),
  organization: Type.String({
    pattern: organizationPattern,
    description: "The organization's `id`.",
  }),
  role: Type.Enum([...roles], { description: 'The role in that organization.' }),
})

export const identity = closed('User sign-in. Without `issuer`: the embedded identity provider.', {
  name: Type.Optional(
    Type.String({
      format: 'name',
      default: defaults.identity.name,
      description: 'Name of the issuer, used in the field `<name>_sub`.',
    }),
  ),
  issuer: Type.Optional(
    url(['http', 'https'], {
      description: "URL of an external OpenID issuer, exactly as in its tokens' `iss`; requires `client_id`.",
    }),
  ),
  client_id: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Client id of the command line and the dashboard at that issuer.',
    }),
  ),
  resource: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Required `aud` of tokens. Default: `server.public_url`.',
    }),
  ),
  registration: Type.Optional(
    Type.Enum(['open', 'closed', 'invite'], {
      default: defaults.identity.registration,
      description:
        'Who can register with the embedded provider: everybody, nobody, or people with an ' +
        'invitation (`POST /api/v1/admin/identity/invites`).',
    }),
  ),
  allowed_email_domains: Type.Optional(
    Type.Array(Type.String({ format: 'domain' }), {
      default: [],
      description:
        'Email domains that can register with the embedded provider; empty: all. Addresses are ' +
        'unverified until a mailed link is opened (`mail`).',
    }),
  ),
  max_organizations: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: defaults.identity.max_organizations,
      description: 'Maximum number of open organizations that a person can have created. 0: none.',
    }),
  ),
  roles_claim: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'The token claim with roles in organizations: a name, or a path such as ' +
        '`realm_access.roles`. Requires `issuer` and `role_mappings`.',
    }),
  ),
  role_mappings: Type.Optional(
    Type.Array(roleMapping, { description: 'Mapping of `roles_claim` values to roles.' }),
  ),
})

export const mcp = closed('The remote MCP server (docs/mcp.md).', {
  client_documents: Type.Optional(
    Type.Boolean({
      default: defaults.mcp.client_documents,
      description:
        'Whether the embedded provider accepts apps whose `client_id` is the https URL of a ' +
        'document, which it fetches. Turn it off if the gateway cannot reach the internet; apps ' +
        'then register.',
    }),
  ),
  client_registration: Type.Optional(
    Type.Boolean({
      default: defaults.mcp.client_registration,
      description: 'Whether apps can register themselves with the embedded provider.',
    }),
  ),
  public_url: Type.Optional(
    url(['http', 'https'], {
      description:
        'The URL at which MCP clients reach it, and the `aud` of their tokens. The gateway serves ' +
        'its path and accepts its host. Default: `<server.public_url>/mcp`.',
    }),
  ),
})
