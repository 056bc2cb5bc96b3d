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
      'they are left in peace after failures, for how long and why, and how soon they answer.',
    answer: {
      object: 'list',
      data: [
        {
          object: 'upstream',
          provider: 'openai',
          model: 'gpt-5-mini',
          key: 1,
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
    },
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
      action: 'createKey',
      account_id: ids.account,
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
    answer: { openapi: '3.1.0', info: { title: 'Turnpike', version: '0.1.0' }, paths: {} },
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
