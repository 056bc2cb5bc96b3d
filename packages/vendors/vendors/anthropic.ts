import { ownTools } from '../paid-field.ts'
import type { Vendor } from '../vendor.ts'

/** `anthropic-version` is the dialect's, sent with every call. */
export const anthropic: Vendor = {
  name: 'anthropic',
  title: 'Anthropic',
  style: 'anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com',
  credential: { header: 'x-api-key', prefix: '' },
  headers: {},
  takesStreamOptions: false,
  variable: 'ANTHROPIC_API_KEY',
  documentation: 'https://platform.claude.com/docs/en/api/messages',
  paidFields: [
    ownTools('https://platform.claude.com/docs/en/about-claude/pricing#specific-tool-pricing'),
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
