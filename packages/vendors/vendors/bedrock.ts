import type { ReadFacts } from '../facts/facts.ts'
import { serviceTiers } from '../paid-fields/paid-field.ts'
import { bearer, type Vendor } from '../vendor.ts'
import { freeTools } from '../paid-fields/claude-tools.ts'

const prices = 'https://aws.amazon.com/bedrock/pricing/'
const titan = 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html'

/** Models of many makers, in the address's region; Claude is called in Anthropic's own format. */
export const vendor: Vendor = {
  name: 'bedrock',
  title: 'Amazon Bedrock',
  style: 'bedrock',
  format: 'bedrock-converse',
  baseUrl: undefined,
  exampleBaseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  // https://docs.aws.amazon.com/general/latest/gr/bedrock.html
  addresses: [
    { regions: /^cn-/, url: 'https://bedrock-runtime.{region}.amazonaws.com.cn' },
    { url: 'https://bedrock-runtime.{region}.amazonaws.com' },
  ],
  otherHosts: /^bedrock-runtime(?:-fips)?\.[a-z0-9-]+\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/,
  alsoSpeaks: [
    {
      format: 'bedrock-messages',
      page: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html',
    },
    { format: 'bedrock-titan', page: titan, batches: { embed: { inputs: 1 } } },
    {
      format: 'bedrock-cohere-embed',
      batches: { embed: { inputs: 96 } },
      page: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html',
    },
  ],
  keyHeader: bearer,
  identity: 'aws',
  takesStreamOptions: false,
  variable: 'AWS_BEARER_TOKEN_BEDROCK',
  documentation: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
  untried: true,
  paidFields: [
    { field: 'tools', free: { each: { where: { type: freeTools } } }, page: prices },
    serviceTiers(['auto', 'default', 'standard_only'], prices),
    {
      // The usage reports one-hour cache writes, and each model has a price for them.
      field: 'cache_control',
      free: { members: { type: 'any', ttl: ['5m', '1h'] } },
      page: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
    },
    { field: 'speed', free: { only: ['standard'] }, page: prices },
    { field: 'performanceConfig', free: { members: { latency: ['standard'] } }, page: prices },
    { field: 'guardrailConfig', page: prices },
  ],
  pricedBy: ['aws'],
}

export const facts: ReadFacts = async () => (await import('../facts/bedrock.ts')).bedrockFacts
