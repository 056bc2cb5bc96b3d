import { domainToASCII } from 'node:url'

const maxEmailLength = 254
/** RFC 5890: letters, marks and digits of any script, hyphens, and IDNA's variants of the dot. */
const domainPattern = /^[\p{L}\p{M}\p{N}\-._\u3002\uff0e\uff61]+$/u

/**
 * An address in the canonical form in which it is stored, compared and counted: lower case, composed (NFC),
 * trimmed, its domain as in DNS (`xn--…`). Does not check that the text is an address.
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
 * As `canonicalEmail`, with letters that only look different (full width, ligatures) replaced by the plain
 * ones. Addresses of two people may have the same result: use it to find addresses to be careful with, never
 * to identify anybody.
 */
export function plainestEmail(text: string): string {
  return canonicalEmail(text.normalize('NFKC'))
}

/** Whether the text looks like an address. Nothing more can be checked without sending mail to it. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(text)
}

/**
 * Whether mail may be sent to it: an address without characters that have a meaning in a header or on an SMTP
 * line (RFC 5322, section 3.2.3), and with a domain that DNS can express.
 */
export function isMailable(text: string): boolean {
  return isEmail(text) && /^[^\p{C}\p{Z}()<>[\]:;@\\,"]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/u.test(text)
}
