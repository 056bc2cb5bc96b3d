import type { ReadFacts } from '../facts/facts.ts'
import { serviceTiers, type ServedTool } from '../paid-fields/paid-field.ts'
import type { Vendor } from '../vendor.ts'
import { freeTools } from '../paid-fields/claude-tools.ts'

/** Since these versions the web tools run code on their results, which is then not billed by time. */
const codingSearches = ['web_search_20260209', 'web_search_20260318']
const codingFetches = ['web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318']

/** What recorded searches added: 5,000 to 16,000 tokens each. */
const tokensOfSearch = 12_000

/**
 * Tools that it runs (https://platform.claude.com/docs/en/about-claude/pricing#specific-tool-pricing). Not
 * here: code execution alone, which is billed by the hour and which no answer reports; the `advisor`, which
 * is another model at its own price; and `mcp_toolset`, which belongs to `mcp_servers`.
 */
const servedTools: readonly ServedTool[] = [
  { types: ['web_search_20250305'], chargedBy: 'web_search', brings: tokensOfSearch },
  { types: codingSearches, chargedBy: 'web_search', brings: tokensOfSearch, runsCode: true },
  { types: ['web_fetch_20250910'], brings: 'max_content_tokens' },
  { types: codingFetches, brings: 'max_content_tokens', runsCode: true },
  {
    types: [
      'tool_search_tool_bm25',
      'tool_search_tool_bm25_20251119',
      'tool_search_tool_regex',
      'tool_search_tool_regex_20251119',
    ],
  },
  {
    types: [
      'code_execution_20250522',
      'code_execution_20250825',
      'code_execution_20260120',
      'code_execution_20260521',
    ],
    freeBeside: [...codingSearches, ...codingFetches],
    runsCode: true,
  },
]

const docs = 'https://platform.claude.com/docs/en'

/** `anthropic-version` comes from the format, which sends it with every call. */
export const vendor: Vendor = {
  name: 'anthropic',
  title: 'Anthropic',
  style: 'anthropic',
  format: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com',
  keyHeader: { header: 'x-api-key', prefix: '' },
  takesStreamOptions: false,
  variable: 'ANTHROPIC_API_KEY',
  documentation: `${docs}/api/messages`,
  paidFields: [
    {
      field: 'tools',
      free: { each: { where: { type: freeTools } } },
      served: servedTools,
      page: `${docs}/about-claude/pricing#specific-tool-pricing`,
    },
    serviceTiers(['auto', 'standard_only'], `${docs}/api/service-tiers`),
    // The usage reports one-hour cache writes, and each model has a price for them.
    {
      field: 'cache_control',
      free: { members: { type: 'any', ttl: ['5m', '1h'] } },
      page: `${docs}/build-with-claude/prompt-caching`,
    },
    // Another model answers, at its own price.
    { field: 'fallbacks', page: `${docs}/build-with-claude/refusals-and-fallback` },
    { field: 'speed', free: { only: ['standard'] }, page: `${docs}/build-with-claude/fast-mode` },
    { field: 'inference_geo', free: { only: ['global'] }, page: `${docs}/build-with-claude/data-residency` },
    // Another organization pays, or nobody does.
    {
      field: 'billing_policy',
      free: { members: { type: 'any', bill_to: ['self'] } },
      page: `${docs}/api/messages/create`,
    },
    { field: 'mcp_servers', page: `${docs}/agents-and-tools/mcp-connector` },
    { field: 'container', page: `${docs}/agents-and-tools/tool-use/code-execution-tool` },
  ],
  pricedBy: ['anthropic'],
}

export const facts: ReadFacts = async () => (await import('../facts/anthropic.ts')).anthropicFacts
