import { operationsOf } from '../operation.ts'
import { exampleAccount, exampleMe, exampleLedgerEntry, ids, listOf } from './examples.ts'

export const accountOperations = operationsOf('Operator', {
  'GET /me': {
    id: 'getMe',
    tag: 'Account',
    summary: 'Your account',
    description:
      'The account of the token, with the credit of all its active keys. The first valid token of an ' +
      'unknown subject creates the account, with a balance of 0. `role` and `permissions` are what you may ' +
      'do: everything, unless `X-Turnpike-Org` names an organization.',
    answer: exampleMe,
  },
  'PATCH /me': {
    id: 'updateMe',
    tag: 'Account',
    summary: 'Change your account',
    description:
      'Changes the display name, and the model that auto-routing savings are compared with: ' +
      'one of `GET /v1/models`, or null for the gateway’s choice. `log_prompts` stores prompts and ' +
      'answers for `log_days`, if the operator allows it (403 otherwise). Everything else is set by the ' +
      'operator or the identity provider.',
    errors: [403],
    audited: true,
    request: { display_name: 'Ada Lovelace' },
    answer: exampleMe,
  },
  'GET /balance': {
    id: 'getBalance',
    tag: 'Account',
    summary: 'Your balance',
    description:
      'The total credit of all active keys. `unassigned_usd` is credit that is not on a key yet. It ' +
      'goes to the next key that is created.',
    polled: true,
    answer: { balance_usd: '24.9987', currency: 'USD', unassigned_usd: '0' },
  },
  'GET /auth/discovery': {
    id: 'getAuthDiscovery',
    tag: 'Account',
    summary: 'How to sign in',
    description:
      'All that a client needs for the OAuth 2.0 device authorization grant (RFC 8628): post `client_id`, ' +
      '`scope` and `resource` to `device_authorization_endpoint`, show the code to a person, and poll ' +
      '`token_endpoint`. Native apps and browsers use `authorization_endpoint` with PKCE.',
    answer: {
      issuer: 'https://gateway.example.com/oidc',
      client_id: 'turnpike-cli',
      device_authorization_endpoint: 'https://gateway.example.com/oidc/device/auth',
      token_endpoint: 'https://gateway.example.com/oidc/token',
      authorization_endpoint: 'https://gateway.example.com/oidc/auth',
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      resource: 'https://gateway.example.com/api/v1',
      public_models: false,
    },
  },
  'POST /accounts': {
    id: 'provisionAccount',
    summary: 'Provision an account',
    description:
      'Finds or creates the account of an identity provider subject or of an email address. 201: ' +
      'created; 200: it existed. An account created by email belongs to the first login with ' +
      'this address that the identity provider vouches for. An account whose `email_verified` is ' +
      'false is never found by its email. An operator’s account is only given to a subject with ' +
      'the internal secret.',
    errors: [403],
    audited: true,
    request: { email: 'ada@example.com', display_name: 'Ada Lovelace', tier: 'free' },
    answer: exampleAccount,
  },
  'GET /accounts': {
    id: 'listAccounts',
    summary: 'List accounts',
    description:
      'All accounts, or those that match a search, status, tier, role and creation time. ' +
      'The oldest first, unless `order` is `newest`.',
    answer: listOf(exampleAccount),
  },
  'GET /accounts/:account_id': {
    id: 'getAccount',
    summary: 'One account',
    description: 'The account with its credit.',
    answer: exampleAccount,
  },
  'PATCH /accounts/:account_id': {
    id: 'updateAccount',
    summary: 'Suspend, close, re-tier or promote an account',
    description:
      'Changes status, tier or name. An account has the highest of the tier set here and ' +
      'those reached by its top-ups. A `suspended` or `closed` account gets 403 on both surfaces. Its ' +
      'keys and credit stay as they are and work again once it is `active`. `operator` says whether ' +
      'its user may call these paths with a user token; changing it requires the internal secret.',
    audited: true,
    errors: [403],
    request: { status: 'suspended' },
    answer: { ...exampleAccount, status: 'suspended' },
  },
  'POST /credits': {
    id: 'moveCredit',
    summary: 'Give or take credit',
    description:
      'A `grant` adds credit. A `refund` removes it, because money was returned to the customer. An ' +
      '`adjustment` does either, by its sign. It applies to the named key, otherwise to the ' +
      'account’s default ' +
      'key (its oldest active one), otherwise it stays unassigned. With an `Idempotency-Key` it is posted ' +
      'only once, ever.',
    audited: true,
    errors: [402],
    request: { amount_usd: '25', kind: 'grant', key_id: ids.key, reason: 'welcome credit' },
    answer: exampleLedgerEntry,
  },
})
