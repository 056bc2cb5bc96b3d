import { operationsOf } from '../operation.ts'
import { exampleLedgerEntry, exampleRequest, ids, listOf } from './examples.ts'

const totals = { total_requests: 1, total_tokens_in: 120, total_tokens_out: 48, total_cost_usd: '0.000126' }

/** At a markup of 1.2. */
const margins = {
  total_vendor_cost_usd: '0.000105',
  total_margin_usd: '0.000021',
  total_uncosted_usd: '0',
}
const marginsDescription =
  'Operators also see the vendor cost of the same requests (`total_vendor_cost_usd`: their ' +
  'usage at prices without markup) and the margin (`total_margin_usd`). Charges for ' +
  'requests with unknown vendor cost are in `total_uncosted_usd`, and in neither of these.'

const health = {
  requests: 200,
  completed: 197,
  error_rate: 0.01,
  errors: [
    { type: 'upstream_error', requests: 2 },
    { type: 'client_closed_request', requests: 1 },
  ],
  time_to_first_token_ms: { p50: 395, p95: 1116 },
  latency_ms: { p50: 2233, p95: 7513 },
  tokens_per_second: 61.5,
  tokens_in: 240_000,
  cache_read_tokens: 96_000,
  cache_write_tokens: 0,
  cache_saved_usd: '0.0216',
}

const ledgerCsv =
  'id,created_at,created_at_utc,kind,amount_usd\n' +
  `${exampleLedgerEntry.id},${exampleLedgerEntry.created_at},2025-03-04T00:01:40.000Z,grant,25\n`

const jsonl = `${JSON.stringify(exampleRequest)}\n`

const runningVerification = {
  id: 'ver_01jngyd2m4n6p8q1r3s5t7v9wx',
  object: 'ledger_verification',
  state: 'running',
  ok: null,
  started_at: 1741046400,
  finished_at: null,
  checked: 0,
  differences: [],
}
const verification = {
  ...runningVerification,
  state: 'finished',
  ok: true,
  finished_at: 1741046402,
  checked: 5210,
}

