import { openaiCompatible, type Vendor } from '../vendor.ts'

/**
 * An operator's own workspace: the model's name is that of a serving endpoint
 * (`databricks-claude-sonnet-4-5`). The key is a personal access token or an OAuth token. Billed in units of
 * the workspace's contract, so models and prices must be configured.
 */
export const vendor: Vendor = {
  name: 'databricks',
  title: 'Databricks',
  ...openaiCompatible,
  baseUrl: undefined,
  exampleBaseUrl: 'https://<workspace>.cloud.databricks.com/serving-endpoints',
  alsoSpeaks: [
    {
      format: 'openai-embeddings',
      page: 'https://docs.databricks.com/aws/en/machine-learning/model-serving/query-embedding-models',
    },
    {
      format: 'openai-completions',
      page: 'https://docs.databricks.com/aws/en/machine-learning/foundation-model-apis/api-reference',
      byDefault: true,
    },
  ],
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  variable: 'DATABRICKS_TOKEN',
  documentation: 'https://docs.databricks.com/aws/en/machine-learning/foundation-model-apis/api-reference',
  untried: true,
  paidFields: [],
  otherHosts: /(^|\.)(cloud|gcp)\.databricks\.com$|\.azuredatabricks\.net$/,
  pricedBy: [],
}
