import { createHash, createHmac, type BinaryLike, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { CredentialHeaders, SignableRequest } from './credential.ts'

/** Keys that sign calls to AWS. */
export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  /** For temporary keys. */
  sessionToken?: string
}

export interface SignatureScope {
  region: string
  service: string
  /** Unix epoch milliseconds. */
  atMs: number
}

/**
 * The headers that sign a call (AWS Signature Version 4). Signs the host, the content type, all of AWS's own
 * headers, the path, the query and the body; nothing that a proxy may change.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function signV4(
  { method, origin, path, headers, body }: SignableRequest,
  keys: AwsKeys,
  { region, service, atMs }: SignatureScope,
  isSigned: (header: string) => boolean = isOfAws,
): Promise<CredentialHeaders> {
  const signer = new SignatureV4({
    credentials: keys,
    region,
    service,
    sha256: Sha256,
    applyChecksum: false,
  })
  const { host, hostname, protocol } = new URL(origin)
  const [pathname, search] = splitPath(path)
  const signed = await signer.sign(
    {
      method,
      protocol,
      hostname,
      path: pathname,
      query: queryOf(search),
      headers: { ...selectSigned(headers, isSigned), host },
      body: body ?? '',
    },
    { signingDate: new Date(atMs) },
  )
  return proofIn(signed.headers)
}

const proofs = ['authorization', 'x-amz-date', 'x-amz-security-token'] as const

function proofIn(headers: Record<string, string>): CredentialHeaders {
  const found = proofs.map((name) => [name, headers[name]]).filter(([, value]) => value !== undefined)
  return Object.fromEntries(found) as CredentialHeaders
}

function isOfAws(name: string): boolean {
  return name === 'content-type' || name.startsWith('x-amz')
}

function selectSigned(
  headers: Readonly<Record<string, string>>,
  isSigned: (header: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isSigned(name)))
}

function splitPath(path: string): [string, string] {
  const mark = path.indexOf('?')
  return mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)]
}

/** A repeated name has a list of values. */
function queryOf(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(search)
  for (const name of parameters.keys()) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0]! : values
  }
  return query
}

/** Node's own hash, with the signer's interface. */
class Sha256 {
  readonly #secret: BinaryLike | undefined
  #hash: Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined ? undefined : bytesOf(secret)
    this.#hash = this.#createHash()
  }

  #createHash(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret)
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }

  reset(): void {
    this.#hash = this.#createHash()
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  if (data instanceof ArrayBuffer) return Buffer.from(data)
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}
