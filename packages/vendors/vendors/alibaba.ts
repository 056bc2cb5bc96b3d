import type { ReadFacts } from '../facts/facts.ts'
import { ownTools } from '../paid-fields/paid-field.ts'
import { openaiCompatible, type Vendor } from '../vendor.ts'

const docs = 'https://www.alibabacloud.com/help/en/model-studio'

/**
 * The international address; in China it is `https://dashscope.aliyuncs.com/compatible-mode/v1`. "developer
 * is not one of ['system', 'assistant', 'user', 'tool', 'function']": proma-ai/Proma#1496.
 */
export const vendor: Vendor = {
  name: 'alibaba',
  title: 'Alibaba Cloud Model Studio',
  ...openaiCompatible,
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  alsoSpeaks: [{ format: 'openai-embeddings', page: `${docs}/text-embedding-synchronous-api` }],
  // https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api
  batches: { embed: { inputs: 10 } },
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  refusesDeveloper: true,
  variable: 'DASHSCOPE_API_KEY',
  documentation: `${docs}/use-qwen-by-calling-api`,
  paidFields: [
    { field: 'enable_search', free: { only: [false] }, page: `${docs}/web-search` },
    { field: 'search_options', free: 'empty', page: `${docs}/web-search` },
    { field: 'enable_code_interpreter', free: { only: [false] }, page: `${docs}/qwen-code-interpreter` },
    ownTools(`${docs}/web-search`),
  ],
  otherHosts: /(^|\.)(dashscope|maas)(-[a-z]+)?\.aliyuncs\.com$/,
  pricedBy: [],
}

export const facts: ReadFacts = async () => (await import('../facts/alibaba.ts')).alibabaFacts
