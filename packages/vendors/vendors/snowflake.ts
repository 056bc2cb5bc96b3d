import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Cortex, at an account's own address. The key is a programmatic access token; a token of a key pair is
 * told by `headers: { X-Snowflake-Authorization-Token-Type: KEYPAIR_JWT }`. Billed in credits of the
 * account's contract: models and prices are the configuration's.
 */
export const vendor: Vendor = {
  name: 'snowflake',
  title: 'Snowflake Cortex',
  ...openaiCompatible,
  baseUrl: undefined,
  exampleBaseUrl: 'https://<account>.snowflakecomputing.com/api/v2/cortex/v1',
  // For its Claude models alone, with `formats` of the model.
  alsoSpeaks: [
    {
      format: 'anthropic-messages',
      base: '',
      page: 'https://docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api',
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_completion_tokens',
  variable: 'SNOWFLAKE_TOKEN',
  documentation: 'https://docs.snowflake.com/en/user-guide/snowflake-cortex/open_ai_sdk',
  untried: true,
  paidFields: [],
  otherHosts: /\.snowflakecomputing\.com$/,
  pricedBy: [],
}
