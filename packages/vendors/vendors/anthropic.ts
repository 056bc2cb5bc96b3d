import { serviceTiers } from '../paid-field.ts'
import type { Vendor } from '../vendor.ts'

/**
 * Tools that the caller runs itself. The vendor's web fetch has no fee, but what it reads is input for which
 * nobody has held credit.
 */
const freeTools = [
  'function',
  'custom',
  'bash_20241022',
  'bash_20250124',
  'browser_toolset_20260801',
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'computer_toolset_20260801',
  'memory_20250818',
  'text_editor_20241022',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
]

/** `anthropic-version` is the format's, sent with every call. */
export const anthropic: Vendor = {
  name: 'anthropic',
  title: 'Anthropic',
  style: 'anthropic',
  format: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com',
  credential: { header: 'x-api-key', prefix: '' },
  headers: {},
  takesStreamOptions: false,
  variable: 'ANTHROPIC_API_KEY',
  documentation: 'https://platform.claude.com/docs/en/api/messages',
  paidFields: [
    {
      field: 'tools',
      free: { each: { where: { type: freeTools } } },
      page: 'https://platform.claude.com/docs/en/about-claude/pricing#specific-tool-pricing',
    },
    serviceTiers(['auto', 'standard_only'], 'https://platform.claude.com/docs/en/api/service-tiers'),
    {
      // The usage tells what was written for an hour, and each model has a price for it.
      field: 'cache_control',
      free: { members: { type: 'any', ttl: ['5m', '1h'] } },
      page: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
    },
    {
      // Another model answers, at its own price.
      field: 'fallbacks',
      page: 'https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback',
    },
    {
      field: 'speed',
      free: { only: ['standard'] },
      page: 'https://platform.claude.com/docs/en/build-with-claude/fast-mode',
    },
    {
      field: 'inference_geo',
      free: { only: ['global'] },
      page: 'https://platform.claude.com/docs/en/build-with-claude/data-residency',
    },
    { field: 'mcp_servers', page: 'https://platform.claude.com/docs/en/agents-and-tools/mcp-connector' },
    {
      field: 'container',
      page: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool',
    },
  ],
  pricedBy: ['anthropic'],
}
