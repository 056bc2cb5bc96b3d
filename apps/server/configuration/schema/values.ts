import { Type, type TProperties, type TSchemaOptions, type TStringOptions } from 'typebox'

/*
 * The types of the configuration's values. `format` names a check in `formats.ts`, which also describes the
 * expected value. `writeOnly` marks a secret, which no message repeats.
 */

/**
 * An object that allows no unknown key. Each of its secrets may be in a file instead: `<name>_file` in
 * place of `<name>`, and `<name>_files` in place of a list.
 */
export function closed<Properties extends TProperties>(description: string, properties: Properties) {
  const section = Type.Object(properties, { additionalProperties: false, description })
  const files = secretFilesOf(properties)
  if (Object.keys(files).length === 0) return section
  // The file is read with the configuration, so nothing after the reader sees these keys.
  for (const [name, own] of Object.entries(files))
    Object.assign(section.properties, { [name]: fileSchema(own, properties[own]!) })
  const required = (section.required ?? []) as readonly string[]
  const either = Object.entries(files).filter(([, own]) => required.includes(own))
  if (either.length === 0) return section
  const others = required.filter((name) => !either.some(([, own]) => own === name))
  const allOf = either.map(([name, own]) => ({ oneOf: [{ required: [own] }, { required: [name] }] }))
  return Object.assign(section, { required: others, allOf })
}

/** Maps the key that names a file to the key of its secret, unless the section has a key of that name. */
function secretFilesOf(properties: TProperties): Record<string, string> {
  const secrets = Object.entries(properties).filter(([, value]) => isSecret(value))
  const named = secrets.map(([own, value]) => [secretFileKey(own, value), own])
  return Object.fromEntries(named.filter(([name]) => !Object.hasOwn(properties, name!)))
}

interface MaybeSecret {
  type?: string
  writeOnly?: boolean
  items?: MaybeSecret
  maxItems?: number
}

function isSecret({ type, writeOnly, items }: MaybeSecret): boolean {
  return type === 'array' ? items?.writeOnly === true : type === 'string' && writeOnly === true
}

/** Returns `encryption_key_files` for the list `encryption_keys`. */
export function secretFileKey(name: string, { type }: { type?: string }): string {
  return type === 'array' ? `${name.replace(/s$/, '')}_files` : `${name}_file`
}

function fileSchema(own: string, { type, maxItems }: MaybeSecret): object {
  const path = { type: 'string', minLength: 1, format: 'secret-file' }
  if (type !== 'array')
    return { ...path, description: `A file with \`${own}\`, in its place; read at the start.` }
  const description = `Files with one of \`${own}\` each, in their place; read at the start.`
  const most = maxItems === undefined ? {} : { maxItems }
  return { type: 'array', minItems: 1, ...most, items: path, description }
}

/** A path relative to the directory in which the server starts. The file must exist. */
export function file(options: TStringOptions) {
  return Type.String({ minLength: 1, format: 'file', ...options })
}

export function wholeNumber(minimum: number, maximum: number, options: TSchemaOptions) {
  return Type.Integer({ minimum, maximum, ...options })
}

export function secondsUpTo(maximum: number, options: TSchemaOptions) {
  return Type.Number({ exclusiveMinimum: 0, maximum, ...options })
}

export function secret(options: TStringOptions) {
  return Type.String({ minLength: 1, writeOnly: true, ...options })
}

export function encryptionKeys(description: string) {
  const key = secret({
    format: 'key-256',
    description: '32 random bytes in base64, as `openssl rand -base64 32` makes them.',
  })
  return Type.Array(key, { minItems: 1, maxItems: 10, description })
}

/** An amount of money: a decimal string, or a plain number, which is read as written. */
export function usd(options: TStringOptions) {
  return Type.String({ format: 'usd', ...options })
}

export function url(
  schemes: readonly ('http' | 'https' | 'postgres' | 'postgresql' | 'redis' | 'rediss')[],
  options: TStringOptions,
) {
  const format = schemes.includes('http')
    ? 'http-url'
    : schemes.includes('redis')
      ? 'redis-url'
      : 'postgres-url'
  return Type.String({ format, ...options })
}

export const identifierPattern = '^[a-z0-9][a-z0-9._-]{0,63}$'
export const modelPattern = '^[a-z0-9][a-z0-9._-]{0,63}(/[^\\s/][^\\s]{0,190})?$'

export const organizationPattern = '^acct_[0-9a-hjkmnp-tv-z]{26}$'
export const serviceTierPattern = '^[a-z][a-z0-9_-]{0,63}$'

/** Excludes the headers that HTTP itself sets for a call. */
export const headerPattern =
  '^(?!(?:[Hh]ost|[Cc]onnection|[Cc]ontent-[Ll]ength|[Tt]ransfer-[Ee]ncoding)$)' +
  '[A-Za-z0-9!#$%&*+.^_|~-]{1,100}$'

/** A key that names a header. */
export const headerName = Type.String({ pattern: headerPattern })
/** A key that names a provider or a tier. */
export const identifier = Type.String({ pattern: identifierPattern })
/** A key that names a model, or an alias, which needs no provider. */
export const modelIdentifier = Type.String({ pattern: modelPattern })
/** A key that names a vendor's service tier. */
export const serviceTier = Type.String({ pattern: serviceTierPattern })
