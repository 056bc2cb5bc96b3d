/** What examples are made of: one account, one key, one request, one night in March. */
export const ids = {
  account: 'acct_01jngy7r3c8v5m2k9q4tw6hxbz',
  key: 'key_01jngyb0w5e7r9t2y4a6s8d1fg',
  otherKey: 'key_01jngyc9k3m5n7p1q8r2s4t6vw',
  organization: 'acct_01jngya5d7f9h2k4m6p8r1t3vx',
  member: 'mem_01jngyb4c6e8g1j3m5p7r9t2vw',
  project: 'prj_01jngyd8f1h3k5n7q9s2v4x6zb',
  request: 'req_01jngz4d7f9h1k3m5n8p2q6rtv',
  topup: 'top_01jngz0a2c4e6g8j1m3p5r7t9w',
  paymentMethod: 'pmt_01jngz3m8n2p4q6r1s5t7v9w0x',
  budget: 'bud_01jngz2b6c8d1e3f5g7h9j2k4m',
  entry: 'led_01jngz1q5s7v9x2z4b6d8f1h3k',
}

export const exampleAccount = {
  id: ids.account,
  kind: 'person',
  display_name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  oidc_sub: '248289761001',
  balance_usd: '24.9987',
  unassigned_usd: '0',
  status: 'active',
  tier: 'free',
  baseline_model: null,
  log_prompts: false,
  log_days: null,
  keys_may_top_up: true,
  operator: false,
  playground_key_id: null,
  created_at: 1741046400,
}

export const exampleMe = {
  ...exampleAccount,
  role: 'owner',
  member_id: null,
  permissions: ['member', 'usage:read', 'keys:read', 'keys:write'],
}

export const exampleKey = {
  id: ids.key,
  object: 'key',
  name: 'laptop',
  key_prefix: 'sk-turnpike-4fZk',
  status: 'active',
  balance_usd: '24.9987',
  created_at: 1741046412,
  last_used_at: 1741050000,
  revoked_at: null,
  expires_at: null,
  allowed_models: ['openai/gpt-5-mini', 'sandbox/echo'],
  spend_limit_usd: null,
  spend_limit_period: null,
  spent_usd: null,
  spend_limit_resets_at: null,
  draws_on: null,
  replaced_by: null,
  log_prompts: null,
  may_top_up: null,
  member_id: null,
  project_id: null,
  handed_over: false,
  unsupported_fields: null,
}

export const exampleLedgerEntry = {
  id: ids.entry,
  object: 'ledger_entry',
  kind: 'grant',
  amount_usd: '25',
  change_usd: '25',
  debit_account: 'grants',
  credit_account: `key:${ids.key}`,
  reference: `credit:${ids.account}:welcome-1`,
  request_id: null,
  topup_id: null,
  reason: 'welcome credit',
  corrects: null,
  created_at: 1741046500,
}

export const exampleRequest = {
  id: ids.request,
  object: 'request',
  created_at: 1741050000,
  account_id: ids.account,
  key_id: ids.key,
  paid_by: null,
  endpoint: 'chat.completions',
  operation: 'generate',
  stream: true,
  tags: ['team:research', 'env:prod'],
  model_asked: 'openai/gpt-5-mini',
  model_served: 'openai/gpt-5-mini',
  provider: 'openai',
  tier: null,
  attempts: [
    { provider: 'openai', model: 'gpt-5-mini', status: 429, result: 'status-429', duration_ms: 130 },
    { provider: 'openai', model: 'gpt-5-mini', status: 200, result: 'ok', duration_ms: 912 },
  ],
  dropped: [],
  outcome: 'completed',
  status: 200,
  error_type: null,
  error_param: null,
  tokens_in: 120,
  tokens_out: 48,
  cost_usd: '0.000126',
  latency_ms: 1060,
  time_to_first_token_ms: 540,
}

export const exampleTopup = {
  object: 'topup',
  session_id: ids.topup,
  status: 'open',
  checkout_url: 'https://checkout.example.com/c/pay/cs_live_a1B2c3',
  amount_usd: '25',
  paid_usd: '0',
  tax_usd: '0',
  refunded_usd: '0',
  disputed_usd: '0',
  key_id: ids.key,
  origin: 'checkout',
  sandbox: false,
  created_at: 1740963600,
  expires_at: 1741050000,
  paid_at: null,
}

export const exampleAutoTopup = {
  object: 'auto_topup',
  enabled: true,
  threshold_usd: '10',
  amount_usd: '50',
  monthly_cap_usd: '200',
  payment_method_id: ids.paymentMethod,
  state: 'idle',
  failure: null,
  attempts_failed: 0,
  next_attempt_at: null,
  charged_this_month_usd: '50',
  is_capped: false,
  action_url: null,
  session_id: ids.topup,
}

export const examplePaymentMethod = {
  object: 'payment_method',
  id: ids.paymentMethod,
  kind: 'card',
  brand: 'visa',
  last4: '4242',
  expires_month: '2029-04',
  sandbox: false,
  created_at: 1740963720,
}

export const exampleAddress = {
  name: 'Analytical Engines Ltd',
  line1: '12 St James’s Square',
  line2: null,
  postal_code: 'SW1Y 4JH',
  city: 'London',
  region: null,
  country: 'GB',
  vat_id: 'GB123456789',
}

export const exampleReceipt = {
  object: 'receipt',
  number: ids.topup,
  issued_by: { name: 'Example GmbH', legal_text: 'Hauptstraße 1, 10827 Berlin\nVAT ID DE123456789' },
  account: { id: ids.account, display_name: 'Ada Lovelace', email: 'ada@example.com' },
  billing_address: exampleAddress,
  paid_at: 1740963720,
  method: 'stripe',
  currency: 'USD',
  paid_usd: '29.75',
  tax_usd: '4.75',
  credited_usd: '25',
  refunded_usd: '0',
  disputed_usd: '0',
  net_usd: '29.75',
}

export function listOf(...rows: object[]) {
  return { object: 'list', data: rows, has_more: false, next_cursor: null }
}
