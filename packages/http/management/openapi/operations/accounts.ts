import type { Operation } from '../operation.ts'
import { exampleAccount, exampleMe, exampleLedgerEntry, ids, listOf } from './examples.ts'

export const accountOperations: Record<string, Operation> = {
  'GET /me': {
    id: 'getMe',
    tag: 'Account',
    summary: 'Your account',
    description:
      'The account of the token, with the credit of all its active keys. The first valid token of an ' +
      'unknown subject makes the account, with a balance of 0. `role` and `permissions` are what you may ' +
      'do for it: everything, unless `X-Turnpike-Org` names an organization.',
    answer: exampleMe,
  },
  'PATCH /me': {
    id: 'updateMe',
    tag: 'Account',
    summary: 'Change your account',
    description:
      'Changes the name that is shown, and the model that savings of auto-routing are reckoned against: ' +
      'one of `GET /v1/models`, or null for the gateway’s own choice. `log_prompts` has prompts and ' +
      'answers kept for `log_days`, where the operator allows it (403 otherwise). Everything else is the ' +
      'operator’s, or the identity provider’s.',
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
      'The sum of the credit of all active keys. `unassigned_usd` is credit that waits for a key: it ' +
      'goes to the next one that is made.',
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
    tag: 'Operator',
    summary: 'Provision an account',
    description:
      'Finds or makes the account of a subject at the identity provider, or of an email address. 201: ' +
      'it was made; 200: it was there. An account made by email becomes that of the first login with ' +
      'this address, where the identity provider vouches for it. An account whose `email_verified` is ' +
      'false is never found by its email. One that is marked as an operator’s is given to a subject with ' +
      'the internal secret alone.',
    errors: [403],
    audited: true,
    request: { email: 'ada@example.com', display_name: 'Ada Lovelace', tier: 'free' },
    answer: exampleAccount,
  },
  'GET /accounts': {
    id: 'listAccounts',
    tag: 'Operator',
    summary: 'List accounts',
    description:
      'All accounts, or those that match: by a search, status, tier and role, and by when they were made. ' +
      'The oldest first, unless `order` is `newest`.',
    answer: listOf(exampleAccount),
  },
  'GET /accounts/:account_id': {
    id: 'getAccount',
    tag: 'Operator',
    summary: 'One account',
    description: 'The account with its credit.',
    answer: exampleAccount,
  },
  'PATCH /accounts/:account_id': {
    id: 'updateAccount',
    tag: 'Operator',
    summary: 'Suspend, close, re-tier or promote an account',
    description:
      'Changes status, tier or name. An account shows the highest of the tier that it is given here and ' +
      'those that its top-ups reach. A `suspended` or `closed` account gets 403 on both surfaces; its ' +
      'keys and its credit stay as they are, and serve again once it is `active`. `operator` says whether ' +
      'its user may call these endpoints with a user token; it takes the internal secret.',
    audited: true,
    errors: [403],
    request: { status: 'suspended' },
    answer: { ...exampleAccount, status: 'suspended' },
  },
  'POST /credits': {
    id: 'moveCredit',
    tag: 'Operator',
    summary: 'Give or take credit',
    description:
      'A `grant` adds credit; a `refund` takes it, since money went back to the customer; an ' +
      '`adjustment` does either, by its sign. It goes to the named key, else to the account’s default ' +
      'key (its oldest active one), else it waits unassigned. With an `Idempotency-Key` it is posted ' +
      'once, for ever.',
    audited: true,
    errors: [402],
    request: { amount_usd: '25', kind: 'grant', key_id: ids.key, reason: 'welcome credit' },
    answer: exampleLedgerEntry,
  },
}
