import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it arrived. */
export interface SignedCall {
  method: string
  /** As in the request line, with the query. */
  path: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string | Buffer
}

/** In AWS's names and words. */
export interface SignatureRefusal {
  status: 403
  errorType: string
  message: string
}

const shape = new RegExp(
  '^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/([^/]+)/aws4_request, ' +
    'SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$',
)

/** How far a signature's time may be in the past or the future. */
const toleratedMs = 300_000

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/**
 * Checks a signature (SigV4) as AWS does, written from AWS's description, independently of the signer's
 * library.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @param secretOf the secret of an access key and its session token; undefined: unknown
 * @returns undefined if the signature is valid
 */
export function checkSignature(
  call: SignedCall,
  secretOf: (accessKeyId: string, sessionToken: string | undefined) => string | undefined,
  nowMs: number,
): SignatureRefusal | undefined {
  const proof = shape.exec(String(call.headers['authorization'] ?? ''))
  if (proof === null) return refusal('MissingAuthenticationTokenException', 'Missing Authentication Token')
  const [, keyId = '', day = '', region = '', service = '', names = '', signature = ''] = proof
  const token = call.headers['x-amz-security-token']
  const secret = secretOf(keyId, typeof token === 'string' ? token : undefined)
  if (secret === undefined)
    return refusal('UnrecognizedClientException', 'The security token included in the request is invalid.')
  const date = String(call.headers['x-amz-date'])
  const atMs = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Math.abs(atMs - nowMs) > toleratedMs)
    return refusal(
      'InvalidSignatureException',
      `Signature expired: ${date} is now earlier than the time (5 min.)`,
    )
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical(call, names.split(';')))].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  if (timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) return undefined
  return refusal('InvalidSignatureException', 'The request signature we calculated does not match.')
}

function refusal(errorType: string, message: string): SignatureRefusal {
  return { status: 403, errorType, message }
}

function canonical({ method, path, headers, body }: SignedCall, names: readonly string[]): string {
  const [route = '', query = ''] = path.split('?')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, ' ')}`)
  return [
    method,
    canonicalPath(route),
    canonicalQuery(query),
    ...lines,
    '',
    names.join(';'),
    sha256(body),
  ].join('\n')
}

/** Encoded once more than it is sent. */
export function canonicalPath(path: string): string {
  return path.split('/').map(encodeUri).join('/')
}

/** Sorted by name first: `a` comes before `a0`. */
function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].map((pair) => pair.map(encodeUri))
  const sorted = pairs.toSorted(([a, x], [b, y]) => compare(a!, b!) || compare(x!, y!))
  return sorted.map((pair) => pair.join('=')).join('&')
}

/** By code points, whatever the machine's language is. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Encodes all but the unreserved characters of RFC 3986. */
function encodeUri(text: string): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, hex)
}
