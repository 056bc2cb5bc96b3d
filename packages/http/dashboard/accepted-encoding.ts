import type { Encoding } from './built-files.ts'

const preferred = ['br', 'gzip'] as const satisfies Encoding[]

/** The best available encoding that the caller accepts (RFC 9110, section 12.5.3); undefined: no encoding. */
export function chooseEncoding(
  header: string | string[] | undefined,
  available: Partial<Record<Encoding, unknown>>,
): Encoding | undefined {
  if (header === undefined) return undefined
  const taken = new Set(
    String(header)
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
      .map((one) => one.split(';', 1)[0]!.trim()),
  )
  return preferred.find((one) => available[one] !== undefined && (taken.has(one) || taken.has('*')))
}
