import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * Cortex, at an account's own address. The key is a programmatic access token; a key pair's token needs
 * `headers: { X-Snowflake-Authorization-Token-Type: KEYPAIR_JWT }`. Billed in credits of the account's
 * contract, so models and prices must be configured.
 */
export const vendor: Vendor = {
  name: 'snowflake',
  title: 'Snowflake Cortex',
  ...openaiCompatible,
  baseUrl: undefined,
  exampleBaseUrl: 'https://<account>.snowflakecomputing.com/api/v2/cortex/v1',
  // Only for its Claude models, with `formats` of the model.
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
