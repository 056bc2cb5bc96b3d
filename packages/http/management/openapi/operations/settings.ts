import type { Operation } from '../operation.ts'
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
export const settingsOperations: Record<string, Operation> = {
  'GET /login': {
    id: 'getLogin',
    tag: 'Account',
    summary: 'How you sign in',
    description:
      'Whether the embedded identity provider signs you in, and what of your profile may be changed here: ' +
      'the name by `PATCH /api/v1/me`, the others by endpoints of their own.',
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
    tag: 'Account',
    summary: 'Change your password',
    description:
      'At the embedded identity provider. Every other session ends: browsers, command lines, devices and ' +
      'apps; API keys go on. The session that asks goes on by its refresh token, and its access token is ' +
      'of no use any more. Wrong passwords are counted: after ten the answer is 429 for a quarter of an ' +
      'hour.',
    audited: true,
    unkept: true,
    request: { current_password: 'correct horse battery', new_password: 'staple correct horse' },
    answer: { changed: true },
  },
  'POST /email': {
    id: 'changeEmail',
    tag: 'Account',
    summary: 'Change your email',
    description:
      'At the embedded identity provider, where everybody may register. Where the gateway has a mail ' +
      'server, a link is mailed to the new address, and yours stays what it is until you open that; the ' +
      'answer says `changed: false`. Else it changes at once, and nobody vouches for it: `email_verified` ' +
      'is false from then on. Sessions go on.',
    audited: true,
    personal: true,
    unkept: true,
    errors: [429],
    request: { current_password: 'correct horse battery', email: 'ada@example.org' },
    answer: { changed: false, pending_email: 'ada@example.org' },
  },
  'POST /login/verify-email': {
    id: 'sendVerificationMail',
    tag: 'Account',
    summary: 'Have your email verified',
    description:
      'Mails a link to your address, which is good for a day. It is mailed when you register, too. Three ' +
      'in a day go to one address, ten for one person. Absent where the gateway has no mail server, or ' +
      'another identity provider.',
    audited: true,
    unkept: true,
    bodyOptional: true,
    errors: [409, 429],
    answer: { object: 'verification_mail', email: 'ada@example.com' },
  },
  'POST /login/verify-email/confirm': {
    id: 'verifyEmail',
    tag: 'Account',
    summary: 'Verify your email',
    description:
      'By the code of the link: it is of use once, and to the user alone whom it is for. So is that of a ' +
      'new address, which is yours from then on. Your next token says it.',
    audited: true,
    personal: true,
    unkept: true,
    errors: [409],
    request: { code: mailedCode },
    answer: { email: 'ada@example.com', email_verified: true },
  },
  'POST /auth/new-password': {
    id: 'setForgottenPassword',
    tag: 'Account',
    summary: 'Set a new password by mail',
    description:
      'By the code of a link that was mailed to a verified address, since somebody said on the sign-in ' +
      'page that they have forgotten its password; it is good for an hour, once. All sessions end: ' +
      'browsers, command lines, devices and apps; API keys go on. Of an address that nobody has verified ' +
      'it makes a new account, to which the address belongs from then on.',
    audited: true,
    personal: true,
    unkept: true,
    errors: [429],
    request: { code: mailedCode, new_password: 'staple correct horse' },
    answer: { changed: true, email: 'ada@example.com' },
  },
  'GET /sessions': {
    id: 'listSessions',
    tag: 'Account',
    summary: 'List sessions',
    description:
      'Where you are signed in: browsers, command lines, devices that signed in by a code, and apps that ' +
      'may use the MCP server; yours first, then the last used. Of each kind the 200 newest. With an ' +
      'identity provider other than the embedded one, devices alone: it knows the others itself.',
    answer: listOf(session),
  },
  'DELETE /sessions/:login_session_id': {
    id: 'endSession',
    tag: 'Account',
    summary: 'End a session',
    description: 'All of its tokens are of no use from that moment, on every node.',
    audited: true,
    answer: { id: session.id, deleted: true },
  },
  'POST /sessions/end-others': {
    id: 'endOtherSessions',
    tag: 'Account',
    summary: 'End all other sessions',
    description:
      'Ends every session but the one that asks, devices and apps included, on every node. API keys go on. ' +
      'The access token of the one that asks is to be renewed by its refresh token.',
    audited: true,
    bodyOptional: true,
    answer: listOf(session),
  },
  'GET /billing': {
    id: 'getBillingDetails',
    tag: 'Top-up',
    summary: 'Whom receipts are made out to',
    description: 'The billing address and VAT number that receipts show from the next payment on.',
    answer: details,
  },
  'PUT /billing': {
    id: 'setBillingDetails',
    tag: 'Top-up',
    summary: 'Set the billing address',
    description:
      'Takes the place of what was there. A VAT number is checked by its form: that of its prefix for ' +
      'members of the European Union, the United Kingdom, Norway and Switzerland; of other countries 4 to ' +
      '20 letters and digits. Receipts of payments that were made before do not change.',
    audited: true,
    personal: true,
    request: exampleAddress,
    answer: details,
  },
  'DELETE /billing': {
    id: 'removeBillingDetails',
    tag: 'Top-up',
    summary: 'Remove the billing address',
    description: 'Receipts of payments that were made before keep it.',
    audited: true,
    answer: { ...details, address: null, updated_at: null },
  },
  'GET /export': {
    id: 'exportOwnData',
    tag: 'Account',
    summary: 'Your data',
    description:
      'All that is kept of the account, as a ZIP of CSV and JSON that is made while it is sent: account, ' +
      'billing address, keys without secrets, sessions, top-ups with receipts, ledger, usage by day, ' +
      'requests. One at a time for an account, else 429. A connection that breaks off means that the file ' +
      'is not whole.',
    files: { 'application/zip': { description: 'A README.txt in it names its files.', example: 'PK…' } },
  },
  'GET /closing': {
    id: 'getAccountClosing',
    tag: 'Account',
    summary: 'What closing the account means',
    description:
      'What would be left, what would be erased and what kept, and what is to be typed to close it.',
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
      kept: ['every movement of credit (the ledger), which is never changed'],
    },
  },
  'POST /close': {
    id: 'closeAccount',
    tag: 'Account',
    summary: 'Close your account',
    description:
      'Keys stop at once, on every node, and all sessions end. What requests in flight use is charged as ' +
      'they end. The credit that is left is not paid back by itself: it stays in the books, for the ' +
      'operator to refund by the account’s identifier. It cannot be undone here.',
    audited: true,
    personal: true,
    errors: [409],
    request: { confirm: 'ada@example.com' },
    answer: { object: 'closed_account', account_id: ids.account, credit_usd: '24.9987' },
  },
}
