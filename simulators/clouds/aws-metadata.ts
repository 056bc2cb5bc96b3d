import { CloudServer, endOf, type CloudAnswer, type CloudFault, type CloudRequest } from './cloud-server.ts'

/** Issued keys; each issue creates new ones. */
export interface GivenKeys {
  AccessKeyId: string
  SecretAccessKey: string
  Token: string
  Expiration: string
}

const role = 'turnpike-role'
const instancePath = '/latest/meta-data/iam/security-credentials/'

/**
 * The metadata services that issue a role's keys to an instance (IMDSv2) and to a container.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export class AwsMetadata {
  readonly server = new CloudServer((request, fault) => this.#answer(request, fault))
  /** All issued keys, the newest last. */
  readonly given: GivenKeys[] = []

  #answer({ method, path, headers }: CloudRequest, fault: CloudFault | undefined): CloudAnswer {
    if (path === '/container') {
      if (headers.authorization !== 'container-token') return { status: 401, body: '{}' }
      return { body: JSON.stringify({ RoleArn: `arn:aws:iam::1:role/${role}`, ...this.#keys(fault) }) }
    }
    if (method === 'PUT' && path === '/latest/api/token')
      return { type: 'text/plain', body: 'metadata-session', headers: ttlOf(headers) }
    if (headers['x-aws-ec2-metadata-token'] !== 'metadata-session') return { status: 401, body: '' }
    if (path === instancePath) return { type: 'text/plain', body: role }
    if (path !== instancePath + role) return { status: 404, body: '' }
    return { body: JSON.stringify({ Code: 'Success', Type: 'AWS-HMAC', ...this.#keys(fault) }) }
  }

  #keys(fault: CloudFault | undefined): GivenKeys {
    const number = this.given.length + 1
    const keys = {
      AccessKeyId: `ASIAMETADATA${String(number).padStart(8, '0')}`,
      SecretAccessKey: `metadata-secret-${number}`,
      Token: `metadata-session-token-${number}`,
      Expiration: new Date(endOf(fault)).toISOString(),
    }
    this.given.push(keys)
    return keys
  }
}

function ttlOf(headers: CloudRequest['headers']): Record<string, string> {
  const name = 'x-aws-ec2-metadata-token-ttl-seconds'
  return { [name]: String(headers[name] ?? '21600') }
}
