import type { GivenKeys } from './aws-metadata.ts'
import { CloudServer, endOf, type CloudAnswer, type CloudFault, type CloudRequest } from './cloud-server.ts'

/** An error in the format of STS. */
export interface StsRefusal {
  status: number
  code: string
  message: string
}

/**
 * AWS's Security Token Service: `AssumeRole` and `AssumeRoleWithWebIdentity`.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
 */
export class Sts {
  readonly server = new CloudServer((request, fault) => this.#answer(request, fault))
  refusal: StsRefusal | undefined
  /** All issued keys, the newest last. */
  readonly given: GivenKeys[] = []

  /** The forms that it received. */
  get forms(): Record<string, string>[] {
    return this.server.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  }

  #answer({ body }: CloudRequest, fault: CloudFault | undefined): CloudAnswer {
    if (this.refusal !== undefined) return toAnswer(this.refusal)
    const form = new URLSearchParams(body)
    const action = form.get('Action') ?? ''
    if (!/^AssumeRole(WithWebIdentity)?$/.test(action))
      return toAnswer({ status: 400, code: 'InvalidAction', message: `no action ${action}` })
    const number = this.given.length + 1
    const keys = {
      AccessKeyId: `ASIASTS${String(number).padStart(13, '0')}`,
      SecretAccessKey: `sts-secret-${number}`,
      Token: `sts-session-token-${number}`,
      Expiration: new Date(endOf(fault)).toISOString(),
    }
    this.given.push(keys)
    const description =
      `<Credentials><AccessKeyId>${keys.AccessKeyId}</AccessKeyId>` +
      `<SecretAccessKey>${keys.SecretAccessKey}</SecretAccessKey>` +
      `<SessionToken>${keys.Token}</SessionToken><Expiration>${keys.Expiration}</Expiration></Credentials>`
    const user =
      `<AssumedRoleUser><Arn>${form.get('RoleArn')}</Arn>` +
      '<AssumedRoleId>AROA:turnpike</AssumedRoleId></AssumedRoleUser>'
    const result = `<${action}Result>${description}${user}</${action}Result>`
    return xml(200, `<${action}Response ${space}>${result}</${action}Response>`)
  }
}

const space = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"'

function toAnswer({ status, code, message }: StsRefusal): CloudAnswer {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`
  return xml(status, `<ErrorResponse ${space}>${error}<RequestId>1</RequestId></ErrorResponse>`)
}

function xml(status: number, body: string): CloudAnswer {
  return { status, type: 'text/xml', body }
}
