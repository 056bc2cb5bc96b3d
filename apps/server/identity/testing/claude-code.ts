/** The response of an endpoint of Claude Code's sign-in. */
export interface OAuthAnswer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

interface Endpoints {
  device_authorization_endpoint: string
  token_endpoint: string
  revocation_endpoint: string
}

/**
 * Signs in as Claude Code 2.1.330 does (`/login`): fetches the origin's metadata, then posts forms that
 * contain only `surface`, the grant and its code or token. It follows no redirect.
 */
export class ClaudeCode {
  readonly origin: string
  #endpoints: Endpoints | undefined

  constructor(origin: string) {
    this.origin = origin
  }

  async metadata(): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.origin}/.well-known/oauth-authorization-server`, {
      headers: { 'user-agent': 'claude-code/2.1.330' },
    })
    return (await answer.json()) as Record<string, unknown>
  }

  async begin(): Promise<OAuthAnswer> {
    const { device_authorization_endpoint: endpoint } = await this.endpoints()
    return post(endpoint, { surface: 'claude_code' })
  }

  async poll(deviceCode: string): Promise<OAuthAnswer> {
    const { token_endpoint: endpoint } = await this.endpoints()
    return post(endpoint, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: deviceCode,
    })
  }

  async refresh(refreshToken: string): Promise<OAuthAnswer> {
    const { token_endpoint: endpoint } = await this.endpoints()
    return post(endpoint, { grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  /** Signs out as it does: revokes the access token, then the refresh token. */
  async signOut(accessToken: string, refreshToken: string): Promise<OAuthAnswer[]> {
    const { revocation_endpoint: endpoint } = await this.endpoints()
    return [
      await post(endpoint, { token: accessToken }),
      await post(endpoint, { token: refreshToken, token_type_hint: 'refresh_token' }),
    ]
  }

  /** Sends a message as a session does. */
  message(accessToken: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.origin}/v1/messages?beta=true`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'user-agent': 'claude-cli/2.1.330 (external, cli)',
        'x-app': 'cli',
        ...headers,
      },
      body: JSON.stringify(body),
    })
  }

  async endpoints(): Promise<Endpoints> {
    this.#endpoints ??= (await this.metadata()) as unknown as Endpoints
    return this.#endpoints
  }
}

async function post(url: string, fields: Record<string, string>): Promise<OAuthAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'claude-code/2.1.330',
    },
    body: new URLSearchParams(fields).toString(),
    redirect: 'error',
  })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as OAuthAnswer['body'],
  }
}
