import { generateKeyPairSync } from 'node:crypto'
import Provider from 'oidc-provider'

/*
 * An external identity provider: a separate process that runs `oidc-provider` in its quick-start
 * configuration. Run it with the port and the resource that its tokens are for.
 */

const [port, resource] = process.argv.slice(2)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'gateway-cli',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: ['http://127.0.0.1/callback'],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'theirs' }] },
  cookies: { keys: ['a secret of theirs'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (_context, token) => ({
    email: `${'accountId' in token ? token.accountId : 'nobody'}@theirs.example`,
    email_verified: true,
  }),
  features: {
    deviceFlow: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        scope: '',
        accessTokenFormat: 'jwt',
        audience: resource!,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
})

provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
