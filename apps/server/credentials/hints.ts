/** The kinds of identity, named like the sections of the configuration. */
export type IdentityKind = 'aws' | 'google' | 'entra'

/** What an operator can do about a failure, by patterns in the identity provider's messages. */
const hints: readonly { kinds: readonly IdentityKind[]; of: RegExp; says: string }[] = [
  {
    kinds: ['aws'],
    of: /security token .* is (expired|invalid)|ExpiredToken|InvalidClientTokenId|UnrecognizedClient/i,
    says: 'the access keys used to assume the role are invalid: create new ones, or remove them',
  },
  {
    kinds: ['aws'],
    of: /not authorized to perform.*sts:AssumeRole|AccessDenied/i,
    says:
      "the role's trust policy does not allow this caller: check aws.role_arn, aws.external_id and " +
      'the policy',
  },
  {
    kinds: ['aws'],
    of: /InvalidIdentityToken|IDPRejectedClaim|no openid ?connect provider/i,
    says:
      "the web identity token was rejected: check the account's OpenID provider and the " +
      "token's audience",
  },
  {
    kinds: ['aws'],
    of: /RegionDisabled/i,
    says: 'STS is disabled in this region: enable it in the account, or use another region',
  },
  {
    kinds: ['aws'],
    of: /Throttl|Rate exceeded/i,
    says: 'STS is rate limiting this account; the gateway retries later',
  },
  {
    kinds: ['aws'],
    of: /SSO (session|token)|sso.*(expired|login)/i,
    says: 'sign in again with "aws sso login"; for a service, use a role instead',
  },
  {
    kinds: ['aws'],
    of: /profile.*(not be found|could not|not found)|Could not resolve credentials using profile/i,
    says: 'check aws.profile, AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE',
  },
  {
    kinds: ['aws'],
    of: /Could not load credentials from any providers|169\.254\.169\.254|metadata service/i,
    says:
      'no AWS credentials were found, and this machine has no reachable instance or container ' +
      'role: set aws.profile, aws.role_arn or access keys',
  },
  {
    kinds: ['google'],
    of: /invalid_grant|Invalid JWT/i,
    says: "the service account's key was revoked, or this machine's clock is wrong (turnpike-gateway doctor)",
  },
  {
    kinds: ['google'],
    of: /iam\.serviceAccounts\.getAccessToken|PERMISSION_DENIED|Permission .* denied/i,
    says: 'the caller lacks the role "Service Account Token Creator" on google.impersonate',
  },
  {
    kinds: ['google'],
    of: /Could not load the default credentials|metadata/i,
    says: 'no credentials were found, and no metadata server is reachable: set google.credentials_file',
  },
  {
    kinds: ['google'],
    of: /does not contain a (client_email|private_key)|JSON|PEM|DECODER/i,
    says: "google.credentials_file is not the JSON that Google's console provides",
  },
  {
    kinds: ['entra'],
    of: /AADSTS7000222/,
    says: 'the client secret has expired: create a new one for the application',
  },
  {
    kinds: ['entra'],
    of: /AADSTS7000215/,
    says: 'the client secret is wrong: use its value, not its ID',
  },
  {
    kinds: ['entra'],
    of: /AADSTS700016/,
    says: 'the application is not in this tenant: check entra.client_id and entra.tenant_id',
  },
  { kinds: ['entra'], of: /AADSTS9000\d\d|tenant.*not found/i, says: 'check entra.tenant_id' },
  {
    kinds: ['entra'],
    of: /AADSTS700024/,
    says:
      "the proof is not of this time: this machine's clock is off (turnpike-gateway doctor), or the " +
      "workload's token has ended",
  },
  {
    kinds: ['entra'],
    of: /PEM-encoded|no certificate|PEM_|DECODER/i,
    says: 'entra.certificate_file is to hold the certificate and its private key, as PEM',
  },
  {
    kinds: ['entra'],
    of: /AADSTS700021/,
    says:
      'the federated credential of the application does not match the token: check its issuer, ' +
      'subject and audience',
  },
  {
    kinds: ['entra'],
    of: /AADSTS700027/,
    says:
      'the certificate does not belong to the application, or this clock is wrong ' +
      '(turnpike-gateway doctor)',
  },
  {
    kinds: ['entra'],
    of: /ManagedIdentity|managed identity|169\.254\.169\.254|IMDS/i,
    says: 'no managed identity was found: assign one to this machine, or set entra.client_secret',
  },
  {
    kinds: ['aws', 'google', 'entra'],
    of: new RegExp(
      'garbage|had no "expiresOn"|Unexpected (token|end)|not valid JSON|deserializ|' +
        'invalid (json|response)|unescaped',
      'i',
    ),
    says:
      'something else answered instead of the credential issuer: check proxies and the addresses in ' +
      'the environment',
  },
  {
    kinds: ['aws', 'google', 'entra'],
    of: /ENOENT|EACCES|EISDIR/,
    says: 'check the path of the file, and that this user may read it',
  },
  {
    kinds: ['aws', 'google', 'entra'],
    of: /ENOTFOUND|ECONN|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ETIMEDOUT|time(d )?-?out|socket hang up/i,
    says: 'the credential issuer is unreachable: check network, proxy, firewall',
  },
]

/**
 * @param text the error's name and message
 * @returns an empty string if there is no hint
 */
export function hintFor(kind: IdentityKind, text: string): string {
  return hints.find(({ kinds, of }) => kinds.includes(kind) && of.test(text))?.says ?? ''
}
