import type { Configuration } from '../configuration/configuration.ts'
import { isLoopbackHost } from '../configuration/loopback.ts'
import type { Demo } from './demo.ts'
import { ensureSecret } from './generated-secret.ts'

/** The admin endpoints' secret: the configured one, else a generated one in `dataDir`. */
export function internalSecretOf({ admin, dataDir }: Configuration): string {
  return admin.internalSecret ?? ensureSecret(dataDir, 'internal_secret')
}

export function isExposed({ server }: Configuration): boolean {
  return !isLoopbackHost(server.host)
}

/**
 * Why the gateway must not be reachable from other machines, and what to configure; undefined if it may be.
 * What a first run generates is only for the machine itself.
 */
export function refusalToExpose(
  configuration: Configuration,
  activeDemo: Demo | undefined,
): string | undefined {
  if (!isExposed(configuration)) return undefined
  const { host, port } = configuration.server
  const lead = `Not listening on ${host}, which other machines can reach:`
  if (configuration.admin.internalSecret === null) {
    return (
      `${lead} the admin endpoints would only be protected by a generated secret. Set ` +
      'admin.internal_secret in turnpike.yaml, as in ' +
      '`admin: { internal_secret: "${TURNPIKE_INTERNAL_SECRET}" }` ' +
      '(at least 16 characters; `openssl rand -hex 32` generates one), or set server.host to 127.0.0.1.'
    )
  }
  if (activeDemo === undefined) return undefined
  const path = `/api/v1/admin/accounts/${activeDemo.accountId}/keys/${activeDemo.keyId}`
  return (
    `${lead} the demo key is active. Start once with server.host set to 127.0.0.1 and revoke it: ` +
    `curl -X DELETE -H "x-internal-secret: $TURNPIKE_INTERNAL_SECRET" http://127.0.0.1:${port}${path} ` +
    '— or set data_dir to a new folder.'
  )
}
