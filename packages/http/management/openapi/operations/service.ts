import manifest from '../../../package.json' with { type: 'json' }
import { operationsOf } from '../operation.ts'
import { exampleAccount, ids, listOf } from './examples.ts'

const priceReport = {
  version: 'prices_2026-03-10_0123456789ab',
  source: 'built in',
  updated_at: 1741046400,
  models: 312,
  changed_models: 1,
  changes: [
    {
      model: 'openai/gpt-5-mini',
      price: 'prompt',
      before: '0.0000005',
      after: '0.00000025',
      changed_percent: -50,
    },
  ],
  unpriced: [],
  problems: [],
  not_charged: [],
}

const setAsideRow = {
  id: '5f0c0e7d1f7f4a53a3a0d8c2b9e61c44',
  object: 'set_aside_row',
  request_id: ids.request,
  account_id: ids.account,
  key_id: ids.key,
  model: 'openai/gpt-5-mini',
  requested_at: 1741046412,
  charge_usd: '0.0009',
  cause: 'owner',
  reason: 'FOREIGN KEY constraint failed',
  place: 'outbox',
  changeable: true,
  stored: false,
}

const examplePerson = {
  account_id: ids.account,
  display_name: exampleAccount.display_name,
  email: exampleAccount.email,
  email_verified: true,
}

