import { roles } from '@turnpike/identity'
import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { closed, url } from './schema-values.ts'

const roleMapping = closed('What one value of `identity.roles_claim` means.', {
  value: Type.String({ minLength: 1, description: 'A value of the claim, letter by letter.' }),
  organization: Type.String({
    pattern: '^acct_[0-9a-hjkmnp-tv-z]{26}$',
    description: 'Of which organization, by its `id`.',
  }),
  role: Type.Enum([...roles], { description: 'The role that whoever has the value has there.' }),
})

export const identity = closed('Who signs users in. Without an `issuer`: the embedded identity provider.', {
  name: Type.Optional(
    Type.String({
      format: 'name',
      default: defaults.identity.name,
      description: 'Name of the issuer, as in the field `<name>_sub`.',
    }),
  ),
  issuer: Type.Optional(
    url(['http', 'https'], {
      description:
        "Address of an OpenID issuer elsewhere, exactly as in its tokens' `iss`; needs `client_id`.",
    }),
  ),
  client_id: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Client of the command line and the dashboard at that issuer.',
    }),
  ),
  resource: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'What tokens must be for (`aud`). Default: `server.public_url`.',
    }),
  ),
  registration: Type.Optional(
    Type.Enum(['open', 'closed', 'invite'], {
      default: defaults.identity.registration,
      description:
        'Who may make an account at the embedded provider: everybody, nobody, or who has an invitation, ' +
        'which `POST /api/v1/admin/identity/invites` makes.',
    }),
  ),
  allowed_email_domains: Type.Optional(
    Type.Array(Type.String({ format: 'domain' }), {
      default: [],
      description:
        'Domains whose addresses may register at the embedded provider; empty: all. It takes an address on ' +
        "its user's word, until a mailed link has verified it (`mail`).",
    }),
  ),
  max_organizations: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: defaults.identity.max_organizations,
      description: 'How many organizations a person may have made; closed ones do not count. 0: none.',
    }),
  ),
  roles_claim: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'The claim of an issuer’s tokens that tells of roles in organizations: a name, or a path as ' +
        '`realm_access.roles`. Needs `issuer` and `role_mappings`.',
    }),
  ),
  role_mappings: Type.Optional(
    Type.Array(roleMapping, { description: 'What the values of `roles_claim` mean.' }),
  ),
})

export const mcp = closed('The remote MCP server (docs/mcp.md).', {
  client_documents: Type.Optional(
    Type.Boolean({
      default: defaults.mcp.client_documents,
      description:
        'Whether the embedded provider takes apps whose `client_id` is the https address of a document, ' +
        'which it reads. Turn it off where the gateway cannot reach the internet: apps then register.',
    }),
  ),
  client_registration: Type.Optional(
    Type.Boolean({
      default: defaults.mcp.client_registration,
      description: 'Whether the embedded provider takes apps that register themselves.',
    }),
  ),
  public_url: Type.Optional(
    url(['http', 'https'], {
      description:
        'Where MCP clients reach it, which is also what their access tokens are for (`aud`); the gateway ' +
        'serves its path, and takes its host. Default: `<server.public_url>/mcp`.',
    }),
  ),
})
