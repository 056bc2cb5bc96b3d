import { exitCodes, Failure } from '../failure.ts'
import type { Network } from '../network/network.ts'
import { isWebAddress, type Discovery } from './discovery.ts'
import { oauthFailure, postForm, tokensOf, type OAuthAnswer, type Tokens } from './oauth.ts'

/** RFC 8628, section 3.2: the interval if the issuer names none. */
const defaultIntervalSeconds = 5
/** Section 3.5: what `slow_down` adds, for this poll and all later ones. */
const slowDownSeconds = 5
const defaultLifetimeSeconds = 600
/** How many consecutive polls may fail on the network before the login fails. */
const maxBrokenPolls = 5
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** What to show to the user, who then signs in elsewhere. */
export interface DeviceAuthorization {
  deviceCode: string
  userCode: string
  verificationUri: string
  /** With the code in it. */
  verificationUriComplete: string
  intervalSeconds: number
  expiresInSeconds: number
}

export interface Waiting {
  sleep: (milliseconds: number) => Promise<unknown>
  clock: () => number
}

export async function authorizeDevice(network: Network, discovery: Discovery): Promise<DeviceAuthorization> {
  const answer = await postForm(network, discovery.deviceAuthorizationEndpoint, {
    client_id: discovery.clientId,
    scope: discovery.scope,
    resource: discovery.resource,
  })
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUri } = answer
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || typeof verificationUri !== 'string') {
    throw oauthFailure(answer, 'The issuer did not return a sign-in code.', exitCodes.server)
  }
  const complete = answer.verification_uri_complete
  const verificationUriComplete = typeof complete === 'string' ? complete : verificationUri
  if (!isWebAddress(verificationUri) || !isWebAddress(verificationUriComplete)) {
    throw oauthFailure({}, 'The issuer did not return a sign-in address.', exitCodes.server)
  }
  return {
    deviceCode,
    userCode,
    verificationUri,
    verificationUriComplete,
    intervalSeconds: positive(answer.interval) ?? defaultIntervalSeconds,
    expiresInSeconds: positive(answer.expires_in) ?? defaultLifetimeSeconds,
  }
}

/**
 * Polls until the user has decided.
 * @throws {Failure} exit code 3 if they refused, or let the time pass
 */
export async function waitForTokens(
  network: Network,
  discovery: Discovery,
  device: DeviceAuthorization,
  { sleep, clock }: Waiting,
): Promise<Tokens> {
  const untilMs = clock() + device.expiresInSeconds * 1000
  let pauseMs = device.intervalSeconds * 1000
  let broken = 0
  for (;;) {
    await sleep(Math.min(pauseMs, Math.max(untilMs - clock(), 0)))
    if (clock() >= untilMs) throw deviceFailure('The code expired before anyone signed in.')
    const answer = await poll(network, discovery, device).catch((error: unknown) => {
      // A poll that fails on the network says nothing about the next one (section 3.5).
      if (!(error instanceof Failure) || ++broken >= maxBrokenPolls) throw error
      return undefined
    })
    if (answer === undefined) continue
    broken = 0
    if (answer.error === undefined) return tokensOf(answer, clock())
    if (answer.error === 'slow_down') pauseMs += slowDownSeconds * 1000
    else if (answer.error !== 'authorization_pending') throw toDeviceFailure(answer)
  }
}

function poll(network: Network, discovery: Discovery, device: DeviceAuthorization): Promise<OAuthAnswer> {
  return postForm(network, discovery.tokenEndpoint, {
    grant_type: deviceGrant,
    device_code: device.deviceCode,
    client_id: discovery.clientId,
    resource: discovery.resource,
  })
}

function toDeviceFailure(answer: OAuthAnswer): Failure {
  switch (answer.error) {
    case 'access_denied':
      return deviceFailure('The sign-in was denied.')
    case 'expired_token':
      return deviceFailure('The code expired before anyone signed in.')
    default:
      return oauthFailure(answer, 'The issuer rejected the sign-in.', exitCodes.server)
  }
}

function deviceFailure(message: string): Failure {
  return new Failure(message, {
    type: 'device_flow_error',
    exitCode: exitCodes.server,
    hint: 'Try again: turnpike login',
  })
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
}
