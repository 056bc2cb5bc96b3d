/** What holds where the configuration says nothing; the schema states the same. */
export const defaults = {
  server: {
    host: '127.0.0.1',
    port: 8787,
    max_body_bytes: 32 * 1024 * 1024,
    max_header_bytes: 32 * 1024,
    body_seconds: 10,
    drain_seconds: 30,
    drain_delay_seconds: 5,
    workers: 1,
  },
  cors: { allowed_origins: ['*'] },
  dashboard: { public_models: false },
  data_dir: '.turnpike',
  billing: {
    markup: '1.0',
    topup: { min_usd: '5', max_usd: '10000' },
    lease_seconds: 120,
    durability: 'process',
    read_on_seconds: 60,
  },
  prices: { refresh_hours: 24 },
  usage: { retention_days: 400 },
  responses: { max_answer_bytes: 8 * 1024 * 1024, max_account_bytes: 1024 * 1024 * 1024 },
  prompt_log: {
    enabled: true,
    max_days: 30,
    max_bytes: 256 * 1024,
    max_account_bytes: 256 * 1024 * 1024,
  },
  mail: { smtp: { tls: 'starttls' }, from_name: 'Turnpike' },
  telemetry: { access_log: false, traces: { sample_ratio: 1 } },
  routing: {
    order: 'listed',
    breaker: { enabled: true, failures: 5, rest_seconds: 1, longest_rest_seconds: 600, probes: 3 },
  },
  redis: { timeout_seconds: 0.05 },
  limits: {
    burst_per_key_per_second: 10,
    burst_body_bytes: 2 * 1024 * 1024,
    /** Where the configuration has none. */
    tiers: {
      free: {
        requests_per_minute: 3_000,
        input_tokens_per_minute: 10_000_000,
        output_tokens_per_minute: 2_000_000,
      },
      build: {
        lifetime_topup_usd: '100',
        requests_per_minute: 12_000,
        input_tokens_per_minute: 40_000_000,
        output_tokens_per_minute: 8_000_000,
      },
      scale: {
        lifetime_topup_usd: '1000',
        requests_per_minute: 60_000,
        input_tokens_per_minute: 200_000_000,
        output_tokens_per_minute: 40_000_000,
      },
    },
  },
  mcp: { client_documents: true, client_registration: true },
  identity: { name: 'oidc', registration: 'open', max_organizations: 10 },
  payments: { stripe: { api_base: 'https://api.stripe.com' } },
  upstream: { connect_seconds: 5, first_byte_seconds: 300, idle_seconds: 120, total_seconds: 900 },
  overload: {
    max_requests: 10_000,
    max_event_loop_delay_seconds: 0.5,
    max_upstream_connections: 10_000,
    max_upstream_waiting: 1_000,
  },
} as const
