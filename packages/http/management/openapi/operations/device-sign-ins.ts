import { operationsOf } from '../operation.ts'
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

/** How programs on devices sign in: OAuth on the device, and a person's decision in the dashboard. */
export const deviceSignInOperations = operationsOf('Devices', {
  'GET /device-sign-ins/:user_code': {
    id: 'getDeviceSignIn',
    summary: 'A waiting device',
    description:
      'The device with this code, as it describes itself, and `key`: the key of ' +
      'this account that the program already uses. After 20 wrong codes in 10 minutes, the response is 429.',
    errors: [429],
    answer: waiting,
  },
  'POST /device-sign-ins/:user_code/approve': {
    id: 'approveDeviceSignIn',
    summary: 'Approve a device',
    description:
      'From now on the device may call `/v1/*` with `key`: a key of this account with the ' +
      'name of the program, created if there is none yet. It may spend `spend_limit_usd` per ' +
      '`spend_limit_period`; null means all of its credit. `credit_usd` is moved to it from ' +
      '`from_key_id`. Revoke the key to end the sign-ins of all devices with this program.',
    audited: true,
    errors: [402, 409, 429],
    request: { spend_limit_usd: '20', spend_limit_period: 'month' },
    answer: { ...waiting, status: 'approved', key },
  },
  'POST /device-sign-ins/:user_code/deny': {
    id: 'denyDeviceSignIn',
    summary: 'Refuse a device',
    description: 'The device is notified, and its code becomes invalid.',
    audited: true,
    errors: [409, 429],
    answer: { ...waiting, status: 'denied' },
  },
  'GET /.well-known/oauth-authorization-server': {
    id: 'getAuthorizationServer',
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
    summary: 'Begin the sign-in of a device',
    description:
      'RFC 8628, section 3.1. Show the person `user_code`, and have them open `verification_uri`; the ' +
      'URL does not contain the code, which has to be typed. Unknown fields are ignored.',
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
    summary: 'Tokens of a device',
    description:
      'RFC 8628, section 3.4, and RFC 6749, section 6. The access token lasts an hour and is a ' +
      'credential for `/v1/*`, like an API key. The refresh token works once. Repeated within ' +
      'a minute it gets the same response, later it ends the sign-in. `email` is that of the account.',
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
    summary: 'Sign a device out',
    description: 'RFC 7009: ends the sign-in of the access token or refresh token. It always succeeds.',
    form: { fields: { token: 'Either of its tokens.' }, required: ['token'] },
    answer: {},
  },
})
