import type { AwsIdentity, EntraIdentity, GoogleIdentity, Provider, Vendor } from '@turnpike/vendors'
import { regionIn } from '../../credentials/aws-region.ts'
import type { ProviderInput } from '../known-providers.ts'
import type { Environment } from '../variables.ts'

/** The scope of Azure OpenAI and of all models of Foundry. */
const azureScope = 'https://cognitiveservices.azure.com/.default'

/** In the order in which AWS's SDKs read the variables. */
export function regionOfEnvironment(environment: Environment): string | undefined {
  return environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || undefined
}

/**
 * A provider's credentials besides `api_keys`. If none are configured, uses the vendor's usual kind of
 * identity. The input has passed all checks; paths are absolute.
 */
export function resolveIdentity(
  input: ProviderInput,
  { baseUrl, environment, vendor }: { baseUrl: string; environment: Environment; vendor: Vendor | undefined },
): Pick<Provider, 'apiKeyFiles' | 'identity'> {
  const { api_key_files: apiKeyFiles = [], regions } = input
  const files = apiKeyFiles.length > 0 ? { apiKeyFiles } : {}
  const { aws, google, entra } = hasCredential(input) ? input : usualOf(input, vendor)
  if (aws !== undefined) {
    const region = regions?.[0] ?? aws.region ?? regionIn(baseUrl) ?? regionOfEnvironment(environment)
    return { ...files, identity: awsIdentity(aws, region) }
  }
  if (google !== undefined) return { ...files, identity: googleIdentity(google) }
  if (entra !== undefined) return { ...files, identity: entraIdentity(entra) }
  return files
}

type Sections = Pick<ProviderInput, 'aws' | 'google' | 'entra'>

function hasCredential({ api_keys = [], api_key_files = [], aws, google, entra }: ProviderInput): boolean {
  return api_keys.length + api_key_files.length > 0 || (aws ?? google ?? entra) !== undefined
}

/** A custom address may need no credential at all. */
function usualOf({ base_url: address }: ProviderInput, vendor: Vendor | undefined): Sections {
  return address === undefined && vendor?.identity !== undefined ? { [vendor.identity]: {} } : {}
}

function awsIdentity(input: NonNullable<ProviderInput['aws']>, region: string | undefined): AwsIdentity {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = input
  const session = optional({ sessionToken: input.session_token })
  return {
    kind: 'aws',
    region,
    ...optional({
      profile: input.profile,
      roleArn: input.role_arn,
      externalId: input.external_id,
      sessionName: input.session_name,
      webIdentityTokenFile: input.web_identity_token_file,
    }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { keys: { accessKeyId, secretAccessKey, ...session } }),
  }
}

function googleIdentity(input: NonNullable<ProviderInput['google']>): GoogleIdentity {
  const { credentials_file: file, credentials: json, impersonate } = input
  return { kind: 'google', ...optional({ file, json, impersonate }) }
}

function entraIdentity(input: NonNullable<ProviderInput['entra']>): EntraIdentity {
  return {
    kind: 'entra',
    scope: input.scope ?? azureScope,
    ...optional({
      tenantId: input.tenant_id,
      clientId: input.client_id,
      clientSecret: input.client_secret,
      clientSecretFile: input.client_secret_file,
      certificateFile: input.certificate_file,
      tokenFile: input.token_file,
    }),
  }
}

const managementUrl = 'https://management.azure.com'
/** https://learn.microsoft.com/en-us/rest/api/aiservices/accountmanagement/deployments/list */
const managementVersion = '2024-10-01'

/** The URL that lists a resource's deployments. The input has passed all checks. */
export function resolveDeployments({ deployments, resource }: ProviderInput): Pick<Provider, 'deployments'> {
  if (deployments === undefined) return {}
  const { subscription, resource_group: group, account = resource, management_url: own } = deployments
  const management = (own ?? managementUrl).replace(/\/+$/, '')
  const path =
    `/subscriptions/${encodeURIComponent(subscription)}/resourceGroups/${encodeURIComponent(group)}` +
    `/providers/Microsoft.CognitiveServices/accounts/${encodeURIComponent(account!)}/deployments`
  const url = `${management}${path}?api-version=${managementVersion}`
  return { deployments: { url, scope: `${management}/.default` } }
}

/** Leaves out the members that are undefined. */
function optional<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [Name in keyof Values]?: Exclude<Values[Name], undefined> }
}
