import { operationsOf } from '../operation.ts'
import { exampleAddress, ids, listOf } from './examples.ts'

const mailedCode = 'Zk3v8rT1qLw6yBn0Xc4mJd7uHs9aPf2eGi5oKtRlVbY'
const session = {
  id: 'ses_01jnfh4vpb3xk8w2m6r9t5c7ye',
  object: 'session',
  kind: 'browser',
  name: null,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  address: '203.0.113.7',
  created_at: 1741046400,
  last_used_at: 1741132800,
  current: true,
  key_id: null,
  scopes: null,
  organization_id: null,
  organization_name: null,
}
const details = {
  object: 'billing_details',
  address: exampleAddress,
  updated_at: 1741046400,
  countries: ['DE', 'GB'],
}

/** What people see and change of their own account, besides keys and credit. */
export const settingsOperations = operationsOf('Account', {
  'GET /login': {
    id: 'getLogin',
    summary: 'How you sign in',
    description:
      'Whether you sign in with the embedded identity provider, and what you can change here: ' +
      'the name with `PATCH /api/v1/me`, the rest with separate requests.',
    answer: {
      object: 'login',
      provider: 'embedded',
      email: 'ada@example.com',
      email_verified: true,
      pending_email: null,
      sends_mail: true,
      may_change: ['display_name', 'password', 'email'],
    },
  },
  'POST /password': {
    id: 'changePassword',
    summary: 'Change your password',
    description:
      'At the embedded identity provider. All other sessions end: browsers, command lines, devices and ' +
      'apps. API keys keep working. This session continues with its refresh token, and its access token ' +
      'becomes invalid. After ten wrong passwords the response is 429 for a quarter of an hour.',
    audited: true,
    unkept: true,
    request: { current_password: 'correct horse battery', new_password: 'staple correct horse' },
    answer: { changed: true },
  },
  'POST /email': {
    id: 'changeEmail',
    summary: 'Change your email',
    description:
      'At the embedded identity provider, if registration is open. If the gateway has a mail ' +
      'server, a link is sent to the new address, and yours changes when you open it; the ' +
      'response has `changed: false`. Otherwise it changes at once and is unverified: `email_verified` ' +
      'is false from then on. Sessions continue.',
    audited: true,
    personal: true,
    unkept: true,
    errors: [429],
    request: { current_password: 'correct horse battery', email: 'ada@example.org' },
    answer: { changed: false, pending_email: 'ada@example.org' },
  },
  'POST /login/verify-email': {
    id: 'sendVerificationMail',
    summary: 'Request email verification',
    description:
      'Emails a verification link to your address, valid for a day. It is also sent when you ' +
      'register. At most three ' +
      'a day per address, ten per person. Not available if the gateway has no mail server or ' +
      'uses an external identity provider.',
    audited: true,
    unkept: true,
    bodyOptional: true,
    errors: [409, 429],
    answer: { object: 'verification_mail', email: 'ada@example.com' },
  },
  'POST /login/verify-email/confirm': {
    id: 'verifyEmail',
    summary: 'Verify your email',
    description:
      'With the code of the link. It works once, and only for its own user. The same goes for ' +
      'a new address, which is yours from then on. Your next token includes it.',
    audited: true,
    personal: true,
    unkept: true,
    errors: [409],
    request: { code: mailedCode },
    answer: { email: 'ada@example.com', email_verified: true },
  },
  'POST /auth/new-password': {
    id: 'setForgottenPassword',
    summary: 'Reset a password by email',
    description:
      'With the code of a link that was emailed to a verified address after somebody chose "Forgot your ' +
      'password?" on the sign-in page. It works once, for an hour. All sessions end: ' +
      'browsers, command lines, devices and apps. API keys keep working. For an unverified address ' +
      'it creates a new account, which then owns the address.',
    audited: true,
    personal: true,
    unkept: true,
    errors: [429],
    request: { code: mailedCode, new_password: 'staple correct horse' },
    answer: { changed: true, email: 'ada@example.com' },
  },
  'GET /sessions': {
    id: 'listSessions',
    summary: 'List sessions',
    description:
      'Where you are signed in: browsers, command lines, devices that signed in with a code, and apps that ' +
      'may use the MCP server; this one first, then by last use. Up to 200 of each kind. With an ' +
      'external identity provider, only devices, since that manages the others.',
    answer: listOf(session),
  },
  'DELETE /sessions/:login_session_id': {
    id: 'endSession',
    summary: 'End a session',
    description: 'All of its tokens become invalid at once, on every node.',
    audited: true,
    answer: { id: session.id, deleted: true },
  },
  'POST /sessions/end-others': {
    id: 'endOtherSessions',
    summary: 'End all other sessions',
    description:
      'Ends every session except this one, including devices and apps, on every node. API keys keep ' +
      'working. Renew the access token of this session with its refresh token.',
    audited: true,
    bodyOptional: true,
    answer: listOf(session),
  },
  'GET /billing': {
    id: 'getBillingDetails',
    tag: 'Top-up',
    summary: 'Billing details for receipts',
    description: 'The billing address and VAT number shown on receipts from the next payment on.',
    answer: details,
  },
  'PUT /billing': {
    id: 'setBillingDetails',
    tag: 'Top-up',
    summary: 'Set the billing address',
    description:
      'Replaces the current one. Only the format of a VAT number is checked: by its prefix for ' +
      'members of the European Union, the United Kingdom, Norway and Switzerland; for other countries 4 to ' +
      '20 letters and digits. Receipts of earlier payments do not change.',
    audited: true,
    personal: true,
    request: exampleAddress,
    answer: details,
  },
  'DELETE /billing': {
    id: 'removeBillingDetails',
    tag: 'Top-up',
    summary: 'Remove the billing address',
    description: 'Receipts of earlier payments keep it.',
    audited: true,
    answer: { ...details, address: null, updated_at: null },
  },
  'GET /export': {
    id: 'exportOwnData',
    summary: 'Your data',
    description:
      'All data of the account, as a ZIP of CSV and JSON that is created while it is sent: account, ' +
      'billing address, keys without secrets, sessions, top-ups with receipts, ledger, usage by day, ' +
      'requests. One at a time per account, otherwise 429. If the connection is interrupted, the file ' +
      'is incomplete.',
    files: { 'application/zip': { description: 'Its README.txt describes the files.', example: 'PK…' } },
  },
  'GET /closing': {
    id: 'getAccountClosing',
    summary: 'Consequences of closing the account',
    description: 'Remaining credit, what is deleted and what is kept, and what must be entered to confirm.',
    answer: {
      object: 'account_closing',
      account_id: ids.account,
      confirm: 'ada@example.com',
      credit_usd: '24.9987',
      active_keys: 2,
      sessions: 3,
      open_topups: 0,
      organizations: [],
      only_owner_of: [],
      erased: ['your name and email, and your login'],
      kept: ['every ledger entry; the ledger is never changed'],
    },
  },
  'POST /close': {
    id: 'closeAccount',
    summary: 'Close your account',
    description:
      'Keys stop working at once, on every node, and all sessions end. Requests in flight are charged when ' +
      'they end. Remaining credit is not refunded automatically. It stays on record, for the ' +
      'operator to refund by the account’s id. This cannot be undone.',
    audited: true,
    personal: true,
    errors: [409],
    request: { confirm: 'ada@example.com' },
    answer: { object: 'closed_account', account_id: ids.account, credit_usd: '24.9987' },
  },
})
