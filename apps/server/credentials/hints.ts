/** Whose identity it is, as the sections of the configuration are called. */
export type IdentityKind = 'aws' | 'google' | 'entra'

/** What an operator can do about a failure, by the words that whoever gives credentials has for it. */
const hints: readonly { kinds: readonly IdentityKind[]; of: RegExp; says: string }[] = [
  {
    kinds: ['aws'],
    of: /security token .* is (expired|invalid)|ExpiredToken|InvalidClientTokenId|UnrecognizedClient/i,
    says: 'the keys by which the role is asked for are no good: make new ones, or take them out',
  },
  {
    kinds: ['aws'],
    of: /not authorized to perform.*sts:AssumeRole|AccessDenied/i,
    says:
      "the role's trust policy does not name who asks: look at aws.role_arn, aws.external_id and " +
      'the policy',
  },
  {
    kinds: ['aws'],
    of: /InvalidIdentityToken|IDPRejectedClaim|no openid ?connect provider/i,
    says:
      "the web identity token is not taken: look at the account's OpenID provider, and the " +
      "token's audience",
  },
  {
    kinds: ['aws'],
    of: /RegionDisabled/i,
    says: 'STS is switched off in this region: switch it on in the account, or choose another region',
  },
  {
    kinds: ['aws'],
    of: /Throttl|Rate exceeded/i,
    says: 'STS is asked too often by this account; it is asked again later',
  },
  {
    kinds: ['aws'],
    of: /SSO (session|token)|sso.*(expired|login)/i,
    says: 'sign in again by "aws sso login"; for a service, take a role in its place',
  },
  {
    kinds: ['aws'],
    of: /profile.*(not be found|could not|not found)|Could not resolve credentials using profile/i,
    says: 'look at aws.profile, and at AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE',
  },
  {
    kinds: ['aws'],
    of: /Could not load credentials from any providers|169\.254\.169\.254|metadata service/i,
    says:
      'no keys were found anywhere; this is no instance or container of AWS with a role, or it ' +
      'is not reached: set aws.profile, aws.role_arn or keys',
  },
  {
    kinds: ['google'],
    of: /invalid_grant|Invalid JWT/i,
    says: "the service account's key was revoked, or this machine's clock is off (turnpike-gateway doctor)",
  },
  {
    kinds: ['google'],
    of: /iam\.serviceAccounts\.getAccessToken|PERMISSION_DENIED|Permission .* denied/i,
    says: 'who asks lacks the role "Service Account Token Creator" on google.impersonate',
  },
  {
    kinds: ['google'],
    of: /Could not load the default credentials|metadata/i,
    says: 'no credentials were found, and no metadata server is reached: set google.credentials_file',
  },
  {
    kinds: ['google'],
    of: /does not contain a (client_email|private_key)|JSON|PEM|DECODER/i,
    says: "google.credentials_file is not the JSON that Google's console gives",
  },
  {
    kinds: ['entra'],
    of: /AADSTS7000222/,
    says: 'the client secret has expired: make a new one for the application',
  },
  {
    kinds: ['entra'],
    of: /AADSTS7000215/,
    says: 'the client secret is wrong: it is its value that is wanted, not its ID',
  },
  {
    kinds: ['entra'],
    of: /AADSTS700016/,
    says: 'the application is not in this tenant: look at entra.client_id and entra.tenant_id',
  },
  { kinds: ['entra'], of: /AADSTS9000\d\d|tenant.*not found/i, says: 'look at entra.tenant_id' },
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
      'the federated credential of the application does not fit the token: look at its issuer, ' +
      'subject and audience',
  },
  {
    kinds: ['entra'],
    of: /AADSTS700027/,
    says: 'the certificate is not one of the application, or this clock is off (turnpike-gateway doctor)',
  },
  {
    kinds: ['entra'],
    of: /ManagedIdentity|managed identity|169\.254\.169\.254|IMDS/i,
    says: 'no managed identity was found: is one given to this machine? else set entra.client_secret',
  },
  {
    kinds: ['aws', 'google', 'entra'],
    of: new RegExp(
      'garbage|had no "expiresOn"|Unexpected (token|end)|not valid JSON|deserializ|' +
        'invalid (json|response)|unescaped',
      'i',
    ),
    says:
      'what answered is not whoever gives credentials: look at proxies, and at the addresses in ' +
      'the environment',
  },
  {
    kinds: ['aws', 'google', 'entra'],
    of: /ENOENT|EACCES|EISDIR/,
    says: 'look at the path of the file, and whether this user may read it',
  },
  {
    kinds: ['aws', 'google', 'entra'],
    of: /ENOTFOUND|ECONN|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ETIMEDOUT|time(d )?-?out|socket hang up/i,
    says: 'whoever gives the credentials is not reached: network, proxy, firewall',
  },
]

/**
 * @param text the error's name and message
 * @returns empty where nothing more can be said
 */
export function hintFor(kind: IdentityKind, text: string): string {
  return hints.find(({ kinds, of }) => kinds.includes(kind) && of.test(text))?.says ?? ''
}
