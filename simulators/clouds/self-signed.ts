import { generateKeyPairSync, sign, X509Certificate, type KeyObject } from 'node:crypto'

/*
 * Creates a certificate as an operator would for an application. It is DER (RFC 5280) written by hand, since
 * Node cannot create certificates.
 */

export interface SelfSigned {
  certificate: X509Certificate
  /** Private key and certificate, in one file. */
  pem: string
}

const dayMs = 86_400_000
/** https://oidref.com: sha256WithRSAEncryption, commonName */
const sha256WithRsa = Buffer.from('2a864886f70d01010b', 'hex')
const commonName = Buffer.from('550403', 'hex')

/** A certificate that is valid from yesterday until tomorrow. */
export function selfSigned(name: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const algorithm = der(0x30, der(0x06, sha256WithRsa), der(0x05))
  const subject = der(0x30, der(0x31, der(0x30, der(0x06, commonName), der(0x0c, Buffer.from(name)))))
  const signed = der(
    0x30,
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    der(0x30, time(Date.now() - dayMs), time(Date.now() + dayMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)])
  const certificate = new X509Certificate(der(0x30, signed, algorithm, der(0x03, signature)))
  return { certificate, pem: pemOf(privateKey) + certificate.toString() }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' })
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(digits.slice(2)))
}
