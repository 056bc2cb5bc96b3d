import { isIPv6 } from 'node:net'
import { defaults } from '../defaults.ts'
import type { Path } from '../mistakes/mistake.ts'
import { withoutSlash } from '../resolve/providers.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

/** First segments of the paths that the gateway already serves. */
const taken: ReadonlySet<string> = new Set(
  (
    '.well-known api connect dashboard docs healthz llms.txt metrics oauth oidc openapi.json readyz ' +
    'sandbox-checkout v1 v1beta webhooks'
  ).split(' '),
)
const plainPath = /^(\/[A-Za-z0-9._~-]+)*\/?$/

/** The MCP server needs a path of its own, and its tokens need an audience of their own. */
export function* ofMcp(input: ConfigurationInput): Generator<{ path: Path; message: string }> {
  const address = input.mcp?.public_url
  const url = address === undefined ? null : URL.parse(address)
  if (address === undefined || url === null) return
  const path = ['mcp', 'public_url']
  if (!plainPath.test(url.pathname))
    yield { path, message: 'expected a path of letters, digits, ".", "_", "~" and "-"' }
  const server = new URL(serverUrl(input))
  const [, first = ''] = url.pathname.split('/', 2)
  if (url.origin === server.origin && (first === '' || taken.has(first)))
    yield {
      path,
      message: `"/${first}" is already used by the gateway: choose a path such as "/mcp", or another host`,
    }
  const audience = withoutSlash(input.identity?.resource ?? server.href)
  if (withoutSlash(url.href) === audience)
    yield { path, message: 'is the same as identity.resource: tokens for one would be valid for the other' }
}

function serverUrl({ server }: ConfigurationInput): string {
  const { host = defaults.server.host, port = defaults.server.port } = server ?? {}
  return server?.public_url ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
