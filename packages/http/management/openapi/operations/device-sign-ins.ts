import type { Operation } from '../operation.ts'
import { exampleKey } from './examples.ts'

const issuer = 'https://llm.example.com'
const accessToken = 'sk-turnpike-4fZkQ8mW2xN7bV3cR9tY6uH1jL5pD0sA3kG7w2'
const refreshToken = 'd1FZ0c8mN4xq2Yb7LkPzRw.5J0vQ3sT8uXnB6yH2kM9cE4aW7rG1pZfLdVoIiUtSqA'

const waiting = {
  object: 'device_sign_in',
  user_code: 'WDJB-MJHT',
  status: 'pending',
  client: 'claude_code',
  client_name: 'Claude Code',
  address: '203.0.113.7',
  created_at: 1741046400,
  expires_at: 1741047000,
  key: null,
}

const key = {
  ...exampleKey,
  name: 'Claude Code',
  balance_usd: '20',
  allowed_models: null,
  spend_limit_usd: '20',
  spend_limit_period: 'month',
  spent_usd: '0',
  spend_limit_resets_at: 1743465600,
}

const form = {
  grant_type: '`urn:ietf:params:oauth:grant-type:device_code` or `refresh_token`.',
  device_code: 'For the first of them.',
  refresh_token: 'For the second.',
}

/** How programs on devices sign in: by OAuth on their side, by a person's decision on the other one. */
export const deviceSignInOperations: Record<string, Operation> = {
  'GET /device-sign-ins/:user_code': {
    id: 'getDeviceSignIn',
    tag: 'Devices',
    summary: 'A device that waits',
    description:
      'What waits under the code that a device shows, as far as it says so itself, and `key`: the key of ' +
      'this account that the program uses already. 20 wrong codes in 10 minutes are 429.',
    errors: [429],
    answer: waiting,
  },
  'POST /device-sign-ins/:user_code/approve': {
    id: 'approveDeviceSignIn',
    tag: 'Devices',
    summary: 'Approve a device',
    description:
      'From now on the device may call `/v1/*` at the expense of `key`: a key of this account with the ' +
      'name of the program, which is made where there is none yet. It may spend `spend_limit_usd` in ' +
      'each `spend_limit_period`; null is all of its credit. `credit_usd` moves to it from ' +
      '`from_key_id`. Revoke the key to end the sign-ins of all devices with this program.',
    audited: true,
    errors: [402, 409, 429],
    request: { spend_limit_usd: '20', spend_limit_period: 'month' },
    answer: { ...waiting, status: 'approved', key },
  },
  'POST /device-sign-ins/:user_code/deny': {
    id: 'denyDeviceSignIn',
    tag: 'Devices',
    summary: 'Refuse a device',
    description: 'The device is told so, and its code is of no use any more.',
    audited: true,
    errors: [409, 429],
    answer: { ...waiting, status: 'denied' },
  },
  'GET /.well-known/oauth-authorization-server': {
    id: 'getAuthorizationServer',
    tag: 'Devices',
    summary: 'Where Claude Code signs in',
    description:
      'Metadata (RFC 8414) of version 1 of Claude Code’s gateway protocol: `/login` of Claude Code ' +
      'begins here. Its tokens are for `/v1/*` alone; those of users come from `GET ' +
      '/api/v1/auth/discovery`.',
    answer: {
      issuer,
      device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      gateway_protocol_version: 1,
    },
  },
  'POST /oauth/device_authorization': {
    id: 'authorizeDevice',
    tag: 'Devices',
    summary: 'Begin the sign-in of a device',
    description:
      'RFC 8628, section 3.1. Show the person `user_code`, and have them open `verification_uri`; the ' +
      'address does not hold the code, which has to be typed. Fields that are not known are ignored.',
    form: { fields: { surface: 'Which program this is: `claude_code`.' }, required: [] },
    answer: {
      device_code: 'dLVqPgEJ1pYkZ0m8Wn3xT6sR2uBvC9aHfQjK5oG7iEw',
      user_code: 'WDJB-MJHT',
      verification_uri: `${issuer}/connect`,
      expires_in: 600,
      interval: 5,
    },
  },
  'POST /oauth/token': {
    id: 'issueDeviceTokens',
    tag: 'Devices',
    summary: 'Tokens of a device',
    description:
      'RFC 8628, section 3.4, and RFC 6749, section 6. The access token lasts an hour and is a ' +
      'credential for `/v1/*`, as an API key is. The refresh token is good for one use: repeated within ' +
      'a minute it gets the same answer, later it ends the sign-in. `email` is whose account it is.',
    form: { fields: form, required: ['grant_type'] },
    answer: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refreshToken,
      email: 'ada@example.com',
    },
  },
  'POST /oauth/revoke': {
    id: 'revokeDeviceToken',
    tag: 'Devices',
    summary: 'Sign a device out',
    description:
      'RFC 7009: ends the sign-in that the access token or refresh token is of. It always succeeds.',
    form: { fields: { token: 'Either of its tokens.' }, required: ['token'] },
    answer: {},
  },
}
