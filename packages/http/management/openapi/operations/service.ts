import manifest from '../../../package.json' with { type: 'json' }
import type { Operation } from '../operation.ts'
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

export const serviceOperations: Record<string, Operation> = {
  'GET /prices': {
    id: 'getPrices',
    tag: 'Operator',
    summary: 'Prices in force',
    description: 'Where this node’s prices are from, and what the last refresh changed.',
    answer: priceReport,
  },
  'POST /prices/refresh': {
    id: 'refreshPrices',
    tag: 'Operator',
    summary: 'Refresh the prices',
    description: 'Reads the prices anew, on this node. Where that fails everything stays as it was.',
    audited: true,
    errors: [502],
    answer: priceReport,
  },
  'GET /upstreams': {
    id: 'listUpstreams',
    tag: 'Operator',
    summary: 'Health of the upstreams',
    description:
      'How the upstreams do that this node has asked since its start, each with each of its keys: whether ' +
      'they are left in peace after failures, for how long and why, and how soon they answer. And what ' +
      'providers are called with: where it comes from, and how long it is good yet.',
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
    tag: 'Operator',
    summary: 'How prices changed',
    description:
      'Each price that became another one, newest first: by a refresh, a price file, the configuration, or ' +
      'a new version of the gateway. Prices are the vendors’, without the markup, which stands there as ' +
      'that of the model `*`. What changes with the time of day alone is not told. Entries never change.',
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
    tag: 'Operator',
    summary: 'Failure rates of the upstreams',
    description:
      'How each upstream did over a range of days, on all nodes, attempt by attempt: also where another ' +
      'one answered in the end, so that the request did not fail. Those with the most failures come first, ' +
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
    tag: 'Operator',
    summary: 'Rows that are in no ledger',
    description:
      'Finished requests whose rows the database refused for good, with the reason: of this node, and of ' +
      'others in its data directory. Each is an answer that was delivered and not charged.',
    answer: { object: 'list', data: [setAsideRow], total: 1 },
  },
  'POST /set-aside/:row_id/retry': {
    id: 'retrySetAsideRow',
    tag: 'Operator',
    summary: 'Write a refused row again',
    description:
      'For a row whose reason is gone. Where the database takes it, it is charged to its key and is no ' +
      'longer here; else `reason` says why it was refused again. A row of another worker is 409.',
    audited: true,
    bodyOptional: true,
    errors: [409],
    answer: { id: setAsideRow.id, written: true, reason: null },
  },
  'POST /set-aside/:row_id/discard': {
    id: 'discardSetAsideRow',
    tag: 'Operator',
    summary: 'Take out a refused row',
    description: 'For a row that was settled by hand, as by an `adjustment`. Its charge is posted no more.',
    audited: true,
    errors: [409],
    request: { reason: 'adjusted by led_01jngyd2m4n6p8q1r3s5t7v9wx' },
    answer: { id: setAsideRow.id, discarded: true },
  },
  'GET /audit': {
    id: 'listAuditEntries',
    tag: 'Operator',
    summary: 'Audit log',
    description:
      'Every action of operators and users, newest first: who did what to what, when, from where, and ' +
      'what was answered. Entries are never changed or deleted, and hold no secrets.',
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
    description: 'The process answers.',
    answer: { status: 'ok' },
  },
  'GET /readyz': {
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Readiness',
    description:
      'Whether the node should be sent requests. `degraded`: it serves, but something it stands on is ' +
      'away. While it starts or drains, 503 with the same checks.',
    answer: { status: 'ok', checks: { database: { status: 'ok' } } },
  },
  'GET /metrics': {
    id: 'getMetrics',
    tag: 'Operator',
    summary: 'Metrics',
    description: 'What the node tells Prometheus, in its text format.',
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
    summary: 'This description, to read',
    description: 'The same as one page of HTML.',
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
      'How an agent signs in, makes a key, has credit bought, and handles errors (https://llmstxt.org).',
    polled: true,
    files: { 'text/plain': { description: 'Markdown.', example: '# Turnpike\n' } },
  },
}
