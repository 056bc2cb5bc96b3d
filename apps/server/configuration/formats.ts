import { isIPv4, isIPv6 } from 'node:net'
import { parseUsd } from '@turnpike/billing'
import { mistakeOfPattern } from '@turnpike/gateway'

export interface ValueFormat {
  /** The end of the message "expected …". */
  expected: string
  accepts(text: string): boolean
}

const decimal = /^\d{1,9}(\.\d{1,18})?$/
const maxFactor = 1000

/** The checks behind `format` in the schema. */
export const formats: Record<string, ValueFormat> = {
  usd: {
    expected: 'an amount of USD such as "12.50", at most 12 decimals and below 9,223,372',
    accepts: (text) => isUsd(text),
  },
  price: {
    expected: 'USD per token as a decimal string such as "0.0000025"',
    accepts: (text) => decimal.test(text) && Number(text) < 1e6,
  },
  factor: {
    expected: `a factor as a decimal string such as "1.2", above 0 and at most ${maxFactor}`,
    accepts: (text) => /^\d{1,4}(\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= maxFactor,
  },
  percent: {
    expected: 'percent as a decimal string such as "5" or "2.5", at most 100',
    accepts: (text) => /^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) <= 100,
  },
  'http-url': {
    expected: 'an address such as "https://example.com/v1", without user, query and fragment',
    accepts: (text) => {
      const url = parseUrl(text)
      return (
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        url.username + url.password + url.search + url.hash === ''
      )
    },
  },
  'postgres-url': {
    expected: 'an address such as "postgres://user:password@host:5432/database"',
    accepts: (text) => /^postgres(ql)?:$/.test(parseUrl(text)?.protocol ?? ''),
  },
  'redis-url': {
    expected: 'an address such as "redis://host:6379"',
    accepts: (text) => /^rediss?:$/.test(parseUrl(text)?.protocol ?? ''),
  },
  email: {
    expected: 'an email address',
    accepts: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  },
  domain: {
    expected: 'a domain such as "example.com"',
    accepts: (text) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text),
  },
  'address-range': {
    expected: 'an IP address or a range such as "10.0.0.0/8"',
    accepts: (text) => isAddressRange(text),
  },
  host: {
    expected: 'a host such as "gateway.internal" (at any port) or "gateway.internal:8787"',
    accepts: (text) => /^(?:[a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text),
  },
  origin: {
    expected: 'an origin such as "https://app.example.com", in lower case and without a path, or "*"',
    accepts: (text) => text === '*' || isOrigin(text),
  },
  header: {
    expected: 'the name of a header',
    accepts: (text) => /^[A-Za-z0-9!#$%&*+.^_|~-]{1,100}$/.test(text),
  },
  path: {
    expected: 'a path such as "/openai/deployments/{model}/chat/completions", without a query',
    accepts: (text) => /^\/[^\s?#{}]*(\{model\}[^\s?#{}]*)?$/.test(text),
  },
  region: {
    expected: 'a region such as "eu-central-1" or "global"',
    accepts: (text) => /^[a-z]{2,20}(-[a-z0-9]{1,20}){0,4}$/.test(text),
  },
  resource: {
    expected: 'a name of letters, digits and -',
    accepts: (text) => /^[a-z0-9][a-z0-9-]{0,99}$/i.test(text),
  },
  'key-256': {
    expected: '32 random bytes in base64, such as from `openssl rand -base64 32`',
    accepts: (text) => isKey(text),
  },
  re2: {
    expected: 'an RE2 pattern that matches at least one character, without look-around and back-references',
    accepts: (text) => mistakeOfPattern(text) === undefined,
  },
  model: {
    expected: 'a model as <provider>/<model_id>',
    accepts: (text) => /^[^\s/]+\/\S+$/.test(text),
  },
  file: {
    expected: 'the path of a file',
    accepts: (text) => !text.includes('\0'),
  },
  'key-file': {
    expected: 'the path of a file',
    accepts: (text) => !text.includes('\0'),
  },
  'secret-file': {
    expected: 'the path of a file',
    accepts: (text) => !text.includes('\0'),
  },
  name: {
    expected: 'lower-case letters, digits and _, beginning with a letter',
    accepts: (text) => /^[a-z][a-z0-9_]{0,31}$/.test(text),
  },
}

/** Accepts one spelling only, so that a truncated or mistyped key is not taken for another key. */
function isKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 && bytes.toString('base64') === text
}

/** Accepts an origin as browsers send it: without its scheme's default port. Apps may use own schemes. */
function isOrigin(text: string): boolean {
  const origin = parseUrl(text)?.origin
  if (origin !== 'null') return origin === text && !text.includes('*')
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d{1,5})?$/.test(text)
}

function isAddressRange(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128)
}

function isUsd(text: string): boolean {
  try {
    return parseUsd(text) >= 0n
  } catch {
    return false
  }
}

function parseUrl(text: string): URL | null {
  return URL.parse(text)
}