export const serviceOperations = operationsOf('Operator', {
  'GET /prices': {
    id: 'getPrices',
    summary: 'Prices in force',
    description: 'Where this node’s prices come from, and what the last refresh changed.',
    answer: priceReport,
  },
  'POST /prices/refresh': {
    id: 'refreshPrices',
    summary: 'Refresh the prices',
    description: 'Reloads the prices on this node. If that fails, nothing changes.',
    audited: true,
    errors: [502],
    answer: priceReport,
  },
  'GET /upstreams': {
    id: 'listUpstreams',
    summary: 'Health of the upstreams',
    description:
      'Health of the upstreams that this node has called since its start, for each of their keys: ' +
      'whether their circuit breaker is open after failures, for how long and why, and their latency. ' +
      'Also the credentials of providers: where they come from and how long they are valid.',
    answer: {
      object: 'list',
      data: [
        {
          object: 'upstream',
          provider: 'openai',
          model: 'gpt-5-mini',
          key: 1,
          region: null,
          state: 'resting',
          rests_for_seconds: 6.4,
          reason: 'rate-limited',
          resting_accounts: 0,
          failures_in_a_row: 0,
          answers: 10412,
          failures: 3,
          last_failure: { at: 1741046412, result: 'status-429' },
          first_token_ms: 512,
          answer_ms: null,
        },
      ],
      credentials: [
        {
          object: 'credential',
          provider: 'bedrock',
          key: 1,
          kind: 'signature',
          source: 'AWS: profile prod',
          state: 'ready',
          expires_in_seconds: 2710,
          failure: null,
          hint: null,
        },
      ],
    },
  },
  'GET /prices/changes': {
    id: 'listPriceChanges',
    summary: 'Price history',
    description:
      'All price changes, newest first, through a refresh, a price file, the configuration, or ' +
      'a new version of the gateway. Prices are the vendors’, without the markup, which is listed as ' +
      'the price of the model `*`. Changes by time of day are not listed. Entries never change.',
    answer: listOf({
      id: 'prc_01jngyd2m4n6p8q1r3s5t7v9wx',
      object: 'price_change',
      model: 'openai/gpt-5-mini',
      price: 'prompt',
      before: '0.0000005',
      after: '0.00000025',
      source: 'built in',
      version: 'prices_2026-03-10_0123456789ab',
      created_at: 1741046400,
    }),
  },
  'GET /upstreams/attempts': {
    id: 'listUpstreamAttempts',
    summary: 'Failure rates of the upstreams',
    description:
      'Results of each upstream over a range of days, on all nodes, by attempt, even if another ' +
      'one answered and the request succeeded. Those with the most failures come first, ' +
      'each with how its attempts ended and the last request that ended so.',
    answer: {
      object: 'list',
      range_days: 7,
      counted_since: 1740441600,
      data: [
        {
          object: 'upstream_attempts',
          provider: 'openai',
          model: 'gpt-5-mini',
          attempts: 10412,
          failures: 31,
          refusals: 4,
          not_asked: 12,
          failure_rate: 0.00297,
          previous_failure_rate: 0.0012,
          results: [
            { result: 'status-429', attempts: 31, last_at: 1741046412, last_request_id: ids.request },
          ],
        },
      ],
      periods: [{ period: '2026-03-10', attempts: 10412, failures: 31 }],
    },
  },
  'GET /set-aside': {
    id: 'listSetAsideRows',
    summary: 'Rows missing from the ledger',
    description:
      'Finished requests whose rows the database rejected permanently, with the reason: of this node, ' +
      'and of others in its data directory. Each is an answer that was delivered but not charged.',
    answer: { object: 'list', data: [setAsideRow], total: 1 },
  },
  'POST /set-aside/:row_id/retry': {
    id: 'retrySetAsideRow',
    summary: 'Retry a rejected row',
    description:
      'For a row whose cause is fixed. If the database accepts it, it is charged to its key and is no ' +
      'longer listed. Otherwise `reason` says why it was rejected again. A row of another worker is 409.',
    audited: true,
    bodyOptional: true,
    errors: [409],
    answer: { id: setAsideRow.id, written: true, reason: null },
  },
  'POST /set-aside/:row_id/discard': {
    id: 'discardSetAsideRow',
    summary: 'Discard a rejected row',
    description:
      'For a row that was settled by hand, such as with an `adjustment`. Its charge will not be posted.',
    audited: true,
    errors: [409],
    request: { reason: 'adjusted by led_01jngyd2m4n6p8q1r3s5t7v9wx' },
    answer: { id: setAsideRow.id, discarded: true },
  },
  'GET /audit': {
    id: 'listAuditEntries',
    summary: 'Audit log',
    description:
      'Every action of operators and users, newest first: who did what, when, from where, and ' +
      'the result. Entries are never changed or deleted, and contain no secrets.',
    answer: listOf({
      object: 'audit_entry',
      request_id: ids.request,
      created_at: 1741046412,
      actor: 'user',
      subject: exampleAccount.oidc_sub,
      by: examplePerson,
      action: 'createKey',
      account_id: ids.account,
      account: examplePerson,
      on_behalf_of: null,
      target: ids.key,
      status: 201,
      details: { name: 'laptop' },
      address: '203.0.113.7',
    }),
  },
  'GET /healthz': {
    id: 'getHealth',
    tag: 'Service',
    summary: 'Liveness',
    description: 'The process is running.',
    answer: { status: 'ok' },
  },
  'GET /readyz': {
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Readiness',
    description:
      'Whether the node should get requests. `degraded`: it serves, but a dependency is ' +
      'unavailable. While it starts or drains: 503 with the same checks.',
    answer: { status: 'ok', checks: { database: { status: 'ok' } } },
  },
  'GET /metrics': {
    id: 'getMetrics',
    summary: 'Metrics',
    description: 'Metrics in the Prometheus text format.',
    files: {
      'text/plain': {
        description: 'https://prometheus.io/docs/instrumenting/exposition_formats/',
        example: '# TYPE turnpike_outbox_rows gauge\nturnpike_outbox_rows 0\n',
      },
    },
  },
  'GET /openapi.json': {
    id: 'getOpenapi',
    tag: 'Service',
    summary: 'This description',
    description: 'OpenAPI 3.1 of both surfaces.',
    polled: true,
    answer: { openapi: '3.1.0', info: { title: 'Turnpike', version: manifest.version }, paths: {} },
  },
  'GET /docs': {
    id: 'getDocs',
    tag: 'Service',
    summary: 'API reference',
    description: 'This description as an HTML page.',
    polled: true,
    files: {
      'text/html': {
        description: 'A page without scripts.',
        example: '<!doctype html><title>Turnpike</title>',
      },
    },
  },
  'GET /llms.txt': {
    id: 'getAgentsGuide',
    tag: 'Service',
    summary: 'A guide for agents',
    description:
      'How an agent signs in, creates a key, gets credit, and handles errors (https://llmstxt.org).',
    polled: true,
    files: { 'text/plain': { description: 'Markdown.', example: '# Turnpike\n' } },
  },
})
