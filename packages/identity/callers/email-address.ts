import { domainToASCII } from 'node:url'

const maxEmailLength = 254
/** RFC 5890: letters, marks and digits of any script, and what stands between them; with the dots of IDNA. */
const domainPattern = /^[\p{L}\p{M}\p{N}\-._\u3002\uff0e\uff61]+$/u

/**
 * An address in the one spelling in which it is stored, compared and counted: in lower case and composed
 * (NFC), without spaces around it, its domain as DNS has it (`xn--…`). Whether it is one is asked elsewhere.
 */
export function canonicalEmail(text: string): string {
  const address = text.trim().normalize('NFC').toLowerCase().normalize('NFC')
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at === -1 || !domainPattern.test(domain)) return address
  const ascii = domainToASCII(domain).replace(/\.$/, '')
  return ascii === '' ? address : address.slice(0, at + 1) + ascii
}

/**
 * As `canonicalEmail`, with letters that only look different (full width, ligatures) made the plain ones.
 * Two addresses with the same outcome may be two people's: it tells which to be careful with, and never who
 * is who.
 */
export function plainestEmail(text: string): string {
  return canonicalEmail(text.normalize('NFKC'))
}

/** Of an address, this and its length is all that can be told without writing to it. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(text)
}

/**
 * Whether mail may be sent to it: an address, without what means something between addresses in a header or
 * on a line of SMTP (RFC 5322, section 3.2.3), and with a domain that DNS knows how to write.
 */
export function isMailable(text: string): boolean {
  return isEmail(text) && /^[^\p{C}\p{Z}()<>[\]:;@\\,"]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/u.test(text)
}
