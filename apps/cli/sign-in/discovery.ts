import type { Context } from '../context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { jsonOf } from '../network/answer.ts'
import { sendRepeatedly } from '../network/retry.ts'

/** The gateway's sign-in metadata: all that a device flow needs, whatever the issuer. */
export interface Discovery {
  issuer: string
  clientId: string
  deviceAuthorizationEndpoint: string
  tokenEndpoint: string
  /** As a request carries them: separated by spaces. */
  scope: string
  resource: string | undefined
}

export async function discover({ network, apiUrl }: Context): Promise<Discovery> {
  const url = `${apiUrl}/api/v1/auth/discovery`
  const headers = { accept: 'application/json' }
  const body = await jsonOf(await sendRepeatedly(network, { method: 'GET', url, headers }), url)
  const document = body as Record<string, unknown>
  const text = (name: string): string => {
    const value = document[name]
    if (typeof value === 'string' && value !== '') return value
    throw badDiscovery(url, `\`${name}\` is missing`)
  }
  const address = (name: string): string => {
    const value = text(name)
    if (isWebAddress(value)) return value
    throw badDiscovery(url, `\`${name}\` is not a URL`)
  }
  const { scopes, resource } = document
  return {
    issuer: text('issuer'),
    clientId: text('client_id'),
    deviceAuthorizationEndpoint: address('device_authorization_endpoint'),
    tokenEndpoint: address('token_endpoint'),
    scope: Array.isArray(scopes) ? scopes.join(' ') : typeof scopes === 'string' ? scopes : 'openid',
    resource: typeof resource === 'string' && resource !== '' ? resource : undefined,
  }
}

/** Only such addresses are opened in a browser, or sent a token. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function badDiscovery(url: string, what: string): Failure {
  return new Failure(`${url} does not say how to sign in: ${what}.`, {
    type: 'device_flow_error',
    exitCode: exitCodes.server,
  })
}
