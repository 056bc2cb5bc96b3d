import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ClientRefused, type McpClient } from './client-metadata.ts'

/*
 * Registrations are not stored: an app's identifier contains what it registered, with our signature (RFC
 * 7591, appendix A.5.2). So registrations take no space, and nobody can push out another's.
 */

const prefix = 'app_'
const signatureBytes = 16
/** The identifier is part of URLs and tokens, so it must stay short. */
const maxContentBytes = 1024
const pattern = /^app_([\w-]{1,1400})\.([\w-]{22})$/

/** @param secrets newest first @throws {ClientRefused} if it is too long */
export function newClientId({ name, redirectUris }: McpClient, secrets: readonly string[]): string {
  const unique = randomBytes(6).toString('base64url')
  const content = Buffer.from(JSON.stringify([name, redirectUris, unique]))
  if (content.length > maxContentBytes)
    throw new ClientRefused(
      'invalid_client_metadata',
      `client_name and redirect_uris: expected at most ${maxContentBytes} bytes together.`,
    )
  const text = content.toString('base64url')
  return `${prefix}${text}.${signatureOf(text, secrets[0]!)}`
}

/** The app with this identifier; undefined if we have not issued the identifier. */
export function readClientId(id: string, secrets: readonly string[]): McpClient | undefined {
  const [, text, signature] = pattern.exec(id) ?? []
  if (text === undefined || signature === undefined) return undefined
  // Compared as texts: other encodings of the same bytes are not valid identifiers.
  const bytes = Buffer.from(signature)
  if (!secrets.some((secret) => timingSafeEqual(bytes, Buffer.from(signatureOf(text, secret)))))
    return undefined
  const [name, redirectUris] = contentOf(text)
  return { name, redirectUris }
}

/** The app's name for itself, from an identifier that was verified before. */
export function clientNameOf(id: string): string {
  const [, text = ''] = pattern.exec(id) ?? []
  return contentOf(text)[0]
}

function contentOf(text: string): [name: string, redirectUris: string[]] {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [string, string[]]
}

/** The secrets also sign cookies and forms, so the signed text starts with its purpose. */
function signatureOf(text: string, secret: string): string {
  const whole = createHmac('sha256', secret).update(`client:${text}`).digest()
  return whole.subarray(0, signatureBytes).toString('base64url')
}