export const usageOperations = operationsOf('Usage', {
  'GET /usage': {
    id: 'getUsage',
    summary: 'Usage summary',
    description:
      'Sums over the last `days` calendar days in UTC, today included, or over the days from `from` to ' +
      '`to`. Failed requests cost nothing and are not counted, so the cost equals the ledger’s `usage` ' +
      'entries of the same days. `outcome` selects one outcome, including `failed`.',
    polled: true,
    answer: { range_days: 30, ...totals },
    acrossAccounts: { description: marginsDescription, answer: { range_days: 30, ...totals, ...margins } },
  },
  'GET /usage/breakdown': {
    id: 'getUsageBreakdown',
    summary: 'Usage by group',
    description:
      'The summary, split by tag, model, key, day, hour, provider, tier, endpoint or operation; two `by` ' +
      'give a cross table. A request counts for each of its tags, so the sum over tags can exceed the ' +
      'total. With `tag:team`, the values of tags `team:…`, it does not. The most expensive ' +
      'groups come first; days and hours on a page are in chronological order. `others` ' +
      'is the total of all groups after the page, so a page and its `others` include ' +
      'everything. A group whose cost grows between two pages may be on neither or both. Pages of past ' +
      'days (`to`) contain each group once.',
    polled: true,
    answer: { ...listOf({ group: 'team:research', ...totals }), others: null, range_days: 30, by: ['tag'] },
    acrossAccounts: {
      description: marginsDescription,
      answer: {
        ...listOf({ group: ['2026-03-10', 'openai/gpt-5-mini'], ...totals, ...margins }),
        others: null,
        range_days: 30,
        by: ['day', 'model'],
      },
    },
  },
  'GET /usage/health': {
    id: 'getUsageHealth',
    summary: 'Request health',
    description:
      'Errors by type, latency (p50 and p95), tokens per second, and cache savings, over the same days as ' +
      'the summary and over the same number of days before (`previous`); with `by` also for each ' +
      'group, those with the most ' +
      'requests first, days and hours in chronological order. Nothing before `counted_since` is included.',
    polled: true,
    answer: {
      object: 'health',
      range_days: 30,
      counted_since: 1_772_323_200,
      by: 'model',
      total: health,
      previous: health,
      data: [{ group: 'openai/gpt-5-mini', ...health, previous: null }],
      has_more: false,
    },
  },
  'GET /usage/requests': {
    id: 'listRequests',
    summary: 'List requests',
    description: 'One row per request, including failed ones, newest first.',
    answer: listOf(exampleRequest),
  },
  'GET /usage/requests/:request_id': {
    id: 'getRequest',
    summary: 'One request',
    description:
      'A request with all inputs of its charge, so that it can be recomputed. `usage.raw`, ' +
      'as reported by the vendor, is only shown to operators, and null for users.',
    answer: {
      ...exampleRequest,
      has_log: false,
      usage: {
        input_tokens: 120,
        cache_read_tokens: null,
        cache_write_tokens: null,
        cache_write_1h_tokens: null,
        input_audio_tokens: null,
        input_image_tokens: null,
        cache_read_audio_tokens: null,
        output_tokens: 48,
        reasoning_tokens: null,
        output_audio_tokens: null,
        output_image_tokens: null,
        web_searches: null,
        citation_tokens: null,
        service_tier: 'default',
        estimated: false,
        raw: null,
      },
      price_version: 'price_3bf27aa30105d9ff',
      pricing: { prompt: '0.00000025', completion: '0.000002' },
      markup: '1',
      hold_usd: '0.00822',
      charge_usd: '0.000126',
      route: null,
      baseline_usd: null,
    },
  },
  'GET /usage/export': {
    id: 'exportUsage',
    summary: 'Export requests',
    description:
      'All matching requests, oldest first, as a streamed file. CSV follows RFC 4180 with a header line. ' +
      '`tags` is a JSON array in one cell, and a cell that a spreadsheet would run as a formula is ' +
      'prefixed with an apostrophe. If the connection is interrupted, the file is incomplete.',
    files: {
      'text/csv': {
        description: 'One line per request, with a header line.',
        example: `id,created_at,account_id,key_id\n${ids.request},1741050000,${ids.account},${ids.key}\n`,
      },
      'application/jsonl': { description: 'One JSON object per line, as in the list.', example: jsonl },
    },
  },
  'GET /ledger': {
    id: 'listLedger',
    tag: 'Ledger',
    summary: 'Ledger entries',
    description:
      'All credit transactions of the account, newest first, or those of a kind, a key, or a range of ' +
      'days. Entries are never changed. A correction is a new entry, which names in `corrects` the one ' +
      'that it corrects.',
    answer: listOf(exampleLedgerEntry),
  },
  'GET /ledger/export': {
    id: 'exportLedger',
    tag: 'Ledger',
    summary: 'Export the ledger',
    description:
      'All matching entries, in the order and with the amounts of the list, as a streamed file. CSV ' +
      'follows RFC 4180 with a header line. A cell that a spreadsheet would run as a formula is prefixed ' +
      'with an apostrophe. If the connection is interrupted, the file is incomplete.',
    files: {
      'text/csv': {
        description: 'One line per entry, with a header line.',
        example: ledgerCsv,
      },
      'application/jsonl': {
        description: 'One JSON object per line, as in the list.',
        example: `${JSON.stringify(exampleLedgerEntry)}\n`,
      },
    },
  },
  'GET /ledger/verify': {
    id: 'verifyLedger',
    tag: 'Operator',
    summary: 'Verify the ledger',
    description:
      'Recomputes every balance, lease and charge from its entries, and lists what this node could not ' +
      'write to the database. The status is 200 even if something differs: the check itself succeeded, ' +
      'and `ok` is the result. A node runs one verification at a time. Callers that arrive meanwhile ' +
      'share the next one. If it takes longer than ten minutes, the response is 503. Start it in the ' +
      'background instead, or use the command. New differences raise `ledger.difference` and are listed ' +
      'as a verification.',
    errors: [503],
    answer: { ok: true, checked: 5210, differences: [] },
  },
  'POST /ledger/verifications': {
    id: 'beginLedgerVerification',
    tag: 'Operator',
    summary: 'Verify the ledger in the background',
    description:
      'Starts a verification, whose result can be read later. One runs at a time across all nodes. ' +
      'If one is running, it is returned. It ends after ten minutes at most. One of the ' +
      'nodes starts one automatically every `billing.verify_hours`.',
    audited: true,
    bodyOptional: true,
    answer: runningVerification,
  },
  'GET /ledger/verifications': {
    id: 'listLedgerVerifications',
    tag: 'Operator',
    summary: 'Verifications of the ledger',
    description: 'Requested and daily verifications, newest first. A hundred are kept.',
    answer: listOf(verification),
  },
  'GET /ledger/verifications/:verification_id': {
    id: 'getLedgerVerification',
    tag: 'Operator',
    summary: 'One verification of the ledger',
    description: 'Its progress and results, as text.',
    answer: verification,
  },
})
